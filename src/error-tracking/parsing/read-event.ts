import type { ErrorSource } from '../ingest/error-source.js';
import type { IncomingEvent, StoredPayload } from '../ingest/incoming-event.js';

/** What is known of an event besides what it says itself. */
export interface EventContext {
  source: ErrorSource;
  /** Of the envelope's header, as sent; it wins over the one in the event. */
  headerEventId: string | null;
  /** When the SDK sent the envelope, by the clock of its machine. */
  sentAt: Date | null;
  receivedAt: Date;
  clientAddress: string;
  /** The bytes of the request, where they can be kept when nothing is removed from the event. */
  received: StoredPayload | null;
  /** The event itself: what was parsed. */
  json: Buffer | string;
}

/** The event is no JSON object; `message` says what is wrong with it. */
export class UnreadableEvent extends Error {}

/**
 * Reads an event of an SDK: removes what looks secret, bounds what is stored in columns, and
 * computes what it is grouped by. Throws UnreadableEvent for anything but a JSON object.
 */
export function readEvent(json: unknown, context: EventContext): IncomingEvent {
  throw new UnreadableEvent(`cannot read ${typeof json} of ${context.receivedAt.toISOString()}`);
}
