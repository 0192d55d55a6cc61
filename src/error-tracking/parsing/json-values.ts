/** JSON object of an SDK; SDKs differ in their structure, so every field must be checked. */
export type JsonObject = Record<string, unknown>;

/** Deeper values are not visited, to bound the call stack. */
export const MAX_DEPTH = 100;

/** PostgreSQL refuses both in text, and half a surrogate pair has no UTF-8. */
const UNSTORABLE = /[\u0000\p{Cs}]/u;
const ALL_UNSTORABLE = new RegExp(UNSTORABLE.source, 'gu');

/** The text with U+FFFD for each NUL and each half of a surrogate pair. */
function storableText(text: string): string {
  return UNSTORABLE.test(text) ? text.replace(ALL_UNSTORABLE, '\ufffd') : text;
}

/** The value when it is an object and no list, else null. */
export function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : null;
}

/** Parses a JSON object; returns null for any other value, and for invalid JSON. */
export function parsedObject(json: Buffer): JsonObject | null {
  try {
    return objectOf(JSON.parse(json.toString('utf8')));
  } catch {
    return null;
  }
}

/** A list, the list under `values` of an object, or the object alone; SDKs send all three. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  const object = objectOf(value);
  if (object === null) return [];
  return Array.isArray(object.values) ? (object.values as unknown[]) : [object];
}

/** Like `listOf`, without values that are not objects. */
export function objectsIn(value: unknown): JsonObject[] {
  return listOf(value)
    .map(objectOf)
    .filter((object) => object !== null);
}

/** Texts, numbers and booleans as a text that can be stored; null for anything else and for ''. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : storableText(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** A whole number, also one that is written as a text. */
export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : null;
}

/** true and false; null for anything else, `"true"` included. */
export function booleanOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** Returns the members of an object, or the pairs of a list of pairs; skips anything else. */
export function pairsOf(value: unknown): [string, unknown][] {
  const object = objectOf(value);
  if (object !== null) {
    return Object.entries(object).map(([name, member]) => [storableText(name), member]);
  }
  return Array.isArray(value) ? value.flatMap(pairOf) : [];
}

function pairOf(value: unknown): [string, unknown][] {
  if (!Array.isArray(value)) return [];
  const name = textOf(value[0]);
  return name === null ? [] : [[name, value[1]]];
}

/** Returns compact JSON of an object or a list; null for anything else and for deep nesting. */
export function compactJson(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  return isNestedDeeper(value, MAX_DEPTH) ? null : JSON.stringify(value);
}

/** Returns true if lists and objects are nested deeper than `levels`. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isNestedDeeper(member, levels - 1));
}

/** Returns at most `limit` elements: as many of the first as of the last ones. */
export function withoutMiddle<T>(list: T[], limit: number): T[] {
  if (list.length <= limit) return list;
  const half = Math.floor(limit / 2);
  return [...list.slice(0, half), ...list.slice(list.length - (limit - half))];
}

/** Returns the first characters, counted in UTF-16 units; never half of a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
