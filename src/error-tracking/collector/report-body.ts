import type { Request } from 'express';
import type { Semaphore } from '../../core/semaphore.js';
import type { StoredPayload } from '../ingest/incoming-event.js';
import type { BodyMemory } from './body-memory.js';
import {
  encodingOf,
  isQuick,
  refined,
  unpackInto,
  unpackNow,
  type BodyEncoding,
} from './encodings.js';
import { EnvelopeReader, readEnvelope, type Envelope } from './envelope-reader.js';
import { MAX_EVENT_BYTES } from './item-payload.js';
import { BufferList } from './buffer-list.js';
import { readWire } from './wire-body.js';
import { tooLarge, unreadable } from './ingest-error.js';

/** An envelope, and the bytes of its body where they are all that needs to be kept of its event. */
interface ReceivedEnvelope {
  envelope: Envelope;
  received: StoredPayload | null;
}

/** Limits how many bodies are decompressed concurrently, separately for small ones. */
export interface Means {
  memory: BodyMemory;
  unpacking: { small: Semaphore; large: Semaphore };
}

const MAX_WIRE_BYTES = 20 * 1024 * 1024;
/**
 * Limit below which a body is decompressed at once, unless it holds more than an event and headers.
 */
const SMALL = { wire: 200 * 1024, unpacked: MAX_EVENT_BYTES + 64 * 1024 };

/**
 * Reads the body of a request as an envelope. Attachments and the like pass through: only what is
 * kept takes memory. Throws 400, 408, 413, 415 and, without memory, 429.
 */
export async function readEnvelopeBody(request: Request, means: Means): Promise<ReceivedEnvelope> {
  const encoding = encodingOf(request.headers['content-encoding']);
  const hold = (size: number): void => means.memory.acquire(size);
  if (encoding === null) return { envelope: await readPlain(request, hold), received: null };
  const pieces = new BufferList(MAX_WIRE_BYTES, 'the body is larger than 20 MiB', hold);
  await readWire(request, MAX_WIRE_BYTES, (chunk) => pieces.add(chunk));
  const wire = pieces.take();
  const exact = refined(encoding, wire);
  const isSmall = wire.length <= SMALL.wire;
  const unpacked = isSmall && isQuick(exact) ? unpackNow(exact, wire, SMALL.unpacked) : null;
  const envelope =
    unpacked === null ? await unpackEnvelope(exact, wire, means) : readEnvelope(unpacked, hold);
  return { envelope, received: receivedOf(envelope, wire, exact) };
}

async function readPlain(request: Request, hold: (size: number) => void): Promise<Envelope> {
  const reader = new EnvelopeReader(hold);
  await readWire(request, MAX_WIRE_BYTES, (chunk) => reader.push(chunk));
  return reader.end();
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

/** Only an envelope that holds one event and nothing else is worth keeping as it came. */
function receivedOf(
  { types, isTight }: Envelope,
  bytes: Buffer,
  encoding: BodyEncoding,
): StoredPayload | null {
  const isEventOnly = types.length === 1 && types[0] === 'event' && isTight;
  return isEventOnly && encoding !== 'raw' ? { bytes, encoding, isEnvelope: true } : null;
}

/** An event that came without an envelope, and its body where it was packed. */
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
