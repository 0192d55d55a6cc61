import type { Request } from 'express';
import type { StoredPayload } from '../ingest/incoming-event.js';
import { tooLarge, unreadable } from './ingest-error.js';
import {
  encodingOf,
  isQuick,
  refined,
  unpackInto,
  unpackNow,
  type BodyEncoding,
} from './encodings.js';
import type { Means } from './envelope-body.js';
import { MAX_EVENT_BYTES } from './item-payload.js';
import { BufferList } from './buffer-list.js';
import { readWire } from './wire-body.js';

/** An event that came without an envelope, and its body where it was packed. */
export interface ReceivedEvent {
  event: Buffer;
  received: StoredPayload | null;
}

const MAX_PACKED_BYTES = 200 * 1024;
const EVENT_LIMIT = 'the event is larger than 1 MiB';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Reads the body of a request to the older endpoint: the JSON of an event, compressed as its header
 * says, or zlib in base64 without any header. Throws 400, 408, 413, 415 and, without capacity, 429.
 */
export async function readStoreBody(request: Request, means: Means): Promise<ReceivedEvent> {
  const encoding = encodingOf(request.headers['content-encoding']);
  const limit = encoding === null ? MAX_EVENT_BYTES : MAX_PACKED_BYTES;
  const pieces = new BufferList(limit, 'the body is larger than is taken', (size) =>
    means.memory.acquire(size),
  );
  await readWire(request, limit, (chunk) => pieces.add(chunk));
  const body = pieces.take();
  if (body.length === 0) throw unreadable('empty request body');
  if (encoding === null && looksLikeJson(body)) return { event: body, received: null };
  const bytes = encoding === null ? decode(body) : body;
  const exact = refined(encoding ?? 'deflate', bytes);
  const event = isQuick(exact)
    ? unpackNow(exact, bytes, MAX_EVENT_BYTES)
    : await unpackSlowly(exact, bytes, means);
  if (event === null) throw tooLarge(EVENT_LIMIT);
  const received = exact === 'raw' ? null : { bytes, encoding: exact, isEnvelope: false };
  return { event, received };
}

function unpackSlowly(
  encoding: BodyEncoding,
  bytes: Buffer,
  { memory, unpacking }: Means,
): Promise<Buffer> {
  return unpacking.small.run(async () => {
    const pieces = new BufferList(MAX_EVENT_BYTES, EVENT_LIMIT, (size) => memory.acquire(size));
    await unpackInto(encoding, bytes, (chunk) => pieces.add(chunk));
    return pieces.take();
  });
}

function decode(body: Buffer): Buffer {
  if (body.length > MAX_PACKED_BYTES) throw tooLarge('the packed body is larger than 200 KiB');
  const text = body.toString('latin1').replace(/\s/g, '');
  if (!BASE64.test(text)) throw unreadable('invalid JSON data');
  return Buffer.from(text, 'base64');
}

function looksLikeJson(body: Buffer): boolean {
  return /^[{\s]/.test(body.toString('latin1', 0, 1));
}
