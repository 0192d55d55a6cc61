import type { ErrorSource } from './error-source.js';
import type { IncomingEvent } from './incoming-event.js';

/** An event on its way into the database. */
export interface IngestItem {
  source: ErrorSource;
  event: IncomingEvent;
}

/** Outcome of an event. */
export type IngestOutcome =
  { kind: 'stored' | 'counted' | 'duplicate' } | { kind: 'failed'; error: unknown };

/** Estimated memory of the objects and short texts around an event's bytes. */
const OVERHEAD_BYTES = 2_048;

/** Returns the memory that a waiting event takes. */
export function heldBytes({ event }: IngestItem): number {
  return event.payload.bytes.length + event.searchText.length + OVERHEAD_BYTES;
}
