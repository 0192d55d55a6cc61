import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { PAYLOAD_ENCODINGS, type PayloadEncoding } from '../error-event.entity.js';
import type { JsonObject } from '../parsing/json-values.js';
import type { StoredEvent } from './stored-event.js';

/** No payload that was ever taken is larger when unpacked; more is damage or an attack. */
const MAX_UNPACKED_BYTES = 8 * 1024 * 1024;

const BOUND = { maxOutputLength: MAX_UNPACKED_BYTES };

type Packed = Pick<StoredEvent, 'payload' | 'payloadEncoding' | 'isEnvelope'>;

const UNPACK: Record<PayloadEncoding, (bytes: Buffer) => Promise<Buffer>> = {
  identity: (bytes) => Promise.resolve(bytes),
  gzip: (bytes) => promisify(gunzip)(bytes, BOUND),
  deflate: (bytes) => promisify(hasZlibHeader(bytes) ? inflate : inflateRaw)(bytes, BOUND),
  br: (bytes) => promisify(brotliDecompress)(bytes, BOUND),
};

/** The event that a program sent; null when its stored bytes cannot be read any more. */
export async function unpackPayload(row: Packed): Promise<JsonObject | null> {
  const text = await unpackText(row);
  return text === null ? null : parseObject(text);
}

/** The same as the text of its JSON; null when the stored bytes cannot be unpacked any more. */
export async function unpackText(row: Packed): Promise<Buffer | null> {
  const encoding = PAYLOAD_ENCODINGS[row.payloadEncoding];
  if (encoding === undefined) return null;
  const bytes = await UNPACK[encoding](row.payload).catch(() => null);
  if (bytes === null || !row.isEnvelope) return bytes;
  return eventItemOf(bytes);
}

/** RFC 1950 §2.2: `deflate` has a header by its definition, yet some programs send none. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length > 1 && (bytes[0] ?? 0) % 16 === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

/**
 * The payload of the first item of type `event`. Items follow the line of envelope headers, each a
 * line of headers and its payload, with blank lines between some.
 */
function eventItemOf(envelope: Buffer): Buffer | null {
  let start = lineEnd(envelope, 0) + 1;
  while (start < envelope.length) {
    const headEnd = lineEnd(envelope, start);
    const head = parseObject(envelope.subarray(start, headEnd));
    const from = headEnd + 1;
    const to = head === null ? headEnd : payloadEnd(envelope, from, head);
    if (head?.type === 'event') return envelope.subarray(from, to);
    start = Math.max(to, headEnd) + 1;
  }
  return null;
}

function payloadEnd(envelope: Buffer, from: number, { length }: JsonObject): number {
  return typeof length === 'number' ? from + length : lineEnd(envelope, from);
}

function lineEnd(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0x0a, from);
  return end === -1 ? bytes.length : end;
}

function parseObject(text: Buffer): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text.toString('utf8'));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}
