import { randomBytes } from 'node:crypto';
import type { Config } from '../config/env.js';
import { TextCipher } from '../core/text-cipher.js';

const KEY_BYTES = 16;
const IDENTIFIER_BYTES = 8;

/** Encrypts the keys of integrations: maintainers can read them, so they cannot be digests. */
export function integrationCipher({ secretKey }: Pick<Config, 'secretKey'>): TextCipher {
  return new TextCipher(secretKey, 'alert integrations');
}

/** A new key: 32 lowercase hex. */
export function newIntegrationKey(): string {
  return randomBytes(KEY_BYTES).toString('hex');
}

/** Returns a new integration identifier: 16 lowercase hex digits. */
export function newIntegrationIdentifier(): string {
  return randomBytes(IDENTIFIER_BYTES).toString('hex');
}
