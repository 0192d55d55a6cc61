import type { TransactionRows } from '../../core/sql/sql.service.js';
import type { ErrorGroup } from './error-group.js';
import { InputColumns } from './input-columns.js';

const HOUR_MS = 3_600_000;

interface HourCount {
  errorId: number;
  hour: number;
  events: number;
}

const HOURS = new InputColumns<HourCount>([
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['hour', 'timestamptz', ({ hour }) => new Date(hour * HOUR_MS).toISOString()],
  ['events', 'bigint', ({ events }) => events],
]);

const ADD_SQL = `
  INSERT INTO error_trends (error_id, hour, events_count)
  SELECT n.error_id, n.hour, n.events FROM ${HOURS.source}
  ON CONFLICT (error_id, hour)
    DO UPDATE SET events_count = error_trends.events_count + excluded.events_count`;

/** Adds the events of locked errors to the hours in which they came. */
export async function addTrends(
  rows: TransactionRows,
  groups: readonly ErrorGroup[],
): Promise<void> {
  await rows(ADD_SQL, HOURS.values(groups.flatMap(hoursOf)));
}

function hoursOf({ error, items }: ErrorGroup): HourCount[] {
  const counts = new Map<number, number>();
  for (const { event } of items) {
    const hour = Math.floor(event.receivedAt.getTime() / HOUR_MS);
    counts.set(hour, (counts.get(hour) ?? 0) + 1);
  }
  return [...counts].map(([hour, events]) => ({ errorId: error.id, hour, events }));
}
