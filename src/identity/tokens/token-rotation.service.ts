import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AuthContext } from '../../core/access/auth-context.js';
import type { Scope } from '../../core/access/scopes.js';
import type { AuditActor } from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { ApiError, BadRequestError } from '../../core/errors.js';
import type { AccessToken } from './access-token.entity.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { CredentialCache } from './credential-cache.service.js';
import { TokenCreationService } from './token-creation.service.js';
import { familyOf, isManaged, type MintedToken } from './token-details.js';
import { TokenExpiry } from './token-expiry.service.js';

export interface RotationRequest {
  tokenId: number;
  /** `YYYY-MM-DD`; without one the new token lives a week, or for ever where that is allowed. */
  expiresAt?: string | null;
}

/** Replaces tokens of any managed kind by new ones with the same rights. */
@Injectable()
export class TokenRotationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: AccessTokensRepository,
    private readonly creation: TokenCreationService,
    private readonly expiry: TokenExpiry,
    private readonly cache: CredentialCache,
    private readonly clock: Clock,
  ) {}

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
      return { minted: await this.creation.mint(tx, input, actor), old: token };
    });
    this.cache.drop(old.digest);
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
