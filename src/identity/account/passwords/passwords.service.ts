import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { SignedInContext, Viewer } from '../../../core/access/auth-context.js';
import { PasswordSignIn, type Identified } from '../../auth/password-sign-in.service.js';
import { Session } from '../../auth/sessions/sessions.repository.js';
import { SignInRefusedError } from '../../auth/user-state.js';
import { Sessions } from '../../auth/sessions/sessions.service.js';
import { AuditLog } from '../../../core/audit/audit.service.js';
import { ValidationFailedError } from '../../../core/errors.js';
import { hashPassword } from '../../../core/passwords.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import type { PasswordSettings } from '../../users/password-rules.js';
import { assertValidUser } from '../../users/user-rules.js';
import { User } from '../../users/user.entity.js';
import { AccountEmails } from '../account-emails.service.js';
import { PasswordChangeDto } from '../account.dto.js';
import { LinkRefusedError, MailLinks } from '../mail-links.service.js';
import type { LinkTarget } from '../mail-links.repository.js';
import { UserEmailsRepository } from '../user-emails.repository.js';

/** The new session of a browser whose password was changed; all others have ended. */
interface NextSession {
  /** Value of its cookie. */
  value: string;
  remembered: boolean;
}

/** A new password with the token of an emailed link. */
interface PasswordReset {
  token: string;
  password: string;
  confirmation: string;
}

/** Changes passwords: of signed-in users, and by emailed links. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: PasswordSignIn,
    private readonly sessions: Sessions,
    private readonly userEmails: UserEmailsRepository,
    private readonly links: MailLinks,
    private readonly settings: InstanceSettings,
    private readonly audit: AuditLog,
    private readonly accountEmails: AccountEmails,
  ) {}

  /**
   * Changes the viewer's password and notifies them by email. Ends all sessions and OAuth tokens,
   * and returns a new session for this browser. Throws 400 with messages per field; wrong current
   * passwords count and lock like those of a sign-in.
   */
  async change(
    dto: PasswordChangeDto,
    auth: SignedInContext,
    userAgent: string,
  ): Promise<NextSession> {
    assertNew(dto, auth.viewer, this.settings.values);
    const identified = await this.identify(dto, auth);
    const passwordDigest = await hashPassword(dto.password);
    return this.dataSource.transaction(async (tx) => {
      const remembered = await isRemembered(tx, auth);
      await replaceDigest(tx, identified, passwordDigest);
      await this.recordChange(tx, auth);
      const session = { userId: auth.viewer.id, remembered, ip: auth.ip, userAgent };
      return { value: await this.sessions.start(tx, session), remembered };
    });
  }

  private async recordChange(tx: EntityManager, auth: SignedInContext): Promise<void> {
    const { id } = auth.viewer;
    await this.audit.record(tx, auth, {
      action: 'user_updated',
      targetType: 'User',
      targetId: id,
      details: { password: '[changed]' },
    });
    await this.accountEmails.notifyPasswordChanged(tx, await tx.findOneByOrFail(User, { id }));
  }

  private async identify(
    { current_password: current }: PasswordChangeDto,
    { viewer, ip }: SignedInContext,
  ): Promise<Identified> {
    try {
      return await this.passwords.identify(viewer.username, current, ip);
    } catch (error) {
      throw error instanceof SignInRefusedError ? wrongPassword() : error;
    }
  }

  /**
   * Sends a link to the confirmed address, in the account's spelling; does nothing for unknown
   * addresses.
   */
  async requestReset(email: string): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const owner = await this.userEmails.findOwner(tx, email);
      if (owner === null) return;
      const target = { purpose: 'reset_password', userId: owner.id, email: owner.address } as const;
      const token = await this.links.issue(tx, target);
      if (token !== null) await this.accountEmails.sendPasswordReset(tx, owner, token);
    });
  }

  /** Returns true while the link of a password reset email is valid. */
  async isLinkValid(token: string): Promise<boolean> {
    return (await this.findLink(this.dataSource.manager, token)) !== null;
  }

  /**
   * Sets the password; every session, application and other link of the user ends. Throws
   * LinkRefusedError, or 400 with messages per field, after which the link still works.
   */
  async reset(reset: PasswordReset, ip: string | null): Promise<void> {
    const { manager } = this.dataSource;
    const link = await this.findLink(manager, reset.token);
    const owner = link === null ? null : await manager.findOneBy(User, { id: link.userId });
    if (owner === null) throw new LinkRefusedError();
    const { values: settings } = this.settings;
    assertValidUser({}, { value: reset.password, owner, settings });
    if (reset.password !== reset.confirmation) {
      throw new ValidationFailedError({ password_confirmation: ["doesn't match the password"] });
    }
    const passwordDigest = await hashPassword(reset.password);
    await this.dataSource.transaction((tx) =>
      this.consumeLink(tx, { ...reset, passwordDigest }, ip),
    );
  }

  /** A link is valid as long as its address belongs to the user. */
  private async findLink(tx: EntityManager, token: string): Promise<LinkTarget | null> {
    const link = await this.links.look(tx, token, 'reset_password');
    return link !== null && (await this.userEmails.isOwner(tx, link)) ? link : null;
  }

  private async consumeLink(
    tx: EntityManager,
    { token, passwordDigest }: PasswordReset & { passwordDigest: string },
    ip: string | null,
  ): Promise<void> {
    const link = await this.links.consume(tx, token, 'reset_password');
    if (link === null || !(await this.userEmails.isOwner(tx, link))) throw new LinkRefusedError();
    const { userId: id } = link;
    const values = { passwordDigest, failedAttempts: 0, lockedAt: null };
    await tx.update(User, { id }, { ...values, updatedAt: () => 'now()' });
    const user = await tx.findOneByOrFail(User, { id });
    await this.accountEmails.notifyPasswordChanged(tx, user);
    await this.audit.record(
      tx,
      { viewer: { id }, impersonator: null, ip },
      { action: 'user_password_reset', targetType: 'User', targetId: id },
    );
  }
}

function assertNew(dto: PasswordChangeDto, owner: Viewer, settings: PasswordSettings): void {
  assertValidUser({}, { value: dto.password, owner, settings });
  if (dto.password !== dto.password_confirmation) {
    throw new ValidationFailedError({ password_confirmation: ["doesn't match the new password"] });
  }
  if (dto.password === dto.current_password) {
    throw new ValidationFailedError({ password: ['must differ from the current one'] });
  }
}

function wrongPassword(): ValidationFailedError {
  return new ValidationFailedError({ current_password: ['is wrong'] });
}

async function isRemembered(tx: EntityManager, { session }: SignedInContext): Promise<boolean> {
  const row = await tx.findOneBy(Session, { id: session?.id ?? 0 });
  return row?.remembered ?? false;
}

/** Replaces the digest; a trigger ends every session of the user. */
async function replaceDigest(
  tx: EntityManager,
  { viewer: { id }, passwordDigest: former }: Identified,
  passwordDigest: string,
): Promise<void> {
  const { affected } = await tx.update(
    User,
    { id, passwordDigest: former },
    { passwordDigest, updatedAt: () => 'now()' },
  );
  if (affected !== 1) throw wrongPassword();
}
