import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  AuditLog,
  type AuditActor,
  type AuditEntry,
  changesBetween,
} from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { NO_PRECONDITIONS, type Preconditions } from '../../core/preconditions.js';
import { credentialDigest, generateCredential } from '../../core/secrets.js';
import { ApplicationLookup } from '../client-authentication.service.js';
import {
  OAuthApplication,
  OAuthApplicationsRepository,
  type ApplicationDetails,
} from '../oauth-applications.repository.js';
import { OAuthTokensRepository } from '../oauth-tokens.repository.js';
import { checkedApplication, type ApplicationInput } from './application-rules.js';
import { NotFoundError } from '../../core/errors.js';
import { OAuthAccessGrantsRepository } from '../oauth-access-grants.repository.js';

const SECRET_PREFIX = 'svcoas-';
const UID_BYTES = 32;

/** One application of an owner; `ownerId` null = of the whole instance. */
interface OwnedApplication {
  id: number;
  ownerId: number | null;
}

/** An application with its secret, which is shown only once. */
export interface NewSecret {
  application: ApplicationDetails;
  secret: string;
}

/**
 * Registers, changes and deletes applications, each with its entry in the audit log. The secret
 * leaves here once and is stored nowhere. The caller checks permissions.
 */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly applications: OAuthApplicationsRepository,
    private readonly grants: OAuthAccessGrantsRepository,
    private readonly tokens: OAuthTokensRepository,
    private readonly lookup: ApplicationLookup,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Registers an application. Throws 400 with messages for each property. */
  async create(
    input: ApplicationInput & { ownerId: number | null },
    actor: AuditActor,
  ): Promise<NewSecret> {
    const values = checkedApplication(input);
    const { ownerId } = input;
    const secret = generateCredential(SECRET_PREFIX);
    const id = await this.dataSource.transaction(async (tx) => {
      const uid = randomBytes(UID_BYTES).toString('hex');
      const row = { ...values, uid, ownerId, secretDigest: credentialDigest(secret) };
      const inserted = await tx.insert(OAuthApplication, row);
      const made = inserted.identifiers[0] as { id: number };
      const { redirectUris: redirect_uris, ...details } = values;
      await this.audit.record(tx, actor, {
        ...entryOf({ id: made.id, ownerId, name: values.name }, 'created'),
        details: { ...details, redirect_uris },
      });
      return made.id;
    });
    return { application: await this.applications.findOwned(id, ownerId), secret };
  }

  /**
   * Updates an application and removes lost scopes from its codes and tokens. Throws 404, and 400
   * as `create`.
   */
  async update(
    target: OwnedApplication,
    input: ApplicationInput,
    actor: AuditActor,
  ): Promise<void> {
    const values = checkedApplication(input);
    let narrowed: Buffer[] = [];
    await this.change(target, async (tx, before) => {
      const details = changesBetween(before, values);
      if (Object.keys(details).length === 0) return;
      const now = this.clock.now();
      await tx.update(OAuthApplication, { id: target.id }, { ...values, updatedAt: now });
      await this.audit.record(tx, actor, { ...entryOf(before, 'updated'), details });
      if (details.scopes === undefined) return;
      narrowed = await this.tokens.narrow(tx, { id: target.id, scopes: values.scopes, now });
    });
    this.lookup.forgetTokens(narrowed);
  }

  /** Renews the secret of the application; the old one stops working immediately. Throws 404. */
  async renewSecret(target: OwnedApplication, actor: AuditActor): Promise<NewSecret> {
    const secret = generateCredential(SECRET_PREFIX);
    await this.change(target, async (tx, application) => {
      const change = { secretDigest: credentialDigest(secret), updatedAt: this.clock.now() };
      await tx.update(OAuthApplication, { id: target.id }, change);
      await this.audit.record(tx, actor, entryOf(application, 'secret_renewed'));
    });
    return { application: await this.applications.findOwned(target.id, target.ownerId), secret };
  }

  /** Deletes an application with all its codes and tokens. Throws 404 and 412. */
  async delete(
    target: OwnedApplication,
    actor: AuditActor,
    preconditions: Preconditions = NO_PRECONDITIONS,
  ): Promise<void> {
    await this.change(target, async (tx, application) => {
      preconditions.check(application.updatedAt);
      await tx.delete(OAuthApplication, { id: target.id });
      await this.audit.record(tx, actor, entryOf(application, 'deleted'));
    });
  }

  /**
   * Revokes the codes, access tokens and refresh tokens that the application has for the user.
   * Throws 404 for an application without any token.
   */
  async revokeAuthorization(
    applicationId: number,
    { id: userId }: { id: number },
    actor: AuditActor,
  ): Promise<void> {
    const digests = await this.dataSource.transaction(async (tx) => {
      // Issuing a token for the user waits, so that none is missed.
      await this.tokens.lockOwner(tx, userId);
      const [parties, now] = [{ applicationId, userId }, this.clock.now()];
      await this.grants.revokeOfApplication(tx, parties, now);
      const revoked = await this.tokens.revokeOfApplication(tx, parties, now);
      if (revoked.length === 0) throw new NotFoundError('Application');
      await this.audit.record(tx, actor, {
        action: 'oauth_application_authorization_revoked',
        targetType: 'OAuthApplication',
        targetId: applicationId,
        targetName: await this.applications.findName(tx, applicationId),
        entity: { type: 'User', id: userId },
        details: { tokens: revoked.length },
      });
      return revoked;
    });
    this.lookup.forgetTokens(digests);
  }

  /** Changes the locked row, then drops the cached application. */
  private async change(
    target: OwnedApplication,
    work: (tx: EntityManager, application: OAuthApplication) => Promise<void>,
  ): Promise<void> {
    const uid = await this.dataSource.transaction(async (tx) => {
      const application = await this.applications.lock(tx, target);
      await work(tx, application);
      return application.uid;
    });
    this.lookup.forget(uid);
  }
}

/** In the audit log of its owner, or of the instance. */
function entryOf(
  { id, ownerId, name }: Pick<OAuthApplication, 'id' | 'ownerId' | 'name'>,
  verb: 'created' | 'updated' | 'secret_renewed' | 'deleted',
): AuditEntry {
  return {
    action: `oauth_application_${verb}`,
    targetType: 'OAuthApplication',
    targetId: id,
    targetName: name,
    ...(ownerId !== null && { entity: { type: 'User', id: ownerId } as const }),
  };
}
