import type { IngestItem } from './ingest-item.js';

/** A locked error, as far as counting more events needs it. */
export interface LockedError {
  id: number;
  usersCount: number;
  sampledDay: string;
  sampledCount: number;
}

/** New events of one error, in the order in which they came. */
export interface ErrorGroup {
  error: LockedError;
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

/** The item that happened last; of equal times the one that came last. */
export function newestOf({ items }: ErrorGroup): IngestItem {
  return items.reduce((best, item) =>
    item.event.occurredAt >= best.event.occurredAt ? item : best,
  );
}

/** The item that happened first. */
export function oldestOf({ items }: ErrorGroup): IngestItem {
  return items.reduce((best, item) =>
    item.event.occurredAt < best.event.occurredAt ? item : best,
  );
}
