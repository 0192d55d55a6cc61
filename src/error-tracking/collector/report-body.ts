import type { Request } from 'express';
import type { Semaphore } from '../../core/concurrency.js';
import { readStream, type BodyRules } from '../../core/http/raw-bodies.js';
import type { StoredPayload } from '../ingest/grouped-events.js';
import {
  encodingOf,
  isQuick,
  refined,
  unpackInto,
  unpackNow,
  type BodyEncoding,
} from './encodings.js';
import { EnvelopeReader, MAX_EVENT_BYTES, readEnvelope, type Envelope } from './envelope-reader.js';
import { BufferList, type BodyMemory } from './body-memory.js';
import { IngestError, tooLarge, unreadable } from './ingest-error.js';

/** An envelope, with the bytes of its body if they can be stored as received. */
interface ReceivedEnvelope {
  envelope: Envelope;
  received: StoredPayload | null;
}

/** Limits how many bodies are decompressed concurrently, separately for small ones. */
interface Means {
  memory: BodyMemory;
  unpacking: { small: Semaphore; large: Semaphore };
}

const MAX_WIRE_BYTES = 20 * 1024 * 1024;
/**
 * Limit below which a body is decompressed at once, unless it holds more than an event and headers.
 */
const SMALL = { wire: 200 * 1024, unpacked: MAX_EVENT_BYTES + 64 * 1024 };

/**
 * Reads the body of a request as an envelope. Attachments and the like pass through without taking
 * memory. Throws 400, 408, 413, 415 and, without memory, 429.
 */
export async function readEnvelopeBody(request: Request, means: Means): Promise<ReceivedEnvelope> {
  const encoding = encodingOf(request.headers['content-encoding']);
  const hold = (size: number): void => means.memory.acquire(size);
  if (encoding === null) {
    const reader = new EnvelopeReader(hold);
    await readStream(request, rulesOf(MAX_WIRE_BYTES), (chunk) => reader.push(chunk));
    return { envelope: reader.end(), received: null };
  }
  const chunks = new BufferList(MAX_WIRE_BYTES, 'the body is larger than 20 MiB', hold);
  await readStream(request, rulesOf(MAX_WIRE_BYTES), (chunk) => chunks.add(chunk));
  const wire = chunks.take();
  const exact = refined(encoding, wire);
  const isSmall = wire.length <= SMALL.wire;
  const unpacked = isSmall && isQuick(exact) ? unpackNow(exact, wire, SMALL.unpacked) : null;
  const envelope =
    unpacked === null ? await unpackEnvelope(exact, wire, means) : readEnvelope(unpacked, hold);
  return { envelope, received: receivedOf(envelope, wire, exact) };
}

function rulesOf(limit: number): BodyRules {
  return {
    limit,
    tooLarge: () => tooLarge('the body is too large'),
    incomplete: () => unreadable('body is incomplete'),
    tooSlow: () =>
      new IngestError(408, '408 Request Timeout', { headers: { Connection: 'close' } }),
  };
}

function unpackEnvelope(
  encoding: BodyEncoding,
  wire: Buffer,
  { memory, unpacking }: Means,
): Promise<Envelope> {
  const slots = wire.length <= SMALL.wire ? unpacking.small : unpacking.large;
  return slots.run(async () => {
    const reader = new EnvelopeReader((size) => memory.acquire(size));
    await unpackInto(encoding, wire, (chunk) => reader.push(chunk));
    return reader.end();
  });
}

/** Returns the body if it is an envelope with a single event and nothing else. */
function receivedOf(
  { types, isTight }: Envelope,
  bytes: Buffer,
  encoding: BodyEncoding,
): StoredPayload | null {
  const isEventOnly = types.length === 1 && types[0] === 'event' && isTight;
  return isEventOnly && encoding !== 'raw' ? { bytes, encoding, isEnvelope: true } : null;
}

/** An event without an envelope, with its body if that was compressed. */
interface ReceivedEvent {
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
  const chunks = new BufferList(limit, 'the body is too large', (size) =>
    means.memory.acquire(size),
  );
  await readStream(request, rulesOf(limit), (chunk) => chunks.add(chunk));
  const body = chunks.take();
  if (body.length === 0) throw unreadable('empty request body');
  if (encoding === null && looksLikeJson(body)) return { event: body, received: null };
  const bytes = encoding === null ? decode(body) : body;
  const exact = refined(encoding ?? 'deflate', bytes);
  const event = isQuick(exact)
    ? unpackNow(exact, bytes, MAX_EVENT_BYTES)
    : await unpackEvent(exact, bytes, means);
  if (event === null) throw tooLarge(EVENT_LIMIT);
  const received = exact === 'raw' ? null : { bytes, encoding: exact, isEnvelope: false };
  return { event, received };
}

function unpackEvent(
  encoding: BodyEncoding,
  bytes: Buffer,
  { memory, unpacking }: Means,
): Promise<Buffer> {
  return unpacking.small.run(async () => {
    const chunks = new BufferList(MAX_EVENT_BYTES, EVENT_LIMIT, (size) => memory.acquire(size));
    await unpackInto(encoding, bytes, (chunk) => chunks.add(chunk));
    return chunks.take();
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
