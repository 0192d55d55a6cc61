import type { Config } from '../../config/env.js';
import { SecretBox } from '../../core/settings/secret-box.js';

/** Placeholder of forms for a stored token. */
export const TOKEN_MASK = '*****';

/** Encrypts the tokens of external trackers. */
export function trackerTokenBox({ secretKey }: Pick<Config, 'secretKey'>): SecretBox {
  return new SecretBox(secretKey, 'error trackers');
}

/** Returns true for the placeholder, which keeps the stored token. */
export function isMask(token: string): boolean {
  return /^\*+$/.test(token);
}
