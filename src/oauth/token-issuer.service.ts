import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { BatchLoader } from '../core/concurrency.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { TokenLookup } from '../identity/tokens/token-lookup.service.js';
import type { Client } from './oauth-applications.repository.js';
import { OAuthTokensRepository } from './oauth-tokens.repository.js';
import type {
  CodeExchange,
  CodeExchangeRequest,
  Refresh,
  RefreshRequest,
} from './sql/issue-tokens.js';
import {
  endsFrom,
  newTokenPair,
  type TokenPair,
  type IssuedToken,
  ACCESS_TOKEN_SECONDS,
} from './token-pair.js';
import { HttpResponse } from '../core/http/http-response.js';
import { IdTokens } from './openid/id-tokens.service.js';

/** The body of a successful POST /oauth/token (RFC 6749 §5.1). */
export interface OAuthTokenResponse {
  /** Opaque token: 64 hexadecimal digits. */
  access_token: string;
  /** @example "bearer" */
  token_type: 'bearer';
  /** Lifetime of the access token in seconds. @example 7200 */
  expires_in: number;
  /** Absent for client credentials. */
  refresh_token?: string;
  /** Scopes of the token, separated by spaces. @example "api" */
  scope: string;
  /** Unix time. @example 1767225600 */
  created_at: number;
  /** Idle lifetime of the refresh token in seconds. @example 7776000 */
  refresh_expires_in?: number;
  /** ID token of the user (OpenID Connect), if the scope has `openid`. */
  id_token?: string;
}

/** Tokens that a grant has issued to a user. */
interface UserToken {
  userId: number;
  issued: IssuedToken | null;
  /** Time of the sign-in; null without a browser session. */
  authTime: Date | null;
  /** Nonce of the authorization request; absent for refreshes. */
  nonce?: string | null;
}

/** Headers of JSON that must not be cached. */
export const NO_STORE = {
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'Content-Type': 'application/json; charset=utf-8',
} as const;

/** A request for tokens by a correct password. */
interface UserTokenRequest {
  userId: number;
  passwordDigest: string;
  client: Client | null;
  scopes: readonly string[];
}

/**
 * Issues tokens, each kind by one statement that checks the request, consumes its code or token and
 * inserts the new pair. Concurrent exchanges and refreshes share a statement and its commit.
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
    private readonly lookup: TokenLookup,
    private readonly idTokens: IdTokens,
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

  /** Issues a pair to a user; returns null when the password or the state has changed meanwhile. */
  async mintForUser(request: UserTokenRequest): Promise<IssuedToken | null> {
    const { userId, passwordDigest, client, scopes } = request;
    const [now, pair] = [this.clock.now(), newTokenPair()];
    const ends = endsFrom(now);
    const token = { userId, passwordDigest, applicationId: client?.id ?? null, scopes, pair };
    const isAdded = await this.tokens.addForUser(token, { now, ends });
    return isAdded ? issuedOf(pair, scopes, { now, refreshExpires: ends.refresh }) : null;
  }

  /** Issues an access token without a user to an application. */
  async mintForClient(client: Client, scopes: readonly string[]): Promise<IssuedToken> {
    const [now, pair] = [this.clock.now(), newTokenPair()];
    const token = { applicationId: client.id, scopes, pair };
    await this.tokens.addForClient(token, { now, ends: endsFrom(now) });
    return { ...issuedOf(pair, scopes, { now, refreshExpires: null }), refreshToken: null };
  }

  /** Returns the response with the tokens, and an id_token if the scope has `openid`. */
  async respond(
    { userId, issued, authTime, nonce = null }: UserToken,
    client: Client | null,
  ): Promise<HttpResponse<OAuthTokenResponse>> {
    if (issued === null) throw new Error('no token was issued');
    const { scopes } = issued;
    if (client === null || !scopes.includes('openid')) return tokenResponse(issued);
    const clientId = client.uid;
    const idToken = await this.idTokens.sign({ userId, clientId, scopes, nonce, authTime });
    return tokenResponse(issued, idToken);
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
      this.lookup.drop(row.digest);
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

/** Returns the response with the raw tokens. */
export function tokenResponse(
  issued: IssuedToken,
  idToken: string | null = null,
): HttpResponse<OAuthTokenResponse> {
  const { refreshToken, refreshExpiresAt, createdAt } = issued;
  const body: OAuthTokenResponse = {
    access_token: issued.accessToken,
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    ...(refreshToken !== null && { refresh_token: refreshToken }),
    scope: issued.scopes.join(' '),
    created_at: unixTime(createdAt),
    ...(refreshExpiresAt !== null && {
      refresh_expires_in: unixTime(refreshExpiresAt) - unixTime(createdAt),
    }),
    ...(idToken !== null && { id_token: idToken }),
  };
  return new HttpResponse(200, body, NO_STORE);
}

/** Returns the seconds since 1970. */
export function unixTime(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
