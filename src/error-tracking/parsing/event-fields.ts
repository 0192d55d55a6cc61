import { type JsonObject, objectOf, objectsIn, pairsOf, textOf } from './json-values.js';

/** More of them are left out: an event of 1 MiB could hold 100,000. */
export const FIELD_LIMITS = { breadcrumbs: 200, tags: 200 } as const;

/** Log message of an event. */
interface MessageFields {
  /** With the values in it. */
  text: string;
  /** Message before formatting; null if the SDK does not report it. */
  template: string | null;
}

/** User affected by an event. */
interface UserFields {
  id: string | null;
  username: string | null;
  email: string | null;
  /** As sent: can be `{{auto}}`. */
  ipAddress: string | null;
  other: [string, unknown][];
}

/** The HTTP request during which it happened, as sent. */
interface RequestFields {
  method: string | null;
  url: string | null;
  /** A text, a map or a list of pairs. */
  query: unknown;
  cookies: unknown;
  headers: [string, unknown][];
  data: unknown;
  env: [string, unknown][];
}

/** Breadcrumb of an event. */
interface BreadcrumbFields {
  /** Seconds since 1970 or a text, as sent. */
  timestamp: unknown;
  type: string | null;
  category: string | null;
  level: string | null;
  message: string | null;
  data: [string, unknown][];
}

/** The message: `logentry` before `message`, each a text or `{message, formatted, params}`. */
export function messageOf(event: JsonObject): MessageFields | null {
  return messageIn(event.logentry) ?? messageIn(event.message);
}

function messageIn(value: unknown): MessageFields | null {
  const object = objectOf(value);
  if (object === null) {
    const text = textOf(value);
    return text === null || text.trim() === '' ? null : { text, template: null };
  }
  const template = textOf(object.message);
  const params = isEmpty(object.params) ? null : object.params;
  const formatted =
    template === null || params === null ? template : formatMessage(template, params);
  const text = textOf(object.formatted) ?? formatted;
  if (text === null) return null;
  return { text, template: template === text && params === null ? null : template };
}

/** Python's `logging` sends an empty list with a message that is already formatted. */
function isEmpty(params: unknown): boolean {
  if (params === undefined || params === null) return true;
  return typeof params === 'object' && Object.keys(params).length === 0;
}

/** Tags that the program set, values as texts; those without a value are left out. */
export function tagsOf(event: JsonObject): [string, string][] {
  const sent = Array.isArray(event.tags) ? event.tags.slice(0, FIELD_LIMITS.tags) : event.tags;
  return pairsOf(sent)
    .slice(0, FIELD_LIMITS.tags)
    .flatMap(([key, value]): [string, string][] => {
      const text = textOf(value);
      return key === '' || text === null ? [] : [[key, text]];
    });
}

const USER_FIELDS: ReadonlySet<string> = new Set(['id', 'username', 'email', 'ip_address']);

/** Returns the affected user; null if the event has none. */
export function userOf(event: JsonObject): UserFields | null {
  const user = objectOf(event.user);
  if (user === null) return null;
  return {
    id: textOf(user.id),
    username: textOf(user.username),
    email: textOf(user.email),
    ipAddress: textOf(user.ip_address),
    other: pairsOf(user).filter(([name]) => !USER_FIELDS.has(name)),
  };
}

/** The HTTP request during which it happened; null when there was none. */
export function requestOf(event: JsonObject): RequestFields | null {
  const request = objectOf(event.request);
  if (request === null) return null;
  return {
    method: textOf(request.method),
    url: textOf(request.url),
    query: request.query_string,
    cookies: request.cookies,
    headers: pairsOf(request.headers),
    data: request.data,
    env: pairsOf(request.env),
  };
}

/** Returns the breadcrumbs, the newest last. */
export function breadcrumbsOf(event: JsonObject): BreadcrumbFields[] {
  const sent = objectsIn(event.breadcrumbs);
  return sent.slice(-FIELD_LIMITS.breadcrumbs).map((crumb) => ({
    timestamp: crumb.timestamp,
    type: textOf(crumb.type),
    category: textOf(crumb.category),
    level: textOf(crumb.level),
    message: textOf(crumb.message),
    data: pairsOf(crumb.data),
  }));
}

/** Returns the contexts by name: `os`, `runtime`, `browser`, … */
export function contextsOf(event: JsonObject): [string, JsonObject][] {
  return pairsOf(objectOf(event.contexts)).flatMap(([name, value]): [string, JsonObject][] => {
    const context = objectOf(value);
    return context === null ? [] : [[name, context]];
  });
}

/** Placeholders of Python, C and PHP: `%s`, `%(name)5.2f`, `%%`. */
const PERCENT = /%(?:\((\w+)\))?[-+ #\d]*(?:\.(\d+))?([sdifFgGeExXorcau%])/g;
/** Placeholders of `str.format`: `{}`, `{0}`, `{name}`, `{0:>8}`. */
const BRACES = /\{(\w*)(?:[:,!][^{}]*)?\}/g;
const MAX_LENGTH = 8_192;

/**
 * Formats a message template as Python's `logging` does, without widths; placeholders without a
 * value are kept.
 */
export function formatMessage(template: string, params: unknown): string {
  const next = valuesOf(params);
  const text = template.includes('%')
    ? template.replace(PERCENT, (match, ...found: (string | undefined)[]) => {
        const [name, digits, kind] = found;
        return kind === '%' ? '%' : written(next(name), { digits, kind: kind ?? 's' }, match);
      })
    : template.replace(BRACES, (match, name: string) => shown(next(name)) ?? match);
  return text.slice(0, MAX_LENGTH);
}

/**
 * Returns a lookup by name or index, else of the next value; a single parameter counts as a list of
 * one.
 */
function valuesOf(params: unknown): (name?: string) => unknown {
  const list: unknown[] = Array.isArray(params) ? params : [params];
  // Python's `logging` resolves names only in a single object argument.
  const [only] = list;
  const named = list.length === 1 ? objectOf(only) : null;
  let position = 0;
  return (name) => {
    if (name === undefined || name === '') return list[position++];
    if (/^\d+$/.test(name)) return list[Number(name)];
    return named !== null && Object.hasOwn(named, name) ? named[name] : undefined;
  };
}

interface Conversion {
  digits: string | undefined;
  kind: string;
}

function written(value: unknown, { digits, kind }: Conversion, match: string): string {
  if (typeof value === 'number') {
    if (/[fF]/.test(kind)) return value.toFixed(Math.min(Number(digits ?? 6), 20));
    if (/[di]/.test(kind)) return String(Math.trunc(value));
    if (/[xX]/.test(kind)) return Math.trunc(value).toString(16);
  }
  return shown(value) ?? match;
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value === '' ? '' : (textOf(value) ?? 'None');
}
