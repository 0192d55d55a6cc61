import { Injectable } from '@nestjs/common';
import { Batches } from '../core/batches.js';
import { Clock } from '../core/clock.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { Sql } from '../core/sql/sql.service.js';
import { CredentialCache } from '../tokens/credential-cache.service.js';
import type { Client } from './application-lookup.service.js';
import {
  exchangeColumns,
  refreshColumns,
  type CodeExchange,
  type CodeWish,
  type Refresh,
  type RefreshWish,
} from './token-exchanges.js';
import { endsFrom, newTokenPair, type TokenPair } from './token-pair.js';
import type { IssuedToken } from './token-response.js';
import {
  EXCHANGE_SQL,
  MINT_FOR_CLIENT_SQL,
  MINT_FOR_USER_SQL,
  REFRESH_SQL,
} from './token-statements.js';

/** Whose token is to be made after a password was right. */
export interface UserTokenWish {
  userId: number;
  passwordDigest: string;
  client: Client | null;
  scopes: readonly string[];
}

/**
 * Issues tokens, each kind by one statement that judges, uses up what it is given and inserts.
 * Exchanges and refreshes that come at the same time share a statement, and so the price of its
 * commit.
 */
@Injectable()
export class TokenIssuer {
  private readonly exchanges = new Batches((wishes: CodeWish[]) => this.exchangeAll(wishes));
  private readonly refreshes = new Batches((wishes: RefreshWish[]) => this.refreshAll(wishes));

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
    private readonly cache: CredentialCache,
  ) {}

  /** Exchanges a code; `issued` is null unless everything fits, and the rest tells what does not. */
  exchange(wish: Omit<CodeWish, 'pair'>): Promise<CodeExchange> {
    return this.exchanges.run({ ...wish, pair: newTokenPair() });
  }

  /** Replaces a pair of tokens by a new one; as `exchange`. */
  refresh(wish: Omit<RefreshWish, 'pair'>): Promise<Refresh> {
    return this.refreshes.run({ ...wish, pair: newTokenPair() });
  }

  /** A pair for a user; null when the password has been changed since, or the user stopped. */
  async mintForUser(wish: UserTokenWish): Promise<IssuedToken | null> {
    const [now, pair] = [this.clock.now(), newTokenPair()];
    const ends = endsFrom(now);
    const row = await this.sql.row(MINT_FOR_USER_SQL, [
      now,
      wish.passwordDigest,
      pair.digest,
      pair.refreshDigest,
      pair.lastFour,
      wish.userId,
      wish.client?.id ?? null,
      wish.scopes,
      ends.access,
      ends.refresh,
      ends.chain,
    ]);
    return row === null ? null : issuedOf(pair, wish.scopes, { now, refreshExpires: ends.refresh });
  }

  /** An access token of an application by itself. */
  async mintForClient(client: Client, scopes: readonly string[]): Promise<IssuedToken> {
    const [now, pair] = [this.clock.now(), newTokenPair()];
    const { access } = endsFrom(now);
    const values = [now, pair.digest, pair.lastFour, client.id, scopes, access];
    await this.sql.rows(MINT_FOR_CLIENT_SQL, values);
    return { ...issuedOf(pair, scopes, { now, refreshExpires: null }), refreshToken: null };
  }

  private async exchangeAll(wishes: CodeWish[]): Promise<CodeExchange[]> {
    const now = this.clock.now();
    const { access, refresh, chain } = endsFrom(now);
    const rows = await this.sql.rows<Omit<CodeExchange, 'issued'> & { isExchanged: boolean }>(
      EXCHANGE_SQL,
      [now, this.mustBeConfirmed, access, refresh, chain, ...exchangeColumns(wishes)],
    );
    return rows.map((row, index) => {
      const { pair } = wishes[index] as CodeWish;
      const times = { now, refreshExpires: refresh };
      return { ...row, issued: row.isExchanged ? issuedOf(pair, row.scopes, times) : null };
    });
  }

  private async refreshAll(wishes: RefreshWish[]): Promise<Refresh[]> {
    const now = this.clock.now();
    const { access, refresh } = endsFrom(now);
    const rows = await this.sql.rows<
      Omit<Refresh, 'issued'> & { isRotated: boolean; digest: Buffer; refreshExpiresAt: Date }
    >(REFRESH_SQL, [now, this.mustBeConfirmed, access, refresh, ...refreshColumns(wishes)]);
    return rows.map((row, index) => {
      const { pair } = wishes[index] as RefreshWish;
      if (!row.isRotated) return { ...row, issued: null };
      this.cache.drop(row.digest);
      const times = { now, refreshExpires: row.refreshExpiresAt };
      return { ...row, issued: issuedOf(pair, row.scopes, times) };
    });
  }

  private get mustBeConfirmed(): boolean {
    return this.settings.values.email_confirmation_setting === 'hard';
  }
}

function issuedOf(
  pair: TokenPair,
  scopes: readonly string[],
  { now, refreshExpires }: { now: Date; refreshExpires: Date | null },
): IssuedToken {
  return {
    accessToken: pair.access,
    refreshToken: pair.refresh,
    refreshExpiresAt: refreshExpires,
    scopes,
    createdAt: now,
  };
}
