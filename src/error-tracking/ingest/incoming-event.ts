import type { PayloadEncoding } from '../error-event.entity.js';
import type { ErrorLevel } from '../error-values.js';

/** The bytes of an event as they are kept. */
export interface StoredPayload {
  bytes: Buffer;
  encoding: PayloadEncoding;
  /** True if the bytes are an envelope that contains the event; else they are the event. */
  isEnvelope: boolean;
}

/** An event that was read: what is stored of it, with secrets removed and lengths bounded. */
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
  /** 16 bytes that are the same for the same person in a project. */
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
