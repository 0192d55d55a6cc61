import { Answer } from '../core/http/answer.js';
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
export interface PresentedOAuthToken {
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

/** Headers of JSON that must not be cached. */
export const NEVER_KEPT = {
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'Content-Type': 'application/json; charset=utf-8',
} as const;

/** The answer that hands the tokens out. */
export function tokenAnswer(
  issued: IssuedToken,
  idToken: string | null = null,
): Answer<PresentedOAuthToken> {
  return new Answer(200, presentToken(issued, idToken), NEVER_KEPT);
}

function presentToken(issued: IssuedToken, idToken: string | null): PresentedOAuthToken {
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
