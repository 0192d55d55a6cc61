import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { readEnvelope } from '../collector/envelope-reader.js';
import { IngestError } from '../collector/ingest-error.js';
import { PAYLOAD_ENCODINGS, type ErrorEvent, type PayloadEncoding } from '../error-event.entity.js';
import { parsedObject, type JsonObject } from '../parsing/json-values.js';

/** A stored event as lists show it: all but what its program sent. */
export interface ListedEvent extends Pick<
  ErrorEvent,
  | 'id'
  | 'projectId'
  | 'errorId'
  | 'receivedAt'
  | 'occurredAt'
  | 'level'
  | 'title'
  | 'environment'
  | 'release'
  | 'userLabel'
> {
  /** 32 lowercase hex. */
  eventId: string;
}

/** A stored event with the bytes that its program sent. */
export interface StoredEvent
  extends
    ListedEvent,
    Pick<ErrorEvent, 'clientAddress' | 'payload' | 'payloadEncoding' | 'isEnvelope'> {}

/** Identifies the events of one error. */
export interface EventsOwner {
  id: number;
  projectId: number;
  /** Errors merged into it; their events count as its own. */
  mergedIds: readonly number[];
}

/** Columns of a `ListedEvent`, from `error_events v`. */
export const LISTED_COLUMNS = `
  v.id, v.project_id AS "projectId", v.error_id AS "errorId",
  replace(v.event_id::text, '-', '') AS "eventId", v.received_at AS "receivedAt",
  v.occurred_at AS "occurredAt", v.level, v.title, v.environment, v.release,
  v.user_label AS "userLabel"`;

/** Columns of a `StoredEvent`; the bytes make them too heavy for lists. */
export const STORED_COLUMNS = `${LISTED_COLUMNS},
  v.client_address AS "clientAddress", v.payload, v.payload_encoding AS "payloadEncoding",
  v.is_envelope AS "isEnvelope"`;

/** No payload that was ever taken is larger when unpacked; more is damage or an attack. */
const MAX_UNPACKED_BYTES = 8 * 1024 * 1024;

const BOUND = { maxOutputLength: MAX_UNPACKED_BYTES };

type Packed = Pick<StoredEvent, 'payload' | 'payloadEncoding' | 'isEnvelope'>;

const UNPACK: Record<PayloadEncoding, (bytes: Buffer) => Promise<Buffer>> = {
  identity: (bytes) => Promise.resolve(bytes),
  gzip: (bytes) => promisify(gunzip)(bytes, BOUND),
  deflate: (bytes) => promisify(inflate)(bytes, BOUND),
  br: (bytes) => promisify(brotliDecompress)(bytes, BOUND),
};

/** Returns the event as it was received; null if its stored bytes are unreadable. */
export async function unpackPayload(row: Packed): Promise<JsonObject | null> {
  const text = await unpackText(row);
  return text === null ? null : parsedObject(text);
}

/** Returns the JSON text of the event; null if its stored bytes cannot be decompressed. */
export async function unpackText(row: Packed): Promise<Buffer | null> {
  const encoding = PAYLOAD_ENCODINGS[row.payloadEncoding];
  if (encoding === undefined) return null;
  const bytes = await UNPACK[encoding](row.payload).catch(() => null);
  if (bytes === null || !row.isEnvelope) return bytes;
  return eventItemOf(bytes);
}

/** Returns the event of a stored envelope. */
function eventItemOf(envelope: Buffer): Buffer | null {
  try {
    return readEnvelope(envelope).event;
  } catch (error) {
    if (error instanceof IngestError) return null;
    throw error;
  }
}
