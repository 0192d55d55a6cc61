import type { Viewer } from '../../core/access/auth-context.js';
import { Conditions } from '../../core/sql/conditions.js';
import type { ListQuery } from '../../core/sql/list-query.js';
import { ROLES } from '../../identity/members/roles.js';
import { authorizedProjectSql, ownProjectsSql } from '../../identity/members/sql/access.js';
import type { ListEventsDto } from '../event.dto.js';
import { addEventFilters, EVENT_COLUMNS, eventOrder } from './event-list.js';
import { rightsInAny, visibleEventSql } from './event-visibility.js';

/** The parts that all lists of events have in common. */
export const EVENT_LIST = {
  select: EVENT_COLUMNS,
  rows: { table: 'events', alias: 'e', columns: ['created_at', 'id'] },
} as const satisfies Partial<ListQuery>;

/** The projects of a list of events; the SQL names the value with which they are selected. */
export interface EventProjects {
  value: number;
  /** Select of their ids. */
  idsSql(value: string): string;
  /** Condition for projects `p`. */
  conditionSql(value: string): string;
}

const GUEST = String(ROLES.guest);

/** The projects of which the viewer is a member, directly or through a group. */
export function projectsOfMember({ id }: Viewer): EventProjects {
  return {
    value: id,
    idsSql: (value) => ownProjectsSql(value, GUEST),
    conditionSql: (value) => authorizedProjectSql(value, GUEST),
  };
}

/** The projects of a group and its descendants. */
export function projectsOfGroup(groupId: number): EventProjects {
  const below = (value: string): string => `SELECT below.id FROM namespaces below
    WHERE below.traversal_ids @> ARRAY[${value}]::bigint[]`;
  return {
    value: groupId,
    idsSql: (value) =>
      `SELECT b.id FROM projects b WHERE b.namespace_id = ANY(ARRAY(${below(value)}))`,
    conditionSql: (value) => `p.namespace_id IN (${below(value)})`,
  };
}

/** Events of many projects that the viewer can see, since `start` if it is given. */
export interface ProjectEventsQuery {
  viewer: Viewer | null;
  filters: ListEventsDto;
  projects: EventProjects;
  /** The ids of the projects if they are few. */
  ids: readonly number[] | null;
  start: Date | null;
  /** They are so many that all events are read sooner than those of each. */
  areMost: boolean;
}

/**
 * Returns the statement of a list. It reads the latest events of each project, as many as the page can
 * need, and then their latest. Of many projects it reads the latest events of all since `start`
 * until the page is full, and only counts by project: few of all events can be theirs. Of most
 * projects it always reads the events of all.
 */
export function projectEventsQuery(query: ProjectEventsQuery): ListQuery {
  const { projects, ids, start, areMost, filters } = query;
  const where = new Conditions();
  const value = where.value(projects.value);
  const listed = `NOT p.pending_delete AND (${projects.conditionSql(value)})`;
  const [named, areNamed] =
    ids === null
      ? [
          `(SELECT DISTINCT id FROM (${projects.idsSql(value)}) found) own
            JOIN projects p ON p.id = own.id`,
          'true',
        ]
      : ['projects p', `p.id = ANY(${where.value(ids)}::bigint[])`];
  const visible = visibleSql(where, query);
  const range = new Conditions(where.values);
  addRange(range, query);
  const ofEach = (top: string): string => `(SELECT e.created_at, e.id
    FROM ${named} CROSS JOIN LATERAL
      (SELECT e.created_at, e.id FROM events e
       WHERE e.project_id = p.id AND (${visible}) AND ${range.toString()} ${top}) e
    WHERE ${areNamed} AND ${listed}) e`;
  const ofAll = (top: string): string => `(SELECT e.created_at, e.id FROM events e
    WHERE (SELECT ${listed} AND (${visible}) FROM projects p WHERE p.id = e.project_id)
      AND ${range.toString()} ${top}) e`;
  const isWalk = (top: string): boolean =>
    areMost || (ids === null && start !== null && top !== '');
  return {
    ...EVENT_LIST,
    from: (top) => (isWalk(top) ? ofAll(top) : ofEach(top)),
    where: 'true',
    orderBy: eventOrder(filters),
    values: where.values,
  };
}

function visibleSql(conditions: Conditions, { viewer }: ProjectEventsQuery): string {
  return visibleEventSql(conditions, rightsInAny(conditions, viewer));
}

function addRange(where: Conditions, { start, filters }: ProjectEventsQuery): void {
  if (start !== null) where.and(`e.created_at >= ${where.value(start)}`);
  addEventFilters(where, filters);
}
