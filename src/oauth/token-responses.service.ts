import { Injectable } from '@nestjs/common';
import { HttpResponse } from '../core/http/http-response.js';
import type { Client } from './oauth-applications.repository.js';
import { IdTokens } from './openid/id-tokens.service.js';
import { ACCESS_TOKEN_SECONDS } from './token-pair.js';

/** A token that has just been issued: its raw values leave here once. */
export interface IssuedToken {
  accessToken: string;
  refreshToken: string | null;
  refreshExpiresAt: Date | null;
  scopes: readonly string[];
  createdAt: Date;
}

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

/** A token of a user, as its grant has it. */
interface UserToken {
  userId: number;
  issued: IssuedToken | null;
  /** Time of the sign-in; null without a browser session. */
  authTime: Date | null;
  /** Of the authorization request; absent at refreshes. */
  nonce?: string | null;
}

/** Headers of JSON that must not be cached. */
export const NEVER_KEPT = {
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'Content-Type': 'application/json; charset=utf-8',
} as const;

/** Writes the responses for tokens of users, with an id_token if the scope has `openid`. */
@Injectable()
export class TokenResponses {
  constructor(private readonly idTokens: IdTokens) {}

  /** Returns the response for a token that was issued; throws without one. */
  async forUser(
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
}

/** Returns the response with the raw tokens. */
export function tokenResponse(
  issued: IssuedToken,
  idToken: string | null = null,
): HttpResponse<OAuthTokenResponse> {
  return new HttpResponse(200, presentToken(issued, idToken), NEVER_KEPT);
}

function presentToken(issued: IssuedToken, idToken: string | null): OAuthTokenResponse {
  const { refreshToken, refreshExpiresAt, createdAt } = issued;
  return {
    access_token: issued.accessToken,
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    ...(refreshToken !== null && { refresh_token: refreshToken }),
    scope: issued.scopes.join(' '),
    created_at: seconds(createdAt),
    ...(refreshExpiresAt !== null && {
      refresh_expires_in: seconds(refreshExpiresAt) - seconds(createdAt),
    }),
    ...(idToken !== null && { id_token: idToken }),
  };
}

/** Unix time. */
export function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
