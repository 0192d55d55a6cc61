import type { PayloadEncoding } from '../error-event.entity.js';
import { ERROR_STATUS, utcDay, type ErrorLevel } from '../error-values.js';
import type { GroupSummary } from '../sql/group-ingest.js';
import type { StatusChange } from './error-transitions.service.js';
import type { ErrorUserRow, HourCount, TaggedEvents } from '../error-statistics.repository.js';

/** Project that accepts errors with one of its keys, and its settings. */
export interface ErrorSource {
  projectId: number;
  /** Null for test events, which use no key. */
  keyId: number | null;
  scrubData: boolean;
  scrubIpAddresses: boolean;
  sensitiveFields: readonly string[];
  safeFields: readonly string[];
  /** Retention of events in days; the instance's by default. */
  retentionDays: number;
}

/** Stored bytes of an event. */
export interface StoredPayload {
  bytes: Buffer;
  encoding: PayloadEncoding;
  /** True if the bytes are an envelope that contains the event; else they are the event. */
  isEnvelope: boolean;
}

/** Parsed event with its stored attributes: secrets are removed, lengths bounded. */
export interface IncomingEvent {
  /** 32 lowercase hex. */
  eventId: string;
  receivedAt: Date;
  /** When it happened; never later than a minute after `receivedAt`. */
  occurredAt: Date;
  level: ErrorLevel;
  platform: string;
  logger: string | null;
  environment: string;
  release: string | null;
  /** Type of the exception, up to 128 characters; null for a message. */
  type: string | null;
  /** Value of the exception, or the message, up to 1,024 characters. */
  value: string | null;
  /** Where it happened, up to 200 characters; never empty. */
  culprit: string;
  /** One line, up to 255 characters; never empty. */
  title: string;
  isUnhandled: boolean;
  /** Up to 255 characters. */
  userLabel: string | null;
  /** 16 bytes that identify a user within a project. */
  userHash: Buffer | null;
  /** Replacement for `{{auto}}`, where IP addresses are kept. */
  clientAddress: string | null;
  /** Each key once, up to 100; keys up to 32 characters, values up to 200; with the derived ones. */
  tags: ReadonlyMap<string, string>;
  /** 16 bytes each: of the program's own frames first, then of all frames when that differs. */
  hashes: readonly Buffer[];
  /** Lower case, up to 2,048 characters. */
  searchText: string;
  payload: StoredPayload;
}

/** An event on its way into the database. */
export interface IngestItem {
  source: ErrorSource;
  event: IncomingEvent;
}

/** Outcome of an event; beyond sampling it is only counted. */
export type IngestOutcome = 'stored' | 'counted' | 'duplicate';

/** Estimated memory of the objects and short texts around an event's bytes. */
const OVERHEAD_BYTES = 2_048;

/** Returns the memory that a waiting event takes. */
export function heldBytes({ event }: IngestItem): number {
  return event.payload.bytes.length + event.searchText.length + OVERHEAD_BYTES;
}

/** A locked error, as far as counting more events needs it. */
export interface LockedGroup {
  id: number;
  status: number;
  statusChangedAt: Date | null;
  resolvedRelease: string | null;
  ignoredUntil: Date | null;
  ignoredUntilCount: number | null;
  eventsCount: number;
  mergedIntoId: number | null;
  /** True if others are merged into it. */
  hasMerged: boolean;
  usersCount: number;
  sampledDay: string;
  sampledCount: number;
}

/** New events of one error, in the order of arrival. */
export interface GroupedEvents {
  error: LockedGroup;
  projectId: number;
  items: IngestItem[];
  /** Those of them that are stored. */
  stored: IngestItem[];
  /** Number of users whom this error affects for the first time. */
  newUsers: number;
  /** UTC; the last one if midnight passed. */
  day: string;
  /** Events of that day, with these. */
  dayCount: number;
}

/** Returns the item that occurred last; of equal times the one received last. */
export function newestOf({ items }: GroupedEvents): IngestItem {
  return items.reduce((best, item) =>
    item.event.occurredAt >= best.event.occurredAt ? item : best,
  );
}

/** Returns the item that occurred first. */
function oldestOf({ items }: GroupedEvents): IngestItem {
  return items.reduce((best, item) =>
    item.event.occurredAt < best.event.occurredAt ? item : best,
  );
}

/** Daily sampling of an error's events: the number stored in full, then each n-th. */
export interface Sampling {
  all: number;
  interval: number;
}

/**
 * Returns the new events to store. Sampling restarts each day (UTC), so that the first event of a day,
 * and of an error, is always stored.
 */
export function sample(
  error: LockedGroup,
  items: IngestItem[],
  { all, interval }: Sampling,
): GroupedEvents {
  let day = error.sampledDay;
  let dayCount = error.sampledCount;
  const stored: IngestItem[] = [];
  for (const item of items) {
    const itsDay = utcDay(item.event.receivedAt);
    if (itsDay > day) [day, dayCount] = [itsDay, 0];
    dayCount += 1;
    if (dayCount <= all || (dayCount - all) % interval === 0) stored.push(item);
  }
  const projectId = (items[0] as IngestItem).source.projectId;
  return { error, projectId, items, stored, newUsers: 0, day, dayCount };
}

const HOUR_MS = 3_600_000;

/** People are counted exactly up to here. */
export const MAX_USERS = 10_000;

/** Returns the tags of the stored events of an error. */
export function tagsOf({ error, projectId, stored }: GroupedEvents): TaggedEvents[] {
  const tags = new Map<string, TaggedEvents>();
  for (const { event } of stored) {
    const lastSeenAt = event.occurredAt.toISOString();
    for (const [key, value] of event.tags) {
      const name = `${key}\n${value}`;
      const known = tags.get(name);
      if (known === undefined) {
        tags.set(name, { errorId: error.id, projectId, key, value, events: 1, lastSeenAt });
        continue;
      }
      known.events += 1;
      if (lastSeenAt > known.lastSeenAt) known.lastSeenAt = lastSeenAt;
    }
  }
  return [...tags.values()];
}

/** Returns the events of an error by hour of arrival. */
export function hoursOf({ error, items }: GroupedEvents): HourCount[] {
  const counts = new Map<number, number>();
  for (const { event } of items) {
    const hour = Math.floor(event.receivedAt.getTime() / HOUR_MS);
    counts.set(hour, (counts.get(hour) ?? 0) + 1);
  }
  return [...counts].map(([hour, events]) => ({ errorId: error.id, hour, events }));
}

/** Returns the users affected by an error, up to its limit. */
export function usersOf({ error, items }: GroupedEvents): ErrorUserRow[] {
  const hashes = new Map<string, Buffer>();
  for (const { event } of items) {
    if (event.userHash !== null) hashes.set(event.userHash.toString('latin1'), event.userHash);
  }
  const room = MAX_USERS - error.usersCount;
  return [...hashes.values()].slice(0, room).map((userHash) => ({ errorId: error.id, userHash }));
}

/** Returns what the events change; they end a resolved or an ignored status, or leave it. */
export function summaryOf(group: GroupedEvents, change?: StatusChange): GroupSummary {
  return {
    ...group,
    status: change === undefined ? group.error.status : ERROR_STATUS.unresolved,
    regresses: change === 'regressed',
    newest: newestOf(group),
    oldest: oldestOf(group),
  };
}
