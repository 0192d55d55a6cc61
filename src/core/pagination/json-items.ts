import { hash } from 'node:crypto';
import { JsonText } from '../http/http-response.js';

/** An item of a list as JSON: an object in two parts, the second of which follows the first. */
export interface JsonItem<Item> {
  /** Exists in types only. */
  readonly item?: Item;
  /** The object without its closing brace. */
  kept: { bytes: Buffer; digest: string };
  /** Its remaining members, with the closing brace. */
  fresh: string;
}

const OPENING = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']');

/** Returns the list of the items. */
export function jsonList<Item>(items: readonly JsonItem<Item>[]): JsonText<Item[]> {
  const parts: Buffer[] = [OPENING];
  let tag = '';
  for (const { kept, fresh } of items) {
    if (parts.length > 1) parts.push(COMMA);
    parts.push(kept.bytes, Buffer.from(fresh));
    tag += `${kept.digest}${fresh}`;
  }
  parts.push(CLOSING);
  return new JsonText(Buffer.concat(parts), digestOf(tag));
}

/** Returns a body of other items in the same form. */
export function toJsonText<Body>(body: Body): JsonText<Body> {
  const text = JSON.stringify(body);
  return new JsonText(Buffer.from(text), digestOf(text));
}

/** Returns the first part of an item. */
export function keepable(object: object): JsonItem<never>['kept'] {
  const text = JSON.stringify(object);
  // A slice of the pool of Buffer would keep all of the pool.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text) - 1);
  bytes.write(text.slice(0, -1));
  return { bytes, digest: digestOf(text) };
}

/** Returns the second part of an item whose first part is not empty. */
export function freshPart(object: object): string {
  const text = JSON.stringify(object);
  return text === '{}' ? '}' : `,${text.slice(1)}`;
}

function digestOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}
