import type { Config } from '../../config/env.js';
import { SecretBox } from '../settings/secret-box.js';

/** Seals what waiting mails say: they may hold links that open an account. */
export function mailCipher(config: Pick<Config, 'secretKey'>): SecretBox {
  return new SecretBox(config.secretKey, 'outgoing mails');
}
