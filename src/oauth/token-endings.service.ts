import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../core/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { CredentialCache } from '../tokens/credential-cache.service.js';

/** A token of a chain of refreshes. */
export interface ChainedToken {
  id: number;
  userId: number | null;
  familyId: number;
}

interface Ended {
  id: number;
  digest: Buffer;
}

interface Reuse {
  action: 'oauth_refresh_token_reused' | 'oauth_code_reused';
  targetType: 'AccessToken' | 'OAuthAccessGrant';
  targetId: number;
  userId: number;
  ip: string | null;
}

const END_FAMILY_SQL = `
  UPDATE access_tokens SET revoked_at = $2, updated_at = $2
  WHERE (id = $1 OR family_id = $1) AND revoked_at IS NULL RETURNING id, digest`;

const END_GRANT_SQL = `
  UPDATE access_tokens SET revoked_at = $2, updated_at = $2
  WHERE grant_id = $1 AND revoked_at IS NULL RETURNING id, digest`;

/**
 * Makes whoever issues a token for the user wait until the transaction is over, and waits for who
 * is at it: what is ended next under this lock is everything.
 */
export async function lockTokenOwner(tx: EntityManager, userId: number | null): Promise<void> {
  if (userId === null) return;
  await tx.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
}

/** Ends chains of OAuth tokens: because their client asks for it, or because they were stolen. */
@Injectable()
export class TokenEndings {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly cache: CredentialCache,
    private readonly clock: Clock,
  ) {}

  /** Ends all living tokens of the chain and the job tokens that were made by them. */
  async endFamily({ familyId, userId }: Omit<ChainedToken, 'id'>): Promise<void> {
    await this.end(userId, (tx) => this.ended(tx, END_FAMILY_SQL, familyId));
  }

  /**
   * Somebody showed a refresh token that had been replaced before: two parties know it, so its
   * chain ends (RFC 9700 §4.14.2). Nothing is told where nothing was left to end.
   */
  async endReusedFamily(tokenId: number, reuse: Pick<Reuse, 'userId' | 'ip'>): Promise<void> {
    await this.end(reuse.userId, async (tx) => {
      const [row] = await tx.query<{ family: number }[]>(
        'SELECT coalesce(family_id, id) AS family FROM access_tokens WHERE id = $1',
        [tokenId],
      );
      const ended = row === undefined ? [] : await this.ended(tx, END_FAMILY_SQL, row.family);
      const about = { targetType: 'AccessToken', targetId: tokenId } as const;
      await this.tell(tx, { action: 'oauth_refresh_token_reused', ...about, ...reuse }, ended);
      return ended;
    });
  }

  /** Somebody showed a code that was used before: all tokens that come from it end (RFC 6749 §4.1.2). */
  async endReusedGrant(grantId: number, reuse: Pick<Reuse, 'userId' | 'ip'>): Promise<void> {
    await this.end(reuse.userId, async (tx) => {
      const ended = await this.ended(tx, END_GRANT_SQL, grantId);
      const about = { targetType: 'OAuthAccessGrant', targetId: grantId } as const;
      await this.tell(tx, { action: 'oauth_code_reused', ...about, ...reuse }, ended);
      return ended;
    });
  }

  private async end(
    userId: number | null,
    work: (tx: EntityManager) => Promise<Ended[]>,
  ): Promise<void> {
    const ended = await this.dataSource.transaction(async (tx) => {
      await lockTokenOwner(tx, userId);
      return work(tx);
    });
    for (const { digest } of ended) this.cache.drop(digest);
  }

  private async ended(tx: EntityManager, statement: string, id: number): Promise<Ended[]> {
    const [rows] = await tx.query<[Ended[], number]>(statement, [id, this.clock.now()]);
    return rows;
  }

  /** Without the condition anybody with an old token could fill the trail. */
  private async tell(tx: EntityManager, reuse: Reuse, ended: readonly Ended[]): Promise<void> {
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
