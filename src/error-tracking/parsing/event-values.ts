import { randomUUID } from 'node:crypto';
import type { ErrorLevel } from '../error-values.js';
import { cutText, type JsonObject, textOf } from './json-values.js';
import type { ExceptionFields } from './trace-fields.js';

const NO_ID = '0'.repeat(32);
const LONGEST_NAME = 200;
const LONGEST_RELEASE = 250;

/** Platforms that SDKs name; any other is `other`. */
const PLATFORMS: ReadonlySet<string> = new Set(
  (
    'as3 c cfml cocoa csharp elixir haskell go groovy java javascript native node objc other perl ' +
    'php python ruby'
  ).split(' '),
);

/** Levels by the names that libraries for logging give them. */
const LEVELS: ReadonlyMap<string, ErrorLevel> = new Map([
  ['fatal', 'fatal'],
  ['critical', 'fatal'],
  ['emergency', 'fatal'],
  ['alert', 'fatal'],
  ['error', 'error'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['info', 'info'],
  ['log', 'info'],
  ['notice', 'info'],
  ['debug', 'debug'],
  ['trace', 'debug'],
]);

/** The first of the ids that is one, as 32 lowercase hex; a new one when none is. */
export function eventIdOf(...candidates: unknown[]): string {
  const given = candidates.map(uuidOf).find((id) => id !== null);
  return given ?? randomUUID().replaceAll('-', '');
}

/** An id with dashes or without, in any case, as 32 lowercase hex; null for zeros and all else. */
export function uuidOf(value: unknown): string | null {
  const id = typeof value === 'string' ? value.trim().replaceAll('-', '') : '';
  return /^[\da-f]{32}$/i.test(id) && id !== NO_ID ? id.toLowerCase() : null;
}

/** Returns the level of the event; `error` if it is missing or unknown. */
export function levelOf(event: JsonObject): ErrorLevel {
  const name = textOf(event.level)?.trim().toLowerCase();
  return LEVELS.get(name ?? '') ?? 'error';
}

/** Returns the platform, by its name in SDKs; `other` for anything else. */
export function platformOf(event: JsonObject): string {
  const name = textOf(event.platform)?.trim().toLowerCase() ?? '';
  return PLATFORMS.has(name) ? name : 'other';
}

/** A name in one line and up to 200 characters; null when it is missing or blank. */
export function nameOf(value: unknown): string | null {
  const name = cutText(textOf(value) ?? '', 2 * LONGEST_NAME)
    .replace(/\s+/g, ' ')
    .trim();
  return name === '' ? null : cutText(name, LONGEST_NAME);
}

/** Returns the environment of the program; `production` by default. */
export function environmentOf(event: JsonObject): string {
  return nameOf(event.environment) ?? 'production';
}

/** The release up to 250 characters; null when it is missing, blank or several lines long. */
export function releaseOf(event: JsonObject): string | null {
  const release = textOf(event.release)?.trim() ?? '';
  return release === '' || /[\r\n]/.test(release) ? null : cutText(release, LONGEST_RELEASE);
}

/** Returns true if an exception ended the program or reached its last handler. */
export function isUnhandled(exceptions: ExceptionFields[]): boolean {
  return exceptions.some(({ mechanism }) => mechanism?.isHandled === false);
}

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A clock that is wrong by less is right enough. */
const TOLERATED_DRIFT = 5 * MINUTE;
const TOLERATED_FUTURE = MINUTE;
const OLDEST = 30 * DAY;

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|z|UTC|[+-]\d\d:?\d\d)?$/;

/**
 * An instant as SDKs write it: seconds since 1970 as a number or a text, or RFC 3339, which is UTC
 * when it names no zone. Null for anything else.
 */
export function instantOf(value: unknown): Date | null {
  if (typeof value === 'number') return validDate(value * 1_000);
  if (typeof value !== 'string' || value.length > 64) return null;
  const text = value.trim();
  if (/^\d{1,15}(?:\.\d+)?$/.test(text)) return validDate(Number(text) * 1_000);
  const [, day, time, zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (day === undefined || time === undefined) return null;
  const offset = /^[+-]/.test(zone) ? zone : 'Z';
  return validDate(Date.parse(`${day}T${time}${offset}`));
}

/**
 * When the event happened: the program's clock put right by when it sent the event, and the time
 * of arrival for what lies in the future, more than 30 days back, or is no time at all.
 */
export function occurrenceOf(
  timestamp: unknown,
  { sentAt, receivedAt }: { sentAt: Date | null; receivedAt: Date },
): Date {
  const claimed = instantOf(timestamp);
  if (claimed === null) return receivedAt;
  const drift = sentAt === null ? 0 : receivedAt.getTime() - sentAt.getTime();
  const corrected = claimed.getTime() + (Math.abs(drift) > TOLERATED_DRIFT ? drift : 0);
  const age = receivedAt.getTime() - corrected;
  return age < -TOLERATED_FUTURE || age > OLDEST ? receivedAt : new Date(corrected);
}

function validDate(milliseconds: number): Date | null {
  const date = new Date(Math.round(milliseconds));
  return Number.isNaN(date.getTime()) ? null : date;
}
