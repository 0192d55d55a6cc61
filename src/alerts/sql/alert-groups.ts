import { Conditions } from '../../core/sql/conditions.js';
import type { ListQuery } from '../../core/sql/list-query.js';
import type { ListAlertsDto } from '../alert.dto.js';
import { STATUS } from '../alert-values.js';
import {
  addAlertFilters,
  addListFilters,
  isAlertSearch,
  type AlertSelection,
} from './alert-list.js';

/** Attributes by which the list of alerts is grouped. */
export const ALERT_GROUPINGS = ['title', 'environment'] as const;
export type AlertGrouping = (typeof ALERT_GROUPINGS)[number];

/** Alerts with the same title, or of the same environment. */
export interface AlertGroupRow {
  /** null for alerts without an environment. */
  name: string | null;
  alerts: number;
  triggered: number;
  events: number;
  /** Of the most critical alert. */
  severity: number;
  lastStartedAt: Date;
  /** Alerts that started in each of the last 24 hours, oldest first. */
  trend: number[];
}

/** A group as it is listed. */
export type ListedGroupRow = Omit<AlertGroupRow, 'trend'>;

const HOURS = 24;

/** The trend of a group without alerts in that time. */
export const NO_TREND: readonly number[] = Array.from({ length: HOURS }, () => 0);

const TREND = Array.from({ length: HOURS }, (_, index) => {
  const from = `now() - interval '${HOURS - index} hours'`;
  const to = `now() - interval '${HOURS - index - 1} hours'`;
  return `count(*) FILTER (WHERE a.started_at > ${from} AND a.started_at <= ${to})::int`;
}).join(',\n');

const NAMES: Record<AlertGrouping, { name: string; join: string }> = {
  title: { name: 'a.title', join: '' },
  environment: {
    name: 'e.name',
    join: 'LEFT JOIN environments e ON e.id = a.environment_id AND e.project_id = a.project_id',
  },
};

const ORDERS: Partial<Record<NonNullable<ListAlertsDto['order_by']>, string>> = {
  started_at: '"lastStartedAt" DESC',
  updated_at: '"lastUpdatedAt" DESC',
  event_count: 'events DESC',
  severity: 'severity',
};

/** The groups of the filtered alerts with their numbers, without trends. */
export function alertGroupsQuery(selection: AlertSelection, by: AlertGrouping): ListQuery {
  const { filters } = selection;
  const where = new Conditions();
  addAlertFilters(where, selection);
  addListFilters(where, filters);
  const { name, join } = NAMES[by];
  const order = ORDERS[filters.order_by ?? 'started_at'] ?? '"lastStartedAt" DESC';
  const isOldestFirst = filters.order_by === 'started_at' && filters.sort === 'asc';
  return {
    select: 'g.*',
    from: `(SELECT ${name} AS name, count(*)::int AS alerts,
        count(*) FILTER (WHERE a.status = ${STATUS.triggered})::int AS triggered,
        sum(a.event_count)::bigint AS events, min(a.severity) AS severity,
        max(a.started_at) AS "lastStartedAt", max(a.updated_at) AS "lastUpdatedAt"
      FROM alerts a ${join} WHERE ${where.toString()} GROUP BY 1) g`,
    where: 'true',
    orderBy: `${isOldestFirst ? '"lastStartedAt"' : order}, name NULLS LAST`,
    values: where.values,
    isSearch: isAlertSearch(filters),
  };
}

/**
 * The trends of these groups, of those that have any alerts in that time. Reads no other alerts than
 * those of the last 24 hours, by `ix_alerts_project_started_at`.
 */
export function groupTrendsStatement(
  selection: AlertSelection,
  by: AlertGrouping,
  groups: readonly ListedGroupRow[],
): { text: string; values: unknown[] } {
  const where = new Conditions();
  addAlertFilters(where, selection);
  addListFilters(where, selection.filters);
  const { name, join } = NAMES[by];
  const names = where.value(groups.map((group) => group.name ?? ''));
  where.and(`a.started_at > now() - interval '${HOURS} hours'`);
  where.and(`coalesce(${name}, '') = ANY(${names}::text[])`);
  const text = `SELECT ${name} AS name, ARRAY[${TREND}] AS trend
    FROM alerts a ${join} WHERE ${where.toString()} GROUP BY 1`;
  return { text, values: where.values };
}
