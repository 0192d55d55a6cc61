import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ADMIN_SCOPES, type Scope } from '../../core/access/scopes.js';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { credentialDigest, generateCredential } from '../../core/digest.js';
import { NotFoundError } from '../../core/errors.js';
import type { AccessToken, TokenKind } from './access-token.entity.js';
import type { User } from '../users/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { trailOf, type MintedToken } from './token-details.js';
import { dayOf } from './token-expiry.service.js';
import { TokenRefusal } from './token-refusal.js';

const TOKEN_PREFIX = 'svcpat-';

export interface NewToken {
  userId: number;
  name: string;
  description?: string;
  scopes: readonly Scope[];
  kind?: TokenKind;
  /** As TokenExpiry decided; null = never. */
  expiresAt: Date | null;
  /** Of a project or job token. */
  projectId?: number | null;
  /** Of a group token. */
  groupId?: number | null;
  /** The chain of rotations that it continues, or of a job token the one with which it ends. */
  familyId?: number | null;
  /** The token that this one replaces. */
  previousId?: number;
  /** Raw value chosen by the operator (first start only); made at random when absent. */
  raw?: string;
}

/** The user that a token acts as. */
type TokenOwner = Pick<User, 'admin' | 'userType'>;

/** Mints bearer tokens; the raw value leaves here once and is stored nowhere. */
@Injectable()
export class TokenCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: AccessTokensRepository,
    private readonly users: UsersRepository,
    private readonly audit: AuditLog,
  ) {}

  /** As `mint`, in a transaction of its own. */
  create(input: NewToken, actor: AuditActor): Promise<MintedToken> {
    return this.dataSource.transaction((tx) => this.mint(tx, input, actor));
  }

  /**
   * Makes one token with its audit row in the caller's transaction. Throws 404 without such a
   * user, and for personal tokens of bots; TokenRefusal for scopes that the user cannot have.
   */
  async mint(tx: EntityManager, input: NewToken, actor: AuditActor): Promise<MintedToken> {
    // A user who is being deleted keeps the row from being added, instead of failing on its key.
    const owner = await this.users.hold(tx, input.userId);
    assertOwner(owner, input);
    assertScopesFit(input.scopes, owner);
    const raw = input.raw ?? generateCredential(TOKEN_PREFIX);
    const details = await this.tokens.add(tx, { ...columnsOf(input), ...secretOf(raw) });
    await this.audit.record(tx, actor, {
      action: input.previousId === undefined ? 'access_token_created' : 'access_token_rotated',
      targetType: 'AccessToken',
      targetId: details.id,
      entity: trailOf(details),
      details: {
        kind: details.kind,
        user_id: details.userId,
        name: details.name,
        scopes: details.scopes,
        expires_at: details.expiresAt === null ? null : dayOf(details.expiresAt),
        ...(input.previousId !== undefined && { previous_id: input.previousId }),
      },
    });
    return { details, raw };
  }
}

/** Throws NotFoundError without such a user, and for tokens that bots cannot have. */
function assertOwner(
  owner: TokenOwner | null,
  { kind = 'personal' }: NewToken,
): asserts owner is TokenOwner {
  const isForPerson = kind === 'personal' || kind === 'impersonation';
  if (owner === null || (isForPerson && owner.userType !== 'human')) {
    throw new NotFoundError('User');
  }
}

function assertScopesFit(scopes: readonly Scope[], owner: TokenOwner): void {
  if (scopes.length === 0) throw new TokenRefusal('scopes', "can't be blank");
  if (owner.admin || !scopes.some((scope) => ADMIN_SCOPES.includes(scope))) return;
  throw new TokenRefusal('scopes', 'can only contain available scopes');
}

function columnsOf(input: NewToken): Partial<AccessToken> {
  return {
    kind: input.kind ?? 'personal',
    userId: input.userId,
    name: input.name,
    description: input.description ?? '',
    scopes: [...new Set(input.scopes)],
    expiresAt: input.expiresAt,
    projectId: input.projectId ?? null,
    groupId: input.groupId ?? null,
    familyId: input.familyId ?? null,
    previousId: input.previousId ?? null,
  };
}

function secretOf(raw: string): Pick<AccessToken, 'digest' | 'lastFour'> {
  return { digest: credentialDigest(raw), lastFour: raw.slice(-4) };
}
