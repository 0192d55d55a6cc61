import type { ErrorGroup, LockedError } from './error-group.js';
import type { IngestItem } from './ingest-item.js';
import { utcDay } from './utc-day.js';

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
  error: LockedError,
  items: IngestItem[],
  { all, interval }: Sampling,
): ErrorGroup {
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
