import type { Viewer } from '../../../core/access/viewer.js';
import { ApiError } from '../../../core/errors.js';
import { containsPattern, Conditions, similaritySql } from '../../../core/sql/conditions.js';
import { authorizedProjectSql, viewerSql } from '../../../identity/members/sql/access.js';
import { ROLES } from '../../../identity/members/roles.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import type { ListProjectsDto } from '../project-filters.dto.js';
import { countColumns, PROJECT_COLUMNS, PROJECT_FROM, projectJoins } from './project-statements.js';

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

/** The parts of a list's statement. */
interface ProjectsStatement {
  select: string;
  from: string;
  joins: string;
  where: string;
  orderBy: string;
  values: unknown[];
}

/** Orders by a column; those without data of their own yet (stars, sizes) fall back to the id. */
const ORDER_COLUMNS: Record<string, string | undefined> = {
  name: 'p.name',
  path: 'p.path',
  created_at: 'p.created_at',
  updated_at: 'p.updated_at',
  last_activity_at: 'p.last_activity_at',
};
const SIZE_ORDERS = ['storage_size', 'repository_size', 'wiki_size', 'packages_size'];

/** Returns the statement of a list; throws 400 for filters by `updated_at` without that order. */
export function projectsStatement({
  filters,
  viewer,
  scope = {},
}: ProjectsQuery): ProjectsStatement {
  assertPaired(filters);
  const where = new Conditions();
  const isAdmin = viewer?.admin === true;
  const from = `${PROJECT_FROM} ${viewerSql(where.value(viewer?.id ?? null))}`;
  addAdminFilters(where, filters, isAdmin);
  where.and(visibleProjectSql(viewer, 'viewer.id'));
  addScope(where, scope);
  addMembership(where, filters);
  addAttributes(where, filters);
  addRanges(where, filters);
  const orderBy = order(filters, addSearch(where, filters), isAdmin);
  return {
    select: `${PROJECT_COLUMNS}, ${countColumns({ id: 'p.id', namespaceId: 'p.namespace_id' })}`,
    from,
    joins: projectJoins('viewer.id'),
    where: String(where),
    orderBy,
    values: where.values,
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

/** Filters about the viewer: `membership`, `owned`, `min_access_level`; anonymous belongs nowhere. */
function addMembership(where: Conditions, filters: ListProjectsDto): void {
  const level = Math.max(
    filters.membership === true ? ROLES.guest : 0,
    filters.owned === true ? ROLES.owner : 0,
    filters.min_access_level ?? 0,
  );
  if (level > 0) where.and(authorizedProjectSql('viewer.id', `${where.value(level)}::int`));
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

/** Returns the placeholder of the search pattern, which ordering by similarity uses again. */
function addSearch(where: Conditions, filters: ListProjectsDto): string | null {
  if (!filters.search) return null;
  const pattern = where.value(containsPattern(filters.search));
  const own = `p.name ILIKE ${pattern} OR p.path ILIKE ${pattern} OR p.description ILIKE ${pattern}`;
  const path = `n.full_path || '/' || p.path ILIKE ${pattern} OR n.full_name ILIKE ${pattern}`;
  where.and(filters.search_namespaces === true ? `${own} OR ${path}` : own);
  return pattern;
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
