import type { IncomingEvent, StoredPayload } from '../../ingest/incoming-event.js';
import type { EventContext } from '../read-event.js';

/**
 * What a thread needs to read an event. The bytes of the request stay where they are: only how
 * they are packed is of interest. The source is JSON, by which the thread knows it again.
 */
export type EventTask = Omit<EventContext, 'source' | 'json' | 'received'> & {
  source: string;
  json: Uint8Array;
  received: Omit<StoredPayload, 'bytes'> | null;
};

/** Hashes are texts: a small Buffer would take the whole pool along in which it lies. */
type TravellingEvent = Omit<IncomingEvent, 'hashes' | 'userHash' | 'payload'> & {
  hashes: string[];
  userHash: string | null;
  /** null = the bytes of the request. */
  payload: StoredPayload | null;
};

/** What a thread answers: errors lose their class on the way. */
export type EventAnswer =
  { event: TravellingEvent } | { unreadable: { message: string; causes: readonly string[] } };

/** The event as it can be sent to another thread; `received` stands for the bytes of the request. */
export function departing(event: IncomingEvent, received: StoredPayload | null): TravellingEvent {
  return {
    ...event,
    hashes: event.hashes.map(textOf),
    userHash: event.userHash === null ? null : textOf(event.userHash),
    payload: event.payload === received ? null : event.payload,
  };
}

/** The event as it was before. Buffers arrive as arrays of bytes. */
export function arriving(event: TravellingEvent, received: StoredPayload | null): IncomingEvent {
  const { payload, userHash, hashes } = event;
  return {
    ...event,
    hashes: hashes.map(bytesOf),
    userHash: userHash === null ? null : bytesOf(userHash),
    payload:
      payload === null
        ? (received as StoredPayload)
        : {
            ...payload,
            bytes: Buffer.from(
              payload.bytes.buffer,
              payload.bytes.byteOffset,
              payload.bytes.length,
            ),
          },
  };
}

function textOf(bytes: Buffer): string {
  return bytes.toString('latin1');
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
