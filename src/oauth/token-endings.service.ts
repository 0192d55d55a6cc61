import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../core/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { OAuthTokensRepository, type RevokedToken } from './oauth-tokens.repository.js';
import { CredentialCache } from '../tokens/credential-cache.service.js';

/** A token of a chain of refreshes. */
export interface ChainedToken {
  id: number;
  userId: number | null;
  familyId: number;
}

interface Reuse {
  action: 'oauth_refresh_token_reused' | 'oauth_code_reused';
  targetType: 'AccessToken' | 'OAuthAccessGrant';
  targetId: number;
  userId: number;
  ip: string | null;
}

/** Ends chains of OAuth tokens: because their client asks for it, or because they were stolen. */
@Injectable()
export class TokenEndings {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: OAuthTokensRepository,
    private readonly audit: AuditTrail,
    private readonly cache: CredentialCache,
    private readonly clock: Clock,
  ) {}

  /** Ends all living tokens of the chain and the job tokens that were made by them. */
  async endFamily({ familyId, userId }: Omit<ChainedToken, 'id'>): Promise<void> {
    await this.end(userId, (tx) => this.tokens.revokeFamily(tx, familyId, this.clock.now()));
  }

  /**
   * Somebody showed a refresh token that had been replaced before: two parties know it, so its
   * chain ends (RFC 9700 §4.14.2). Nothing is told where nothing was left to end.
   */
  async endReusedFamily(tokenId: number, reuse: Pick<Reuse, 'userId' | 'ip'>): Promise<void> {
    await this.end(reuse.userId, async (tx) => {
      const family = await this.tokens.findFamily(tx, tokenId);
      const ended =
        family === null ? [] : await this.tokens.revokeFamily(tx, family, this.clock.now());
      const about = { targetType: 'AccessToken', targetId: tokenId } as const;
      await this.tell(tx, { action: 'oauth_refresh_token_reused', ...about, ...reuse }, ended);
      return ended;
    });
  }

  /** Somebody showed a code that was used before: all tokens that come from it end (RFC 6749 §4.1.2). */
  async endReusedGrant(grantId: number, reuse: Pick<Reuse, 'userId' | 'ip'>): Promise<void> {
    await this.end(reuse.userId, async (tx) => {
      const ended = await this.tokens.revokeOfGrant(tx, grantId, this.clock.now());
      const about = { targetType: 'OAuthAccessGrant', targetId: grantId } as const;
      await this.tell(tx, { action: 'oauth_code_reused', ...about, ...reuse }, ended);
      return ended;
    });
  }

  private async end(
    userId: number | null,
    work: (tx: EntityManager) => Promise<RevokedToken[]>,
  ): Promise<void> {
    const ended = await this.dataSource.transaction(async (tx) => {
      await this.tokens.lockOwner(tx, userId);
      return work(tx);
    });
    for (const { digest } of ended) this.cache.drop(digest);
  }

  /** Without the condition anybody with an old token could fill the trail. */
  private async tell(
    tx: EntityManager,
    reuse: Reuse,
    ended: readonly RevokedToken[],
  ): Promise<void> {
    if (ended.length === 0) return;
    const { ip, userId, ...entry } = reuse;
    const actor = { viewer: null, impersonator: null, ip };
    await this.audit.record(tx, actor, {
      ...entry,
      entity: { type: 'User', id: userId },
      details: { user_id: userId, revoked_ids: ended.map(({ id }) => id) },
    });
  }
}
