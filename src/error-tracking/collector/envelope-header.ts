import { unreadable } from './collector-refusal.js';
import { parseDsn, type DsnParts } from './sentry-auth.js';

/** What the first line of an envelope says; null for what is absent or cannot be read. */
export interface EnvelopeHeader {
  /** 32 lowercase hex. */
  eventId: string | null;
  sentAt: Date | null;
  dsn: DsnParts | null;
}

/** What the line before an item says. */
export interface ItemHeader {
  /** Empty when it is absent. */
  type: string;
  /** Bytes of the payload; null = up to the end of its line. */
  length: number | null;
}

/** RFC 3339, where the zone may be absent. */
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/i;

/**
 * Reads the headers of an envelope. Throws 400 for anything but a JSON object; single headers that
 * cannot be read are ignored, since refusing events for them has broken SDKs before.
 */
export function readEnvelopeHeader(line: Buffer): EnvelopeHeader {
  const header = headerObject(line);
  if (header === null) throw unreadable('invalid event envelope');
  return {
    eventId: eventIdOf(header['event_id']),
    sentAt: momentOf(header['sent_at']),
    dsn: parseDsn(header['dsn']),
  };
}

/** Reads the headers of an item. Throws 400 unless they are an object, and for a length that is none. */
export function readItemHeader(line: Buffer): ItemHeader {
  const header = headerObject(line);
  if (header === null) throw unreadable('invalid item header');
  const { type, length = null } = header;
  if (length !== null && !isLength(length)) throw unreadable('invalid item length');
  return { type: typeof type === 'string' ? type : '', length };
}

/** A UUID with or without dashes, in any case; null for anything else. */
function eventIdOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const id = value.trim().replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}

function momentOf(value: unknown): Date | null {
  const [text, zone] = (typeof value === 'string' && MOMENT.exec(value)) || [];
  if (text === undefined) return null;
  const moment = new Date(zone === undefined ? `${text}Z` : text);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function headerObject(line: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
