import { deflateSync } from 'node:zlib';
import type { StoredPayload } from '../ingest/incoming-event.js';

/** The quickest one: 50 KB of JSON become a sixth in a third of a millisecond. */
const PACKING = { level: 1 } as const;

/** Returns the payload of an event that needed no scrubbing: the received bytes, if compressed. */
export function unchangedPayload(
  json: Buffer | string,
  received: StoredPayload | null,
): StoredPayload {
  return received === null || received.encoding === 'identity' ? packed(json) : received;
}

/** Returns an event, compressed again. */
export function packed(json: Buffer | string): StoredPayload {
  return { bytes: deflateSync(json, PACKING), encoding: 'deflate', isEnvelope: false };
}
