import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a credential: what the database keeps instead of the raw value. */
export function credentialDigest(raw: string): Buffer {
  return hash('sha256', raw, 'buffer');
}

/** `prefix` and 32 characters of 160 random bits, each in [0-9a-v]. */
export function generateCredential(prefix: string): string {
  const bits = BigInt(`0x${randomBytes(20).toString('hex')}`);
  return prefix + bits.toString(32).padStart(32, '0');
}

/** Returns true if the `Authorization` header is the token as a Bearer token; takes constant time. */
export function isBearer(authorization: string | undefined, token: string): boolean {
  return timingSafeEqual(
    credentialDigest(authorization ?? ''),
    credentialDigest(`Bearer ${token}`),
  );
}

/** The pair of a Basic `Authorization` header (RFC 7617 §2). */
export interface BasicCredentials {
  user: string;
  password: string;
}

/** Reads the header; null when it is of another kind or its password is blank. */
export function basicCredentials(authorization: string): BasicCredentials | null {
  const [, encoded] = /^basic +([a-z0-9+/=]+) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon === -1 || colon === pair.length - 1) return null;
  return { user: pair.slice(0, colon), password: pair.slice(colon + 1) };
}
