import { isIP } from 'node:net';
import { type JsonObject, objectOf } from '../json-values.js';
import { FILTERED } from './card-numbers.js';
import { mapElements, mapMembers } from './scrub-data.js';

/** Characters of which addresses are made, in a row; `Chrome/120.0.0.0` is a version. */
const WORDS = /(?<![\w.:%]|(?<!\/)\/)[\w.:%]+/g;

/** The event without addresses of the user's machine; the same object when it has none. */
export function scrubAddresses(event: JsonObject): JsonObject {
  return mapMembers(event, (name, value) => {
    if (name === 'user') return withoutMembers(value, ['ip_address']);
    if (name === 'sdk') return withoutMembers(value, ['client_ip']);
    return name === 'request' ? scrubRequestAddresses(value) : value;
  });
}

function withoutMembers(value: unknown, names: readonly string[]): unknown {
  const object = objectOf(value);
  if (object === null) return value;
  return mapMembers(object, (name, member) => (names.includes(name) ? null : member));
}

function scrubRequestAddresses(value: unknown): unknown {
  const request = objectOf(value);
  if (request === null) return value;
  return mapMembers(request, (name, part) =>
    name === 'headers' || name === 'env' ? withoutAddresses(part, 0) : part,
  );
}

function withoutAddresses(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.replace(WORDS, withoutAddress);
  // Headers are pairs in a list at most; a value can be a list itself.
  if (typeof value !== 'object' || value === null || depth > 3) return value;
  if (Array.isArray(value)) return mapElements(value, (one) => withoutAddresses(one, depth + 1));
  return mapMembers(value, (_, one) => withoutAddresses(one, depth + 1));
}

function withoutAddress(word: string): string {
  const [, address = word] = /^([\d.]+):\d+$/.exec(word) ?? [];
  return isIP(address) === 0 ? word : FILTERED;
}
