import { randomBytes } from 'node:crypto';
import { credentialDigest } from '../core/secrets.js';

const MS = 1_000;
const DAY_MS = 86_400 * MS;

/** Lifetime of an access token; the value of `expires_in`. */
export const ACCESS_TOKEN_SECONDS = 7_200;

/** Idle lifetime of a refresh token; its absolute lifetime is a year. */
const REFRESH_IDLE_DAYS = 90;
const CHAIN_DAYS = 365;

/** New raw tokens with their stored digests. */
export interface TokenPair {
  access: string;
  refresh: string;
  digest: Buffer;
  refreshDigest: Buffer;
  lastFour: string;
}

/** Returns two tokens of 256 random bits, as 64 hexadecimal digits each. */
export function newTokenPair(): TokenPair {
  const text = randomBytes(64).toString('hex');
  const [access, refresh] = [text.slice(0, 64), text.slice(64)];
  return {
    access,
    refresh,
    digest: credentialDigest(access),
    refreshDigest: credentialDigest(refresh),
    lastFour: access.slice(-4),
  };
}

/** Tokens that have just been issued, with their raw values. */
export interface IssuedToken {
  accessToken: string;
  refreshToken: string | null;
  refreshExpiresAt: Date | null;
  scopes: readonly string[];
  createdAt: Date;
}

/** Expiry times of tokens. */
export interface Ends {
  access: Date;
  /** Expiry of the refresh token, unless it is used before. */
  refresh: Date;
  /** Expiry of the whole chain of refreshes. */
  chain: Date;
}

/** Returns the expiry times of tokens that are issued at `now`. */
export function endsFrom(now: Date): Ends {
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  return {
    access: after(ACCESS_TOKEN_SECONDS * MS),
    refresh: after(REFRESH_IDLE_DAYS * DAY_MS),
    chain: after(CHAIN_DAYS * DAY_MS),
  };
}
