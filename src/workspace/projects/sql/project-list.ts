import type { Viewer } from '../../../core/access/auth-context.js';
import { ApiError } from '../../../core/errors.js';
import { Conditions, similaritySql } from '../../../core/sql/conditions.js';
import { rowVersion, type VersionedQuery } from '../../../core/sql/json-pages.service.js';
import { isUnfiltered } from '../../../core/sql/list-query.js';
import type { Sql } from '../../../core/sql/sql.service.js';
import { authorizedProjectSql, ownProjectsSql } from '../../../identity/members/sql/access.js';
import { ROLES } from '../../../identity/members/roles.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import type { ListProjectsDto } from '../project-filters.dto.js';
import type { CountedProjectRow } from '../projects.repository.js';
import {
  countColumns,
  listedJoins,
  listedLevels,
  PROJECT_COLUMNS,
  PROJECT_FROM,
} from './project-statements.js';
import { addSearch, matchingProjects } from './project-search.js';

/** The namespace whose projects a list has; all projects without one. */
interface ProjectsScope {
  namespaceId?: number;
  /** Also the projects of all groups below `namespaceId`. */
  withDescendants?: boolean;
  /** Only these projects. */
  ids?: readonly number[];
}

/** A list of projects. */
export interface ProjectsQuery {
  filters: ListProjectsDto;
  viewer: Viewer | null;
  scope?: ProjectsScope;
}

/** Columns of a listed project that are read for each request. */
export type FreshProject = { ownerLevel: number } & Pick<
  CountedProjectRow,
  | 'visibility'
  | 'emailsEnabled'
  | `${'project' | 'group'}Level`
  | 'openIssuesCount'
  | 'groupsSendMails'
>;

/** Orders by a column; those without data of their own yet (stars, sizes) fall back to the id. */
const ORDER_COLUMNS: Record<string, string | undefined> = {
  name: 'p.name',
  path: 'p.path',
  created_at: 'p.created_at',
  updated_at: 'p.updated_at',
  last_activity_at: 'p.last_activity_at',
};
const SIZE_ORDERS = ['storage_size', 'repository_size', 'wiki_size', 'packages_size'];

/**
 * Returns the statement of a list; throws 400 for filters by `updated_at` without that order. If the
 * list is of the viewer's own projects, or of those whose namespaces match, and these are few, it
 * names them: they can be far apart in the order of all projects.
 */
export async function projectsStatement(
  queries: Sql,
  query: ProjectsQuery,
): Promise<VersionedQuery> {
  const { filters, viewer } = query;
  const level = leastLevel(filters);
  const own =
    level === 0 || viewer === null
      ? null
      : await queries.fewIds(ownProjectsSql('$1', '$2::int'), [viewer.id, level]);
  const isShort = own !== null || query.scope?.ids !== undefined;
  const matches = isShort ? null : await matchingProjects(queries, filters);
  return statementOf(query, { own, matches });
}

/** Ids of projects that a list names, if they are few. */
interface NamedProjects {
  own: readonly number[] | null;
  matches: readonly number[] | null;
}

function statementOf(
  { filters, viewer, scope = {} }: ProjectsQuery,
  { own, matches }: NamedProjects,
): VersionedQuery {
  assertPaired(filters);
  const where = new Conditions();
  const isAdmin = viewer?.admin === true;
  addAdminFilters(where, filters, isAdmin);
  const isLimited = viewer !== null && (!isAdmin || leastLevel(filters) > 0);
  const me = isLimited ? where.value(viewer.id) : 'NULL';
  where.and(visibleProjectSql(viewer, me));
  addScope(where, scope);
  addMembership(where, filters, me);
  for (const ids of [own, matches]) {
    if (ids !== null) where.and(`p.id = ANY(${where.value(ids)}::bigint[])`);
  }
  addAttributes(where, filters);
  addRanges(where, filters);
  const pattern = matches === null ? addSearch(where, filters) : null;
  const orderBy = order(filters, pattern, isAdmin);
  // The count needs neither the namespace nor, for administrators, the viewer.
  const isByNamespace =
    scope.withDescendants === true || (filters.search_namespaces === true && matches === null);
  const [from, namespace] = isByNamespace
    ? [PROJECT_FROM, '']
    : ['projects p', 'JOIN namespaces n ON n.id = p.namespace_id'];
  const user = `$${where.values.length + 1}::bigint`;
  const { owner, project, group } = listedLevels(user);
  const fresh = `${project} AS "projectLevel", ${group} AS "groupLevel",
    ${countColumns({ id: 'p.id', namespaceId: 'p.namespace_id' })}`;
  return {
    key: 'p.id',
    id: 'p.id',
    select: `${PROJECT_COLUMNS}, ${fresh}, greatest(${owner}, ${project}, ${group}) AS "accessLevel"`,
    version: rowVersion('p', 'n', 'o', 'g'),
    fresh: `${fresh}, ${owner} AS "ownerLevel", p.visibility, p.emails_enabled AS "emailsEnabled"`,
    from,
    joins: `${namespace} ${listedJoins(user)}`,
    where: String(where),
    orderBy,
    values: where.values,
    isSearch: Boolean(filters.search),
    isWhole: isUnfiltered({ ...scope, ...filters }),
    joinValues: [viewer?.id ?? null],
  };
}

