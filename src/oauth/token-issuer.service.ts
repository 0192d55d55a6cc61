import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../core/batch-loader.js';
import { Clock } from '../core/clock.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { CredentialCache } from '../identity/tokens/credential-cache.service.js';
import type { Client } from './oauth-applications.repository.js';
import { OAuthTokensRepository } from './oauth-tokens.repository.js';
import type {
  CodeExchange,
  CodeExchangeRequest,
  Refresh,
  RefreshRequest,
} from './sql/issue-tokens.js';
import { endsFrom, newTokenPair, type TokenPair } from './token-pair.js';
import type { IssuedToken } from './token-responses.service.js';

/** Whose token is to be made after a password was right. */
export interface UserTokenRequest {
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
  private readonly exchanges = new BatchLoader((requests: CodeExchangeRequest[]) =>
    this.exchangeAll(requests),
  );
  private readonly refreshes = new BatchLoader((requests: RefreshRequest[]) =>
    this.refreshAll(requests),
  );

  constructor(
    private readonly tokens: OAuthTokensRepository,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
    private readonly cache: CredentialCache,
  ) {}

  /**
   * Exchanges a code; `issued` is null unless every check passes, and the other fields show the
   * failure.
   */
  exchange(request: Omit<CodeExchangeRequest, 'pair'>): Promise<CodeExchange> {
    return this.exchanges.run({ ...request, pair: newTokenPair() });
  }

  /** Replaces a pair of tokens by a new one; as `exchange`. */
  refresh(request: Omit<RefreshRequest, 'pair'>): Promise<Refresh> {
    return this.refreshes.run({ ...request, pair: newTokenPair() });
  }

  /** A pair for a user; null when the password has been changed since, or the user stopped. */
  async mintForUser(request: UserTokenRequest): Promise<IssuedToken | null> {
    const { userId, passwordDigest, client, scopes } = request;
    const [now, pair] = [this.clock.now(), newTokenPair()];
    const ends = endsFrom(now);
    const token = { userId, passwordDigest, applicationId: client?.id ?? null, scopes, pair };
    const isAdded = await this.tokens.addForUser(token, { now, ends });
    return isAdded ? issuedOf(pair, scopes, { now, refreshExpires: ends.refresh }) : null;
  }

  /** Access token of an application without a user. */
  async mintForClient(client: Client, scopes: readonly string[]): Promise<IssuedToken> {
    const [now, pair] = [this.clock.now(), newTokenPair()];
    const token = { applicationId: client.id, scopes, pair };
    await this.tokens.addForClient(token, { now, ends: endsFrom(now) });
    return { ...issuedOf(pair, scopes, { now, refreshExpires: null }), refreshToken: null };
  }

  private async exchangeAll(requests: CodeExchangeRequest[]): Promise<CodeExchange[]> {
    const now = this.clock.now();
    const ends = endsFrom(now);
    const rows = await this.tokens.exchange(requests, this.mustBeConfirmed, { now, ends });
    return rows.map((row, index) => {
      const { pair } = requests[index] as CodeExchangeRequest;
      const times = { now, refreshExpires: ends.refresh };
      return { ...row, issued: row.isExchanged ? issuedOf(pair, row.scopes, times) : null };
    });
  }

  private async refreshAll(requests: RefreshRequest[]): Promise<Refresh[]> {
    const now = this.clock.now();
    const ends = endsFrom(now);
    const rows = await this.tokens.refresh(requests, this.mustBeConfirmed, { now, ends });
    return rows.map((row, index) => {
      const { pair } = requests[index] as RefreshRequest;
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
