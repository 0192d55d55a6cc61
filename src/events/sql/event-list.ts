import type { Viewer } from '../../core/access/auth-context.js';
import { EVENT_NOTEABLES, EVENT_TARGETS, EVENT_ACTIONS } from '../../core/activity/event.entity.js';
import { rowVersion, type VersionedQuery } from '../../core/sql/json-pages.service.js';
import { ROLES } from '../../identity/members/roles.js';
import { authorizedProjectSql, ownProjectsSql } from '../../identity/members/sql/access.js';
import { userSql } from '../../identity/users/sql/user-list.js';
import { Conditions } from '../../core/sql/conditions.js';
import type { ListEventsDto, TargetFilter } from '../event.dto.js';
import {
  projectsWithRoles,
  rightsInAny,
  viewerValue,
  visibleEventSql,
} from './event-visibility.js';

/** The author, the comment and the issue of most events; a page reads them together. */
const EVENT_JOINS = `LEFT JOIN users u ON u.id = e.author_id
  LEFT JOIN notes t ON e.target_type = ${EVENT_TARGETS.note} AND t.id = e.target_id
  LEFT JOIN issues i ON i.id = CASE
    WHEN e.target_type = ${EVENT_TARGETS.issue} THEN e.target_id
    WHEN e.noteable_type = ${EVENT_NOTEABLES.issue} THEN e.noteable_id END`;

const numberedSql = (table: string): string =>
  `(SELECT json_build_object('iid', x.iid, 'title', x.title) FROM ${table} x WHERE x.id = e.target_id)`;

/** One sub-select per other kind: an event runs only one of them, by the primary key of its target. */
const TARGET_SQL = `CASE e.target_type
  WHEN ${EVENT_TARGETS.issue} THEN json_build_object('iid', i.iid, 'title', i.title)
  WHEN ${EVENT_TARGETS.merge_request} THEN ${numberedSql('merge_requests')}
  WHEN ${EVENT_TARGETS.milestone} THEN ${numberedSql('milestones')}
  WHEN ${EVENT_TARGETS.project} THEN (SELECT json_build_object('title', x.name)
    FROM projects x WHERE x.id = e.target_id)
  WHEN ${EVENT_TARGETS.wiki_page} THEN (SELECT json_build_object('path', x.path)
    FROM wiki_pages x WHERE x.id = e.target_id) END`;

const noteableSql = (table: string, column: string): string =>
  `(SELECT x.${column} FROM ${table} x WHERE x.id = e.noteable_id)`;

const NOTEABLE_IID_SQL = `CASE e.noteable_type WHEN ${EVENT_NOTEABLES.issue} THEN i.iid
  WHEN ${EVENT_NOTEABLES.merge_request} THEN ${noteableSql('merge_requests', 'iid')} END`;

const NOTEABLE_TITLE_SQL = `CASE e.noteable_type WHEN ${EVENT_NOTEABLES.issue} THEN i.title
  WHEN ${EVENT_NOTEABLES.merge_request} THEN ${noteableSql('merge_requests', 'title')}
  WHEN ${EVENT_NOTEABLES.snippet} THEN ${noteableSql('snippets', 'title')} END`;

const WRITER_SQL = `CASE WHEN t.author_id = u.id THEN ${userSql('u')}
  ELSE (SELECT ${userSql('writer')} FROM users writer WHERE writer.id = t.author_id) END`;

const NOTE_SQL = `json_build_object('id', t.id, 'body', t.body, 'system', t.system,
    'internal', t.internal, 'createdAt', t.created_at, 'updatedAt', t.updated_at,
    'sha', t.commit_sha, 'line', CASE WHEN t.commit_path IS NOT NULL THEN json_build_object(
      'path', t.commit_path, 'line', t.commit_line, 'type', t.commit_line_type) END,
    'noteableIid', ${NOTEABLE_IID_SQL}, 'noteableTitle', ${NOTEABLE_TITLE_SQL},
    'author', ${WRITER_SQL})`;

