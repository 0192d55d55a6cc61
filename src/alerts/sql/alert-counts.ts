import { ALERT_STATUSES, statusOf, type AlertStatus } from '../alert-values.js';
import { Conditions } from '../../core/sql/conditions.js';
import { addAlertFilters, addListFilters, type AlertSelection } from './alert-list.js';
import type { AlertFiltersDto } from '../alert.dto.js';

/** The number of alerts in each state; `open` are triggered and acknowledged ones. */
export type AlertCounts = Record<AlertStatus | 'all' | 'open', number>;

/** Alerts of one severity that began within one period. */
export interface CountedPeriod {
  start: Date;
  severity: number;
  count: number;
}

/** Unit of a chart and the time that it shows. */
export interface CountedTime {
  unit: 'hour' | 'day';
  from: Date;
  to: Date;
}

interface Statement {
  text: string;
  values: unknown[];
}

/** Counts the filtered alerts by status, for `alertCounts`. */
export function statusCountsStatement(selection: AlertSelection<AlertFiltersDto>): Statement {
  const where = new Conditions();
  addAlertFilters(where, selection);
  const text = `SELECT a.status AS name, count(*)::int AS count FROM alerts a
    WHERE ${where.toString()} AND a.status = ANY($${where.values.length + 1}::int[])
    GROUP BY a.status`;
  return { text, values: where.values };
}

/** Alerts of a status, by its position in ALERT_STATUSES. */
export interface AlertCount {
  name: number;
  count: number;
}

/** The values of `AlertCount.name`. */
export const ALERT_STATUS_NUMBERS: readonly number[] = ALERT_STATUSES.map((_, number) => number);

/** Returns the numbers of the rows of `statusCountsStatement`. */
export function alertCounts(rows: readonly AlertCount[]): AlertCounts {
  const found = new Map(rows.map(({ name, count }) => [statusOf(name), count]));
  const of = (status: AlertStatus): number => found.get(status) ?? 0;
  return {
    all: ALERT_STATUSES.reduce((sum, status) => sum + of(status), 0),
    open: of('triggered') + of('acknowledged'),
    triggered: of('triggered'),
    acknowledged: of('acknowledged'),
    resolved: of('resolved'),
    ignored: of('ignored'),
  };
}

/** Counts the filtered alerts that began in that time by period and severity. */
export function periodCountsStatement(
  selection: AlertSelection,
  { unit, from, to }: CountedTime,
): Statement {
  const where = new Conditions();
  addAlertFilters(where, selection);
  addListFilters(where, selection.filters);
  // Served by `ix_alerts_project_started_at`.
  where.and(`a.started_at >= ${where.value(from)} AND a.started_at < ${where.value(to)}`);
  const text = `SELECT date_bin('1 ${unit}', a.started_at, TIMESTAMPTZ 'epoch') AS start, a.severity,
      count(*)::int AS count
    FROM alerts a WHERE ${where.toString()} GROUP BY 1, 2`;
  return { text, values: where.values };
}
