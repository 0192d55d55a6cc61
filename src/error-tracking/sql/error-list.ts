import { containsPattern, type Conditions } from '../../core/sql/conditions.js';
import type { ListQuery } from '../../core/sql/list-query.js';
import { optionalUserSql } from '../../identity/users/sql/user-list.js';
import { ERROR_STATUS, type ErrorStatus } from '../error-values.js';

/** Sort columns of error lists. */
export const ERROR_SORTS = ['last_seen', 'first_seen', 'frequency'] as const;
export type ErrorSort = (typeof ERROR_SORTS)[number];

/** A tag and the value that events have of it. */
export type TagFilter = readonly [key: string, value: string];

/** Which errors of a project are meant; errors of which events had all the tags. */
export interface ErrorFilters {
  /** null for all. */
  status: ErrorStatus | null;
  /** Words that all have to be in type, value, culprit or functions of the stack, in any case. */
  search?: string | null;
  environment?: string | null;
  release?: string | null;
  tags?: readonly TagFilter[];
  /** Errors of which no event had any of these. */
  excludedTags?: readonly TagFilter[];
  /** `last_seen` by default. */
  sort?: ErrorSort | null;
  /** `desc` by default. */
  direction?: 'asc' | 'desc' | null;
}

/** Columns of an `ErrorGroupRow`, from `errors e` with `ERROR_JOINS`. */
export const ERROR_COLUMNS = `
  e.id, e.project_id AS "projectId", e.status, e.type, e.value, e.culprit, e.platform, e.logger,
  e.level, e.is_unhandled AS "isUnhandled", e.first_seen_at AS "firstSeenAt",
  e.last_seen_at AS "lastSeenAt", e.events_count AS "eventsCount",
  e.users_count AS "usersCount", e.first_release AS "firstRelease",
  e.last_release AS "lastRelease", e.regressed_at AS "regressedAt",
  e.status_changed_at AS "statusChangedAt", e.resolved_release AS "resolvedRelease",
  e.ignored_until AS "ignoredUntil", e.ignored_until_count AS "ignoredUntilCount", changer.username AS "statusChangedBy",
  CASE WHEN tracker.id IS NULL THEN NULL ELSE json_build_object('iid', i.iid, 'title', i.title,
    'state', i.state) END AS issue, ${optionalUserSql('assignee')} AS assignee`;

/** An issue that was moved to another project is no longer the error's. */
export const ERROR_JOINS = `
  LEFT JOIN users assignee ON assignee.id = e.assignee_id
  LEFT JOIN users changer ON changer.id = e.status_changed_by_id
  LEFT JOIN issues i ON i.id = e.issue_id AND i.project_id = e.project_id
  LEFT JOIN projects tracker ON tracker.id = i.project_id AND tracker.issues_enabled`;

/** A merged error is shown as the one it is merged into. */
const SHOWN_ID = '(SELECT coalesce(merged_into_id, id) FROM errors WHERE id = $2)';

const MERGED_IDS = 'ARRAY(SELECT id FROM errors m WHERE m.merged_into_id = e.id) AS "mergedIds"';

/** $1 = project, $2 = error. */
export const OWNER_SQL = `
  SELECT e.id, e.project_id AS "projectId", ${MERGED_IDS} FROM errors e
  WHERE e.project_id = $1 AND e.id = ${SHOWN_ID}`;

/** $1 = project, $2 = error. */
export const GET_SQL = `
  SELECT ${ERROR_COLUMNS}, ${MERGED_IDS} FROM errors e ${ERROR_JOINS}
  WHERE e.project_id = $1 AND e.id = ${SHOWN_ID}`;

/** Limit of words in a search; more would make it slow. */
const MAX_WORDS = 20;

const COLUMNS: Record<ErrorSort, string> = {
  last_seen: 'e.last_seen_at',
  first_seen: 'e.first_seen_at',
  frequency: 'e.events_count',
};

/** Errors of all states with some tags are few, and are found and sorted sooner than by the index. */
export function errorsOf(
  where: Conditions,
  filters: ErrorFilters,
): Pick<ListQuery, 'from' | 'where'> {
  const { status, search } = filters;
  const isOfProject = where.values.length === 1;
  if (status !== null) where.and(`e.status = ${ERROR_STATUS[status]}`);
  else if (isOfProject || search) return { from: errorsOfAllStates(where, filters), where: 'true' };
  return { from: 'errors e', where: where.toString() };
}

/**
 * FROM of a list of errors that meet the conditions, in all states: the index has those of each
 * state in order, so that each brings only as many as the page may show. Answers columns of `e`
 * that order the list and name its rows.
 */
function errorsOfAllStates(
  where: Conditions,
  { sort }: Pick<ErrorFilters, 'sort'>,
): (top: string) => string {
  return (top) => {
    const parts = Object.values(ERROR_STATUS).map(
      (status) => `(SELECT e.id, ${COLUMNS[sort ?? 'last_seen']} FROM errors e
        WHERE ${where.toString()} AND e.status = ${status} ${top})`,
    );
    return `(${parts.join(' UNION ALL ')}) e`;
  };
}

/** Adds the project and all filters but the state. */
export function addErrorFilters(
  where: Conditions,
  projectId: number,
  filters: Omit<ErrorFilters, 'status'>,
): void {
  const project = where.value(projectId);
  where.and(`e.project_id = ${project} AND e.merged_into_id IS NULL`);
  const words = wordsOf(filters.search).map((word) => `t.text LIKE ${where.value(word)}`);
  if (words.length > 0) {
    where.and(
      `EXISTS (SELECT FROM error_texts t WHERE t.error_id = e.id AND ${words.join(' AND ')})`,
    );
  }
  for (const tag of wantedTags(filters)) where.and(taggedSql(where, project, tag));
  for (const tag of filters.excludedTags ?? []) where.and(`NOT ${taggedSql(where, project, tag)}`);
}

/** Lists with a search text or a tag are planned for its value: no generic plan fits rare and common ones. */
export function isSearch(filters: Omit<ErrorFilters, 'status'>): boolean {
  const { search, excludedTags = [] } = filters;
  return Boolean(search) || wantedTags(filters).length + excludedTags.length > 0;
}

/** ORDER BY of a list; errors alike in it are ordered by their id. */
export function errorOrder({ sort, direction }: Pick<ErrorFilters, 'sort' | 'direction'>): string {
  const word = direction === 'asc' ? 'ASC' : 'DESC';
  return `${COLUMNS[sort ?? 'last_seen']} ${word}, e.id ${word}`;
}

function wantedTags({ environment, release, tags = [] }: Partial<ErrorFilters>): TagFilter[] {
  const wanted: TagFilter[] = [...tags];
  if (environment) wanted.push(['environment', environment]);
  if (release) wanted.push(['release', release]);
  return wanted;
}

function taggedSql(where: Conditions, project: string, [key, value]: TagFilter): string {
  return `EXISTS (SELECT FROM error_tags t WHERE t.project_id = ${project}
    AND t.key = ${where.value(key)} AND t.value = ${where.value(value)} AND t.error_id = e.id)`;
}

function wordsOf(search: string | null | undefined): string[] {
  const words = (search ?? '').toLowerCase().split(/\s+/);
  const given = words.filter((word) => word !== '');
  return [...new Set(given)].slice(0, MAX_WORDS).map(containsPattern);
}
