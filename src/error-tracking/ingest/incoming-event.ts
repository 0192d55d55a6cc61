import type { PayloadEncoding } from '../error-event.entity.js';
import type { ErrorLevel } from '../error-values.js';

/** Project that accepts errors with one of its keys, and its settings. */
export interface ErrorSource {
  projectId: number;
  /** Null for test events, which use no key. */
  keyId: number | null;
  scrubData: boolean;
  scrubIpAddresses: boolean;
  sensitiveFields: readonly string[];
  safeFields: readonly string[];
  /** Retention of events in days; the instance's by default. */
  retentionDays: number;
}

/** Stored bytes of an event. */
export interface StoredPayload {
  bytes: Buffer;
  encoding: PayloadEncoding;
  /** True if the bytes are an envelope that contains the event; else they are the event. */
  isEnvelope: boolean;
}

/** Parsed event with its stored attributes: secrets are removed, lengths bounded. */
export interface IncomingEvent {
  /** 32 lowercase hex. */
  eventId: string;
  receivedAt: Date;
  /** When it happened; never later than a minute after `receivedAt`. */
  occurredAt: Date;
  level: ErrorLevel;
  platform: string;
  logger: string | null;
  environment: string;
  release: string | null;
  /** Type of the exception, up to 128 characters; null for a message. */
  type: string | null;
  /** Value of the exception, or the message, up to 1,024 characters. */
  value: string | null;
  /** Where it happened, up to 200 characters; never empty. */
  culprit: string;
  /** One line, up to 255 characters; never empty. */
  title: string;
  isUnhandled: boolean;
  /** Up to 255 characters. */
  userLabel: string | null;
  /** 16 bytes that identify a user within a project. */
  userHash: Buffer | null;
  /** Replacement for `{{auto}}`, where IP addresses are kept. */
  clientAddress: string | null;
  /** Each key once, up to 100; keys up to 32 characters, values up to 200; with the derived ones. */
  tags: ReadonlyMap<string, string>;
  /** 16 bytes each: of the program's own frames first, then of all frames when that differs. */
  hashes: readonly Buffer[];
  /** Lower case, up to 2,048 characters. */
  searchText: string;
  payload: StoredPayload;
}

/** An event on its way into the database. */
export interface IngestItem {
  source: ErrorSource;
  event: IncomingEvent;
}

/** Outcome of an event; beyond sampling it is only counted. */
export type IngestOutcome = 'stored' | 'counted' | 'duplicate';

/** Estimated memory of the objects and short texts around an event's bytes. */
const OVERHEAD_BYTES = 2_048;

/** Returns the memory that a waiting event takes. */
export function heldBytes({ event }: IngestItem): number {
  return event.payload.bytes.length + event.searchText.length + OVERHEAD_BYTES;
}
