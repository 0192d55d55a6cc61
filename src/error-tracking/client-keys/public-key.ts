import { randomBytes } from 'node:crypto';

const KEY_BYTES = 16;

/** A new public key: `glet_` and 32 lowercase hex. SDKs take no other characters than of words. */
export function newPublicKey(): string {
  return `glet_${randomBytes(KEY_BYTES).toString('hex')}`;
}

/** Returns true if the text has the format of a key; other texts are not looked up. */
export function looksLikeKey(text: string): boolean {
  return /^\w{1,64}$/.test(text);
}
