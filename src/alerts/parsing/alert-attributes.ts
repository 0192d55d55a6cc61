import type { AlertSeverity } from '../alert-values.js';
import type {
  FieldMapping,
  JsonObject,
  MappableField,
  PayloadPath,
  ResolvedWhen,
} from './incoming-alert.js';

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

/** Maximum length of a time; all quantifiers below are bounded, and so is the duration. */
const LONGEST = 40;

/** RFC 3339 §5.6, with a blank for the T, seconds and zone optional, and zones without colon. */
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)? ?([Zz]|UTC|GMT|([+-])(\d\d)(?::?(\d\d))?(?: UTC)?)?$/;

const MS_PER_MINUTE = 60_000;
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Reads `2026-03-01T10:00:00.123456789+02:00`, `2026-03-01 10:00:00 UTC` and their like; UTC when
 * no offset is given. Null for anything else, and for times up to 1970 or beyond 9999: tools that
 * have no time send year 1 or the epoch instead.
 */
export function parseTime(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > LONGEST) return null;
  const parts = TIME.exec(value);
  if (parts === null) return null;
  const local = localMs(parts);
  const offset = offsetMinutes(parts);
  if (local === null || offset === null) return null;
  return dateWithin(local - offset * MS_PER_MINUTE);
}

/** An end time: as `parseTime`, or an integer of milliseconds since 1970. */
export function parseEndTime(value: unknown): Date | null {
  return Number.isInteger(value) ? dateWithin(value as number) : parseTime(value);
}

function dateWithin(ms: number): Date | null {
  return ms > 0 && ms <= LAST_MS ? new Date(ms) : null;
}

/** The instant as if the clock had shown UTC; null for a 30th of February or an hour 24. */
function localMs(parts: RegExpExecArray): number | null {
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const [hour, minute, second] = [Number(parts[4]), Number(parts[5]), Number(parts[6] ?? 0)];
  // Second 60 is a leap second (RFC 3339 §5.7), here the first of the next minute.
  if (hour > 23 || minute > 59 || second > 60) return null;
  // Date.UTC takes years below 100 for those of the last century.
  if (year < 1969) return null;
  const midnight = Date.UTC(year, month - 1, day);
  const date = new Date(midnight);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const ms = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return midnight + (hour * 60 + minute) * MS_PER_MINUTE + second * 1000 + ms;
}

function offsetMinutes(parts: RegExpExecArray): number | null {
  if (parts[9] === undefined) return 0;
  const [hours, minutes] = [Number(parts[10]), Number(parts[11] ?? 0)];
  if (hours > 23 || minutes > 59) return null;
  return (parts[9] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** Words of the plain format (API doc, Alert, plain HTTP endpoint). */
const PLAIN_WORDS: Partial<Record<AlertSeverity, string[]>> = {
  critical: ['critical'],
  high: ['high'],
  medium: ['medium'],
  low: ['low'],
  info: ['info'],
  unknown: ['unknown'],
};

/** Words of the label `severity` (API doc, Severity mapping). */
const PROMETHEUS_WORDS: Partial<Record<AlertSeverity, string[]>> = {
  critical: ['critical', 's1', 'p1', 'emergency', 'fatal'],
  high: ['high', 's2', 'p2', 'major', 'page'],
  medium: ['medium', 's3', 'p3', 'error', 'alert'],
  low: ['low', 's4', 'p4', 'warn', 'warning'],
  info: ['info', 's5', 'p5', 'debug', 'information', 'notice'],
};

const LONGEST_WORD = 'information'.length;

const PLAIN = byWord(PLAIN_WORDS);
const PROMETHEUS = byWord(PROMETHEUS_WORDS);

/** Severity of a plain payload, in any case of letters; critical when missing or not listed. */
export function plainSeverity(value: unknown): AlertSeverity {
  return lookUp(PLAIN, value);
}

/** Severity of a Prometheus payload's label; critical when missing or not listed. */
export function prometheusSeverity(value: unknown): AlertSeverity {
  return lookUp(PROMETHEUS, value);
}

function lookUp(table: ReadonlyMap<string, AlertSeverity>, value: unknown): AlertSeverity {
  if (typeof value !== 'string' || value.length > LONGEST_WORD) return 'critical';
  return table.get(value.toLowerCase()) ?? 'critical';
}

function byWord(words: Partial<Record<AlertSeverity, string[]>>): Map<string, AlertSeverity> {
  const severities = Object.keys(words) as AlertSeverity[];
  return new Map(
    severities.flatMap((severity) =>
      (words[severity] ?? []).map((word): [string, AlertSeverity] => [word, severity]),
    ),
  );
}

/** Value one step further; undefined also where a scalar is in the way. */
export function valueAfter(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    return typeof step === 'number' ? (value as unknown[])[step] : undefined;
  }
  // `constructor` and its like are inherited, not sent.
  const isMember = typeof step === 'string' && Object.hasOwn(value, step);
  return isMember ? (value as JsonObject)[step] : undefined;
}

/** Value at a path; undefined when any step of it is missing. The empty path leads nowhere. */
export function valueAt(payload: JsonObject, path: PayloadPath): unknown {
  if (path.length === 0) return undefined;
  let value: unknown = payload;
  for (const step of path) {
    value = valueAfter(value, step);
    if (value === undefined) return undefined;
  }
  return value;
}

/**
 * Value of a field: at the path that a mapping names, else (missing, null or false there) under
 * the key of the plain format, so that a mapping hides no plain key. Undefined when neither has.
 */
export function readField(
  payload: JsonObject,
  mappings: readonly FieldMapping[],
  field: MappableField,
): unknown {
  if (mappings.length > 0) {
    const mapping = mappings.find((candidate) => candidate.field === field);
    const value = mapping === undefined ? undefined : valueAt(payload, mapping.path);
    if (isGiven(value)) return value;
  }
  const value = payload[field];
  if (isGiven(value)) return value;
  return field === 'svc_environment_name' ? payload.gitlab_environment_name : undefined;
}

/** Returns true if the payload fulfills the recovery condition. */
export function saysResolved(payload: JsonObject, rule: ResolvedWhen | null): boolean {
  if (rule === null) return false;
  const value = valueAt(payload, rule.path);
  if (value === undefined || value === null || typeof value === 'object') return false;
  const word = String(value).toLowerCase();
  return rule.values.some((candidate) => candidate.toLowerCase() === word);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
