import type { ErrorSource, IncomingEvent } from '../../src/error-tracking/ingest/grouped-events.js';
import type { JsonObject } from '../../src/error-tracking/parsing/json-values.js';
import { type EventContext, readEvent } from '../../src/error-tracking/parsing/read-event.js';

/** A project that wants secrets to be removed and nothing else. */
export const SCRUBBING_SOURCE: ErrorSource = {
  projectId: 42,
  keyId: 1,
  scrubData: true,
  scrubIpAddresses: false,
  sensitiveFields: [],
  safeFields: [],
  retentionDays: 90,
};

/** Reads an event as if it had just arrived; `context` says what is different about that. */
export function readSent(event: unknown, context: Partial<EventContext> = {}): IncomingEvent {
  return readEvent(event, {
    source: SCRUBBING_SOURCE,
    headerEventId: null,
    sentAt: null,
    receivedAt: new Date('2026-03-01T10:00:00Z'),
    clientAddress: '192.0.2.7',
    received: null,
    ...context,
    json: context.json ?? Buffer.from(JSON.stringify(event)),
  });
}

/** A frame: function, file or module, and what else is known of it. */
export function frame(name: string | null, place: string, more: JsonObject = {}): JsonObject {
  const isFile = /[/\\]|\.(?:js|ts|py|rb|php|go|rs|cs|html)\b/.test(place);
  return { function: name, [isFile ? 'filename' : 'module']: place, in_app: true, ...more };
}

/** An event of one exception. */
export function thrown(
  platform: string,
  [type, value]: [type: string | null, value: string | null],
  frames: JsonObject[],
): JsonObject {
  return { platform, exception: { values: [{ type, value, stacktrace: { frames } }] } };
}

/** By what events are grouped; two that share any of these are of one error. */
export function hashesOf(event: JsonObject): string[] {
  return readSent(event).hashes.map((hash) => hash.toString('hex'));
}
