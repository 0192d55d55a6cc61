import { INVALID, toText } from '../../core/params/coerce.js';
import { declare } from '../../core/params/params.decorator.js';

/** Tags and the values that are looked for. */
export type WantedTags = Record<string, string>;

interface Excluded {
  environment: string | null;
  release: string | null;
  tags: WantedTags | null;
}

/** Each is a condition of its own; more would only make a list slow. */
const MAX_TAGS = 20;

/** Tags and their wanted values: `tags[key]=value`. Absent stays absent. */
export function TagsParam(): PropertyDecorator {
  return declare({ kind: 'hash', of: 'text', asSent: true }, asSent(toTags), (tags) =>
    refusalOf(tags as WantedTags),
  );
}

/** Excluded values: `not[environment]=value`, `not[tags][key]=value`; `type` describes them. */
export function ExcludedParam(type: () => new () => object): PropertyDecorator {
  return declare({ kind: 'hash', type, asSent: true }, asSent(toExcluded), (excluded) => {
    const { environment, release, tags } = excluded as Excluded;
    const names = [environment, release].flatMap((name) => name ?? []);
    return isReadable(names) ? refusalOf(tags ?? {}) : 'is invalid';
  });
}

/** Otherwise keys such as `constructor` would not come through. */
function asSent(coerce: (raw: unknown) => unknown): (text: unknown) => unknown {
  return (text) => coerce(JSON.parse(text as string));
}

function toTags(raw: unknown): unknown {
  if (raw === null || raw === '') return null;
  if (!isHash(raw)) return INVALID;
  const entries = Object.entries(raw).map(([key, value]) => [key, toText(value)] as const);
  const isText = entries.every(([, value]) => typeof value === 'string');
  return isText ? Object.fromEntries(entries) : INVALID;
}

function toExcluded(raw: unknown): unknown {
  if (raw === null || raw === '') return null;
  if (!isHash(raw)) return INVALID;
  const excluded = {
    environment: toText(raw['environment'] ?? null),
    release: toText(raw['release'] ?? null),
    tags: toTags(raw['tags'] ?? null),
  };
  return Object.values(excluded).includes(INVALID) ? INVALID : excluded;
}

function refusalOf(tags: WantedTags): string | null {
  const entries = Object.entries(tags);
  if (!isReadable(entries.flat())) return 'is invalid';
  return entries.length > MAX_TAGS ? 'has a value not allowed' : null;
}

/** PostgreSQL has no text with NUL in it. */
function isReadable(texts: readonly string[]): boolean {
  return !texts.some((text) => text.includes('\0'));
}

function isHash(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
