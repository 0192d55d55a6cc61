import { isIP } from 'node:net';
import { MAX_DEPTH, type JsonObject, objectOf } from '../json-values.js';
import { memoize } from '../memoize.js';
import { FILTERED } from './card-numbers.js';
import type { ScrubRules } from './scrub-rules.js';
import { scrubText, withoutMarkedSecrets } from './scrub-text.js';

/** A whole number that can be the number of a card. */
const LEAST_CARD = 1e12;
/** A longer text is not the name of the next element of a list. */
const LONGEST_NAME = 64;
/** Cookies outside of a request's own: `HTTP_COOKIE` of a server, headers in a breadcrumb. */
const isCookies = memoize((name) => /(?:^|[._-])cookies?$/i.test(name));
/** Names such as `trace_id`, `orderId` and `sha256`, whose values can resemble card numbers. */
const isIdName = memoize((name) =>
  /(?:^|[._-])(?:id|uuid|guid|sha\d*|hash|digest|checksum|commit|revision)$|[a-z](?:Id|ID|Uuid|UUID|Hash)$/.test(
    name,
  ),
);
const ID = /^[\w-]{1,64}$/;
/** Returns true for names that can contain more than a name. */
const isSuspicious = memoize((name) => /[=:/ ]|\d{4}/.test(name));

/**
 * Data of a program without what looks secret: a value goes as a whole when its name or the value
 * itself holds a secret word. The same value when there is nothing to remove; what is nested too
 * deep goes.
 */
export function scrubData(value: unknown, rules: ScrubRules, depth = 0): unknown {
  if (typeof value === 'string') return scrubValue(value, rules);
  if (typeof value === 'number') return scrubNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return FILTERED;
  if (Array.isArray(value)) return scrubList(value, rules, depth);
  return scrubObject(value, rules, depth);
}

/** A named value; its name decides first. */
export function scrubNamed([name, value]: [string, unknown], rules: ScrubRules): unknown {
  return namedValue(name, value, { rules, depth: 0 });
}

/** Returns the replacement for a secret value, which keeps only whether there was one. */
export function filtered(value: unknown): unknown {
  return value === null || typeof value === 'boolean' || value === '' ? value : FILTERED;
}

/** An object of which each member is replaced, and what is secret by what stands beside it. */
export function scrubMembers<T extends object>(
  object: T,
  rules: ScrubRules,
  replace: (name: string, value: unknown) => unknown,
): T {
  const scrubbed = mapMembers(object, replace);
  return withoutSecretNames(withoutNamedValue(scrubbed, object, rules), rules) as T;
}

/** The object with its members replaced; the same one when all of them stay as they are. */
function mapMembers<T extends object>(
  object: T,
  replace: (name: string, value: unknown) => unknown,
): T {
  let copy: Record<string, unknown> | null = null;
  for (const name of Object.keys(object)) {
    const value: unknown = object[name as keyof T];
    const replaced = replace(name, value);
    if (replaced === value) continue;
    copy ??= { ...object } as Record<string, unknown>;
    copy[name] = replaced;
  }
  return (copy as T | null) ?? object;
}

/** The list with its elements replaced; the same one when all of them stay as they are. */
export function mapElements<T>(list: T[], replace: (value: T, at: number) => unknown): unknown[] {
  let copy: unknown[] | null = null;
  for (let at = 0; at < list.length; at++) {
    const replaced = replace(list[at] as T, at);
    if (replaced === list[at]) continue;
    copy ??= [...list];
    copy[at] = replaced;
  }
  return copy ?? list;
}

interface ScrubContext {
  rules: ScrubRules;
  depth: number;
}

function namedValue(name: string, value: unknown, { rules, depth }: ScrubContext): unknown {
  if (rules.isSecretName(name)) return filtered(value);
  if (rules.isSafeName(name) || isId(name, value, rules)) return value;
  return isCookies(name) ? filtered(value) : scrubData(value, rules, depth);
}

function isId(name: string, value: unknown, rules: ScrubRules): boolean {
  if (!isIdName(name)) return false;
  if (typeof value === 'number') return true;
  return typeof value === 'string' && ID.test(value) && !rules.words.test(value);
}

function scrubValue(text: string, rules: ScrubRules): string {
  if (!rules.signs.test(text)) return text;
  return rules.words.test(text) ? FILTERED : withoutMarkedSecrets(text);
}

function scrubNumber(value: number): unknown {
  if (value < LEAST_CARD) return value;
  const text = String(value);
  return withoutMarkedSecrets(text) === text ? value : FILTERED;
}

/** Removes the value that follows the name of a secret: `["--password", "x"]`. */
function scrubList(list: unknown[], rules: ScrubRules, depth: number): unknown[] {
  const isPair = list.length === 2;
  return mapElements(list, (value, at) => {
    if (isName(list[at - 1], rules)) return filtered(value);
    if (isPair && at === 0 && isName(value, rules)) return value;
    return scrubData(value, rules, depth + 1);
  });
}

function isName(value: unknown, rules: ScrubRules): boolean {
  return (
    typeof value === 'string' &&
    value.length <= LONGEST_NAME &&
    !/[\s=:]/.test(value) &&
    rules.isSecretName(value)
  );
}

function scrubObject(object: object, rules: ScrubRules, depth: number): object {
  const context = { rules, depth: depth + 1 };
  return scrubMembers(object, rules, (name, value) => namedValue(name, value, context));
}

/** `{"name": "password", "value": "x"}` is a pair, too. */
function withoutNamedValue(scrubbed: object, object: object, rules: ScrubRules): object {
  if (!('value' in scrubbed)) return scrubbed;
  const { name, key } = object as { name?: unknown; key?: unknown };
  if (!isName(name, rules) && !isName(key, rules)) return scrubbed;
  return { ...scrubbed, value: filtered(scrubbed.value) };
}

/** A name can hold a secret like any text: `{"password=x": 1}`. */
function withoutSecretNames(object: object, rules: ScrubRules): object {
  const scrubName = (name: string): string => (isSuspicious(name) ? scrubText(name, rules) : name);
  if (Object.keys(object).every((name) => scrubName(name) === name)) return object;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [scrubName(name), value]),
  );
}

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
