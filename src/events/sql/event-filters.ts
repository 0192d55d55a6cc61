import { EVENT_ACTIONS, EVENT_TARGETS } from '../../core/activity/event-kinds.js';
import type { Conditions } from '../../core/sql/conditions.js';
import type { ListEventsDto, TargetFilter } from '../event.dto.js';

const DAY_MS = 86_400_000;

/** As stored, for what events are recorded about. */
const TARGETS: Partial<Record<TargetFilter, number>> = {
  issue: EVENT_TARGETS.issue,
  milestone: EVENT_TARGETS.milestone,
  merge_request: EVENT_TARGETS.merge_request,
  note: EVENT_TARGETS.note,
  project: EVENT_TARGETS.project,
  wiki: EVENT_TARGETS.wiki_page,
};

/** Adds the filters of a list of events `e`. The days of `before` and `after` are excluded. */
export function addEventFilters(where: Conditions, filters: ListEventsDto): void {
  const { action, target_type: target, before, after } = filters;
  if (action) where.and(`e.action = ${where.value(EVENT_ACTIONS[action])}`);
  if (target) where.and(targetSql(where, TARGETS[target]));
  if (before) where.and(`e.created_at < ${where.value(startOf(before))}`);
  if (after) where.and(`e.created_at >= ${where.value(startOf(after, 1))}`);
}

function targetSql(where: Conditions, target: number | undefined): string {
  return target === undefined ? 'false' : `e.target_type = ${where.value(target)}`;
}

/** By time, then by id: many events can be of one moment. */
export function eventOrder({ sort }: ListEventsDto): string {
  const direction = sort === 'asc' ? 'ASC' : 'DESC';
  return `e.created_at ${direction}, e.id ${direction}`;
}

/**
 * SQL for the events since the beginning of last month, which a list begins with; null when it
 * begins elsewhere. A fixed text for a whole month, so that plans leave older partitions out.
 */
export function recentEventSql({ sort, before }: ListEventsDto, now: Date): string | null {
  if (sort === 'asc' || before) return null;
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
  return `e.created_at >= '${start.toISOString()}'`;
}

/** Beginning of the day, or of a later one (UTC). */
function startOf(day: string, later = 0): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + later * DAY_MS);
}
