import type { Config } from '../../config/env.js';
import { SecretBox } from '../../core/settings/secret-box.js';

/** What forms show instead of a token that is set. */
export const TOKEN_MASK = '*****';

/** Encrypts the tokens of external trackers. */
export function trackerTokenBox({ secretKey }: Pick<Config, 'secretKey'>): SecretBox {
  return new SecretBox(secretKey, 'error trackers');
}

/** Whether a form sent back what it had shown: the token stays as it is. */
export function isMask(token: string): boolean {
  return /^\*+$/.test(token);
}
