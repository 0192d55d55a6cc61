/** Longest texts of an alert, in characters (not UTF-16 units). */
export const TEXT_LIMITS = {
  title: 200,
  description: 1000,
  name: 100,
  environment: 255,
  /** Lists of alerts bring these along; the payload has them whole. */
  runbook: 4_096,
  query: 4_096,
} as const;

const MARK = '...';
const LAST_BASIC_CHARACTER = 0xffff;

/** Returns true for a text of white space only. */
export function isBlankText(text: string): boolean {
  return !/\S/.test(text);
}

/**
 * A value as text: scalars as JSON spells them, objects and lists as compact JSON. Null when
 * missing or blank; `false` counts as missing, as it does in every lookup.
 */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return isBlankText(value) ? null : value;
  if (value === undefined || value === null || value === false) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The text within `limit` characters; a longer one ends in `...`, which counts. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit || firstCharacters(text, limit).length === text.length) return text;
  return firstCharacters(text, limit - MARK.length) + MARK;
}

/** Like `cutText`, for a text that can be missing. */
export function cutTextOf(value: unknown, limit: number): string | null {
  const text = textOf(value);
  return text === null ? null : cutText(text, limit);
}

/** The name of an environment, or null for what cannot be one because it is too long. */
export function environmentName(value: unknown): string | null {
  const name = textOf(value);
  return name === null || characterCount(name) > TEXT_LIMITS.environment ? null : name;
}

/** The first characters; never half of a surrogate pair, which PostgreSQL would refuse. */
export function firstCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (let count = 0; count < limit && end < text.length; count++) end += unitsAt(text, end);
  return text.slice(0, end);
}

/** Length in characters. */
export function characterCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += unitsAt(text, at)) count += 1;
  return count;
}

function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > LAST_BASIC_CHARACTER ? 2 : 1;
}