function order(filters: ListProjectsDto, pattern: string | null, isAdmin: boolean): string {
  const direction = filters.sort === 'asc' ? 'ASC' : 'DESC';
  const tie = `p.id ${direction}`;
  const by = filters.order_by ?? 'created_at';
  if (by === 'similarity' && pattern !== null) {
    return `${similaritySql(pattern, ['p.path', 'p.name'])}, p.name, p.id`;
  }
  const hasNoData = by === 'star_count' || (isAdmin && SIZE_ORDERS.includes(by));
  if (by === 'id' || hasNoData) return tie;
  return `${ORDER_COLUMNS[by] ?? 'p.created_at'} ${direction}, ${tie}`;
}

function assertPaired(filters: ListProjectsDto): void {
  const isFiltered = Boolean(filters.updated_after) || Boolean(filters.updated_before);
  if (!isFiltered || filters.order_by === 'updated_at') return;
  throw new ApiError(400, {
    message: '`updated_at` filter and `updated_at` sorting must be paired',
  });
}

/**
 * Returns SQL that is true for projects `p` visible to the viewer, whose id is the SQL expression `me`.
 * Anonymous: public. Signed in: also internal (not for external users) and their own.
 */
export function visibleProjectSql(viewer: Viewer | null, me: string): string {
  if (viewer === null) return `p.visibility = ${VISIBILITY.public}`;
  if (viewer.admin) return 'true';
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  return `p.visibility >= ${open} OR ${authorizedProjectSql(me, String(ROLES.guest))}`;
}

/** Limits the list to a namespace, with or without what is below it, or to some projects. */
function addScope(where: Conditions, scope: ProjectsScope): void {
  const { namespaceId, ids } = scope;
  if (ids !== undefined) where.and(`p.id = ANY(${where.value(ids)}::bigint[])`);
  if (namespaceId === undefined) return;
  const id = where.value(namespaceId);
  where.and(
    scope.withDescendants === true
      ? `n.traversal_ids @> ARRAY[${id}]::bigint[]`
      : `p.namespace_id = ${id}`,
  );
}

/** The level that the filters about the viewer ask for: `membership`, `owned`, `min_access_level`. */
function leastLevel(filters: ListProjectsDto): number {
  return Math.max(
    filters.membership === true ? ROLES.guest : 0,
    filters.owned === true ? ROLES.owner : 0,
    filters.min_access_level ?? 0,
  );
}

/** Adds the filters about the viewer; anonymous callers belong nowhere. */
function addMembership(where: Conditions, filters: ListProjectsDto, me: string): void {
  const level = leastLevel(filters);
  if (level > 0) where.and(authorizedProjectSql(me, `${where.value(level)}::int`));
}

/** Filters about the project itself. */
function addAttributes(where: Conditions, filters: ListProjectsDto): void {
  const { archived, visibility, topic } = filters;
  if (typeof archived === 'boolean') where.and(archived ? 'p.archived' : 'NOT p.archived');
  if (visibility) where.and(`p.visibility = ${where.value(VISIBILITY[visibility])}`);
  if (filters.with_issues_enabled === true) where.and('p.issues_enabled');
  if (filters.with_merge_requests_enabled === true) where.and('p.merge_requests_enabled');
  if (topic) where.and(`p.topics @> ${where.value(splitTopics(topic))}::text[]`);
  const findsNothing =
    filters.starred === true ||
    filters.imported === true ||
    Boolean(filters.with_programming_language) ||
    typeof filters.topic_id === 'number';
  if (findsNothing) where.and('false');
}

function splitTopics(topic: string): string[] {
  return topic
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Filters by id and time; the bounds themselves are left out, as with `id_after`. */
function addRanges(where: Conditions, filters: ListProjectsDto): void {
  const ranges = [
    ['p.id >', filters.id_after],
    ['p.id <', filters.id_before],
    ['p.last_activity_at >=', filters.last_activity_after],
    ['p.last_activity_at <=', filters.last_activity_before],
    ['p.updated_at >=', filters.updated_after],
    ['p.updated_at <=', filters.updated_before],
  ] as const;
  for (const [comparison, bound] of ranges) {
    if (bound !== undefined && bound !== null) where.and(`${comparison} ${where.value(bound)}`);
  }
}

/** Filters that count for administrators only and are dropped silently for others. */
function addAdminFilters(where: Conditions, filters: ListProjectsDto, isAdmin: boolean): void {
  if (!isAdmin || filters.include_pending_delete !== true) where.and('NOT p.pending_delete');
  if (isAdmin && filters.repository_storage) {
    where.and(`p.repository_storage = ${where.value(filters.repository_storage)}`);
  }
}
