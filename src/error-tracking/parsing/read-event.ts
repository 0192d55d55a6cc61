import type { ErrorSource } from '../ingest/error-source.js';
import type { IncomingEvent, StoredPayload } from '../ingest/incoming-event.js';
import { labelsOf, searchTextOf } from './event-labels.js';
import { personOf } from './event-person.js';
import { ownFrames, tracedEvent } from './event-stack.js';
import { eventTags } from './event-tags.js';
import { occurrenceOf } from './event-times.js';
import {
  environmentOf,
  eventIdOf,
  isUnhandled,
  levelOf,
  nameOf,
  platformOf,
  releaseOf,
} from './event-values.js';
import { eventHashes } from './grouping/event-hashes.js';
import { type JsonObject, objectOf } from './json-values.js';
import { scrubAddresses } from './scrub/scrub-addresses.js';
import { scrubEvent } from './scrub/scrub-event.js';
import { scrubRulesOf } from './scrub/scrub-rules.js';
import { packed, unchangedPayload } from './stored-payload.js';

/** Data about an event besides its own fields. */
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

/** The event is no JSON object, or cannot be stored; `message` is the reason. */
export class UnreadableEvent extends Error {}

/**
 * Reads an event of an SDK: removes what looks secret, bounds what is stored in columns, and
 * computes what it is grouped by. Throws UnreadableEvent for anything but a JSON object, and for one
 * that is nested too deeply.
 */
export function readEvent(json: unknown, context: EventContext): IncomingEvent {
  const sent = objectOf(json);
  if (sent === null) throw new UnreadableEvent('the event is no JSON object');
  const event = scrubbed(sent, context);
  return {
    eventId: eventIdOf(context.headerEventId, sent.event_id),
    receivedAt: context.receivedAt,
    occurredAt: occurrenceOf(sent.timestamp, context),
    ...describedBy(event, context),
    payload:
      event === sent ? unchangedPayload(context.json, context.received) : packed(jsonOf(event)),
  };
}

/** JSON.stringify has a call for each level: what is left as it was sent may have too many. */
function jsonOf(event: JsonObject): string {
  try {
    return JSON.stringify(event);
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableEvent('the event is nested too deeply');
    throw error;
  }
}

function scrubbed(event: JsonObject, { source, json }: EventContext): JsonObject {
  const rules = scrubRulesOf(source);
  const text = typeof json === 'string' ? json : json.toString('latin1');
  const clean = rules?.mayChange(text) === true ? scrubEvent(event, rules) : event;
  return source.scrubIpAddresses ? scrubAddresses(clean) : clean;
}

type Described = Omit<IncomingEvent, 'eventId' | 'receivedAt' | 'occurredAt' | 'payload'>;

function describedBy(event: JsonObject, { source, clientAddress }: EventContext): Described {
  const traced = tracedEvent(event);
  const { exceptions, frames } = traced;
  const platform = platformOf(event);
  const logger = nameOf(event.logger);
  const known = {
    level: levelOf(event),
    environment: environmentOf(event),
    release: releaseOf(event),
    logger,
  };
  const labels = labelsOf(traced, logger ?? platform);
  const { projectId } = source;
  const keepsAddresses = !source.scrubIpAddresses;
  const person = personOf(event, { projectId, clientAddress, keepsAddresses });
  return {
    ...known,
    ...labels,
    platform,
    isUnhandled: isUnhandled(exceptions),
    userLabel: person.label,
    userHash: person.hash,
    clientAddress: person.clientAddress,
    tags: eventTags({ ...known, event, exceptions, person: person.tag }),
    hashes: eventHashes(traced, { platform, logger }),
    searchText: searchTextOf(labels, ownFrames(frames)),
  };
}
