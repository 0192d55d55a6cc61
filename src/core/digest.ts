import { createHash, randomBytes } from 'node:crypto';

/** SHA-256 of a credential: what the database keeps instead of the raw value. */
export function credentialDigest(raw: string): Buffer {
  return createHash('sha256').update(raw).digest();
}

/** `prefix` and 32 characters of 160 random bits, each in [0-9a-v]. */
export function generateCredential(prefix: string): string {
  const bits = BigInt(`0x${randomBytes(20).toString('hex')}`);
  return prefix + bits.toString(32).padStart(32, '0');
}
