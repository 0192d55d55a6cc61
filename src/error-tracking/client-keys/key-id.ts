import { INVALID, toInteger } from '../../core/params/coerce.js';

/** No row has it. */
const NO_KEY = -1;

/**
 * The id of a key as it was sent; what is no number is an id that no key has. Answers null for
 * the empty text, as every integer parameter.
 */
export function toKeyId(value: unknown): unknown {
  const id = toInteger(value);
  return id === INVALID ? NO_KEY : id;
}
