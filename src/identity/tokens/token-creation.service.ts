import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ADMIN_SCOPES, type Scope } from '../../core/access/scopes.js';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { NotFoundError, ApiError, BadRequestError } from '../../core/errors.js';
import { credentialDigest, generateCredential } from '../../core/secrets.js';
import {
  type AccessToken,
  type TokenKind,
  trailOf,
  familyOf,
  isManaged,
} from './access-token.entity.js';
import type { User } from '../users/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { dayOf, TokenExpiry } from './token-expiry.service.js';
import { TokenRefusal } from './token-refusal.js';
import type { MintedToken } from './token.presenter.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { TokenLookup } from './token-lookup.service.js';

const TOKEN_PREFIX = 'svcpat-';

interface NewToken {
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

interface RotationRequest {
  tokenId: number;
  /** `YYYY-MM-DD`; without one the new token expires after a week, or never where that is allowed. */
  expiresAt?: string | null;
}

/** The user that a token acts as. */
type TokenOwner = Pick<User, 'admin' | 'userType'>;

/** Creates and rotates bearer tokens; their raw values are returned once and stored nowhere. */
@Injectable()
export class TokenCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: AccessTokensRepository,
    private readonly users: UsersRepository,
    private readonly audit: AuditLog,
    private readonly expiry: TokenExpiry,
    private readonly lookup: TokenLookup,
    private readonly clock: Clock,
  ) {}

  /** As `mint`, in a transaction of its own. */
  create(input: NewToken, actor: AuditActor): Promise<MintedToken> {
    return this.dataSource.transaction((tx) => this.mint(tx, input, actor));
  }

  /**
   * Creates a token with its audit event in the caller's transaction. Throws 404 without such a
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

  /**
   * Revokes the token and creates its successor, in one transaction under the lock of the family:
   * of concurrent rotations one succeeds. The caller checks permissions. Throws 400 for a token
   * that is revoked or expired already, TokenRefusal for `expiresAt`.
   */
  async rotate({ tokenId, expiresAt }: RotationRequest, actor: AuditActor): Promise<MintedToken> {
    const { minted, old } = await this.dataSource.transaction(async (tx) => {
      const token = await this.tokens.lockFamily(tx, tokenId);
      this.assertAlive(token);
      const input = { ...successorOf(token), expiresAt: this.expiry.ofRotatedToken(expiresAt) };
      await this.tokens.revoke(tx, token.id, this.clock.now());
      return { minted: await this.mint(tx, input, actor), old: token };
    });
    this.lookup.drop(old.digest);
    return minted;
  }

  private assertAlive({ revokedAt, expiresAt }: AccessToken): void {
    if (revokedAt !== null) throw new BadRequestError('Token already revoked');
    // A successor would live on where someone had set an end.
    if (expiresAt !== null && expiresAt <= this.clock.now()) {
      throw new BadRequestError('Token already expired');
    }
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

function successorOf(token: AccessToken) {
  return {
    kind: token.kind,
    userId: token.userId,
    name: token.name,
    description: token.description,
    scopes: token.scopes as Scope[],
    projectId: token.projectId,
    groupId: token.groupId,
    familyId: familyOf(token),
    previousId: token.id,
  };
}

/** Returns the id of the presented token; throws 405 for a kind that cannot be rotated. */
export function rotatableTokenId({ credential }: AuthContext): number {
  if (credential !== null && isManaged(credential.kind)) return credential.tokenId;
  // With this token no method is allowed here (RFC 9110 §10.2.1).
  throw new ApiError(405, { message: '405 Method Not Allowed' }, { headers: { Allow: '' } });
}
