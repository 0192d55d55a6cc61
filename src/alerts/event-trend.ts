import type { Alert } from './alert.entity.js';

/** Hours of an alert's trend; the database keeps no more of them. */
export const TREND_HOURS = 24;

const HOUR_MS = 3_600_000;

/** Columns of an alert that its trend is made of. */
export type TrendColumns = Pick<Alert, 'hourTotals' | 'totalsHour' | 'eventCount' | 'createdAt'>;

/** Returns the alert's events in each of the last 24 hours (UTC, the present one included), oldest first. */
export function eventTrend(alert: TrendColumns, now: Date): number[] {
  const { hourTotals, totalsHour, eventCount, createdAt } = alert;
  const totals = [...(hourTotals ?? [0]), eventCount];
  const counts = totals.slice(1).map((total, index) => total - (totals[index] ?? 0));
  const latest = totalsHour ?? hourOf(createdAt);
  const first = hourOf(now) - TREND_HOURS + 1;
  const countOf = (hour: number): number => counts[counts.length - 1 - (latest - hour)] ?? 0;
  return Array.from({ length: TREND_HOURS }, (_, index) => countOf(first + index));
}

function hourOf(time: Date): number {
  return Math.floor(time.getTime() / HOUR_MS);
}
