import { createHash } from 'node:crypto';

/** Returns true if the text has the format of a verifier (RFC 7636 §4.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9\-._~]{43,128}$/.test(text);
}

/** The challenge of method S256 that belongs to the verifier (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
