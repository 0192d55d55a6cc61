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

/** An envelope, and the bytes of its body where they are all that needs to be kept of its event. */
export interface ReceivedEnvelope {
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
    unpacked === null ? await unpackSlowly(exact, wire, means) : readEnvelope(unpacked, hold);
  return { envelope, received: receivedOf(envelope, wire, exact) };
}

async function readPlain(request: Request, hold: (size: number) => void): Promise<Envelope> {
  const reader = new EnvelopeReader(hold);
  await readWire(request, MAX_WIRE_BYTES, (chunk) => reader.push(chunk));
  return reader.end();
}

function unpackSlowly(
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
