import type { ErrorSource } from './error-source.js';
import type { IncomingEvent } from './incoming-event.js';

/** An event on its way into the database. */
export interface IngestItem {
  source: ErrorSource;
  event: IncomingEvent;
}

/** What became of it. */
export type IngestOutcome =
  { kind: 'stored' | 'counted' | 'duplicate' } | { kind: 'failed'; error: unknown };

/** What objects around the bytes and short texts of an event take, roughly. */
const OVERHEAD_BYTES = 2_048;

/** What the process holds for an event that waits. */
export function heldBytes({ event }: IngestItem): number {
  return event.payload.bytes.length + event.searchText.length + OVERHEAD_BYTES;
}
