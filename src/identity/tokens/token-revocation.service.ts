import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import type { Preconditions } from '../../core/preconditions.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { TokenLookup } from './token-lookup.service.js';
import { familyOf, trailOf } from './access-token.entity.js';

/** Revokes tokens; a revoked token stays as a row, so that its reuse is detected. */
@Injectable()
export class TokenRevocationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: AccessTokensRepository,
    private readonly audit: AuditLog,
    private readonly lookup: TokenLookup,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends one token with the job tokens that were made by it; one that has ended by revocation
   * before stays as it is. The caller checks permissions. Throws 404, and 412 when the client's
   * condition does not hold.
   */
  async revoke(tokenId: number, actor: AuditActor, preconditions?: Preconditions): Promise<void> {
    const ended = await this.dataSource.transaction(async (tx) => {
      const token = await this.tokens.lockFamily(tx, tokenId);
      preconditions?.check(token.updatedAt);
      if (token.revokedAt !== null) return [];
      const now = this.clock.now();
      await this.tokens.revoke(tx, token.id, now);
      await this.audit.record(tx, actor, {
        action: 'access_token_revoked',
        targetType: 'AccessToken',
        targetId: token.id,
        entity: trailOf(token),
        details: { kind: token.kind, user_id: token.userId, name: token.name },
      });
      return [token, ...(await this.tokens.revokeJobTokens(tx, familyOf(token), now))];
    });
    for (const { digest } of ended) this.lookup.drop(digest);
  }

  /**
   * Revokes every active token of the family of a revoked one that someone presented for rotation:
   * it was stolen, or its successor was. Who presented it is not known, so the trail only has
   * the address.
   */
  async revokeFamily(tokenId: number, ip: string | null): Promise<void> {
    const revoked = await this.dataSource.transaction(async (tx) => {
      const token = await this.tokens.lockFamily(tx, tokenId);
      const ended = await this.tokens.revokeFamily(tx, familyOf(token), this.clock.now());
      // Without this anyone with an old token could fill the trail.
      if (ended.length === 0) return ended;
      await this.audit.record(
        tx,
        { viewer: null, impersonator: null, ip },
        {
          action: 'access_token_reused',
          targetType: 'AccessToken',
          targetId: token.id,
          entity: trailOf(token),
          details: {
            kind: token.kind,
            user_id: token.userId,
            name: token.name,
            revoked_ids: ended.map(({ id }) => id),
          },
        },
      );
      return ended;
    });
    for (const { digest } of revoked) this.lookup.drop(digest);
  }
}
