import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { IngestError } from '../collector/ingest-error.js';
import { readEnvelope } from '../collector/envelope-reader.js';
import { PAYLOAD_ENCODINGS, type PayloadEncoding } from '../error-event.entity.js';
import { parsedObject, type JsonObject } from '../parsing/json-values.js';
import type { StoredEvent } from './stored-event.js';

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

/** The event of an envelope that the collector took. */
function eventItemOf(envelope: Buffer): Buffer | null {
  try {
    return readEnvelope(envelope).event;
  } catch (error) {
    if (error instanceof IngestError) return null;
    throw error;
  }
}
