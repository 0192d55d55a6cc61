import { instantOf } from '../parsing/event-times.js';
import { uuidOf } from '../parsing/event-values.js';
import { parsedObject } from '../parsing/json-values.js';
import { unreadable } from './ingest-error.js';
import { parseDsn, type DsnParts } from './sentry-auth.js';

/**
 * Envelope header: the first line of an envelope; null for fields that are missing or unreadable.
 */
export interface EnvelopeHeader {
  /** 32 lowercase hex. */
  eventId: string | null;
  sentAt: Date | null;
  dsn: DsnParts | null;
}

/** Item header: the line before an item. */
export interface ItemHeader {
  /** Empty when it is absent. */
  type: string;
  /** Bytes of the payload; null = up to the end of its line. */
  length: number | null;
}

/**
 * Reads the headers of an envelope. Throws 400 for anything but a JSON object; single headers that
 * cannot be read are ignored, since refusing events for them has broken SDKs before.
 */
export function readEnvelopeHeader(line: Buffer): EnvelopeHeader {
  const header = parsedObject(line);
  if (header === null) throw unreadable('invalid event envelope');
  return {
    eventId: uuidOf(header.event_id),
    sentAt: instantOf(header.sent_at),
    dsn: parseDsn(header.dsn),
  };
}

/** Reads the headers of an item. Throws 400 unless they are an object, and for a length that is none. */
export function readItemHeader(line: Buffer): ItemHeader {
  const header = parsedObject(line);
  if (header === null) throw unreadable('invalid item header');
  const { type, length = null } = header;
  if (length !== null && !isLength(length)) throw unreadable('invalid item length');
  return { type: typeof type === 'string' ? type : '', length };
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