/** Columns of an EventRow. */
const EVENT_COLUMNS = `
  e.id, e.created_at AS "createdAt", e.project_id AS "projectId", e.author_id AS "authorId",
  e.action, e.target_type AS "targetType", e.target_id AS "targetId",
  e.noteable_type AS "noteableType", e.noteable_id AS "noteableId",
  e.push_action AS "pushAction", e.ref_type AS "refType", e.ref,
  e.commit_from AS "commitFrom", e.commit_to AS "commitTo", e.commit_count AS "commitCount",
  e.commit_title AS "commitTitle", e.ref_count AS "refCount",
  CASE WHEN u.id IS NOT NULL THEN ${userSql('u')} END AS author,
  ${TARGET_SQL} AS target, CASE WHEN t.id IS NOT NULL THEN ${NOTE_SQL} END AS note`;

const versionOf = (table: string, id: string): string =>
  `(SELECT x.xmin FROM ${table} x WHERE x.id = ${id})`;

/** SQL for the version of an EventRow: that of the event and of every row that it names. */
const EVENT_VERSION = `concat(${rowVersion('e', 'u', 't', 'i')}, ' ',
  CASE e.target_type
    WHEN ${EVENT_TARGETS.merge_request} THEN ${versionOf('merge_requests', 'e.target_id')}
    WHEN ${EVENT_TARGETS.milestone} THEN ${versionOf('milestones', 'e.target_id')}
    WHEN ${EVENT_TARGETS.project} THEN ${versionOf('projects', 'e.target_id')}
    WHEN ${EVENT_TARGETS.wiki_page} THEN ${versionOf('wiki_pages', 'e.target_id')} END, ' ',
  CASE e.noteable_type
    WHEN ${EVENT_NOTEABLES.merge_request} THEN ${versionOf('merge_requests', 'e.noteable_id')}
    WHEN ${EVENT_NOTEABLES.snippet} THEN ${versionOf('snippets', 'e.noteable_id')} END, ' ',
  CASE WHEN t.author_id <> u.id OR u.id IS NULL THEN ${versionOf('users', 't.author_id')} END)`;

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

/** The parts that all lists of events have in common. */
export const EVENT_LIST = {
  id: 'e.id',
  select: EVENT_COLUMNS,
  version: EVENT_VERSION,
  fresh: '',
  joins: EVENT_JOINS,
  rows: { table: 'events', alias: 'e', columns: { created_at: 'timestamptz', id: 'bigint' } },
} as const satisfies Partial<VersionedQuery>;

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
interface ProjectEventsQuery {
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
 * projects it always reads the events of all. The total is not limited by `start`.
 */
export function projectEventsQuery(query: ProjectEventsQuery): VersionedQuery {
  const { viewer, filters, projects, ids, start, areMost } = query;
  const where = new Conditions();
  const visible = visibleEventSql(where, rightsInAny(viewer));
  addEventFilters(where, filters);
  const me = viewerValue(where, viewer);
  const value = where.value(projects.value);
  const listed = `NOT p.pending_delete AND (${projects.conditionSql(value)})`;
  const named =
    ids === null
      ? {
          from: `(SELECT DISTINCT id FROM (${projects.idsSql(value)}) found) own
            JOIN projects p ON p.id = own.id`,
          where: listed,
        }
      : { where: `p.id = ANY(${where.value(ids)}::bigint[]) AND ${listed}` };
  const one = { where: `p.id = e.project_id AND ${listed}` };
  const since = start === null ? 'true' : `e.created_at >= $${where.values.length + 1}`;
  const ofEach = (top: string): string => `(SELECT e.created_at, e.id
    FROM ${projectsWithRoles(me, named)} CROSS JOIN LATERAL
      (SELECT e.created_at, e.id FROM events e
       WHERE e.project_id = p.id AND (${visible}) AND ${where.toString()}
         AND ${top === '' ? 'true' : since} ${top}) e) e`;
  const ofAll = (top: string): string => `(SELECT e.created_at, e.id FROM events e
    WHERE (SELECT ${visible} FROM ${projectsWithRoles(me, one)})
      AND ${where.toString()} AND ${since} ${top}) e`;
  const isWalk = (top: string): boolean =>
    areMost || (ids === null && start !== null && top !== '');
  return {
    ...EVENT_LIST,
    from: (top) => (isWalk(top) ? ofAll(top) : ofEach(top)),
    where: 'true',
    orderBy: eventOrder(filters),
    values: where.values,
    joinValues: start === null ? [] : [start],
  };
}
