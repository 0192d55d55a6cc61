import type { ErrorUserRow, HourCount, TaggedEvents } from '../sql/error-statistics.js';
import type { ErrorGroup } from './error-group.js';

const HOUR_MS = 3_600_000;

/** People are counted exactly up to here. */
export const MAX_USERS = 10_000;

/** Returns the tags of the stored events of an error. */
export function tagsOf({ error, projectId, stored }: ErrorGroup): TaggedEvents[] {
  const tags = new Map<string, TaggedEvents>();
  for (const { event } of stored) {
    for (const [key, value] of event.tags) {
      const name = `${key}\n${value}`;
      const lastSeenAt = event.occurredAt;
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

/** Returns the hours in which events of an error came. */
export function hoursOf({ error, items }: ErrorGroup): HourCount[] {
  const counts = new Map<number, number>();
  for (const { event } of items) {
    const hour = Math.floor(event.receivedAt.getTime() / HOUR_MS);
    counts.set(hour, (counts.get(hour) ?? 0) + 1);
  }
  return [...counts].map(([hour, events]) => ({ errorId: error.id, hour, events }));
}

/** Returns the users affected by an error, up to its limit. */
export function usersOf({ error, items }: ErrorGroup): ErrorUserRow[] {
  const hashes = new Map<string, Buffer>();
  for (const { event } of items) {
    if (event.userHash !== null) hashes.set(event.userHash.toString('latin1'), event.userHash);
  }
  const room = MAX_USERS - error.usersCount;
  return [...hashes.values()].slice(0, room).map((userHash) => ({ errorId: error.id, userHash }));
}
