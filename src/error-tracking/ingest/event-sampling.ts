import type { ErrorGroup, LockedError } from './error-group.js';
import type { IngestItem } from './ingest-item.js';
import { utcDay } from './utc-day.js';

/** How many events of an error are stored in a day: so many, then each n-th. */
export interface Sampling {
  all: number;
  interval: number;
}

/**
 * What of an error's new events is stored. Each day (UTC) begins anew, so that the first event of
 * a day, and of an error, is stored in any case.
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
