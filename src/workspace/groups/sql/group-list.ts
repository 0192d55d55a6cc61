import type { Viewer } from '../../../core/access/auth-context.js';
import { Conditions, containsPattern, similaritySql } from '../../../core/sql/conditions.js';
import { rowVersion, type VersionedQuery } from '../../../core/sql/json-pages.service.js';
import { isUnfiltered } from '../../../core/sql/list-query.js';
import type { Sql } from '../../../core/sql/sql.service.js';
import {
  accessLevelSql,
  authorizedNamespaceSql,
  authorizedNamespacesSql,
  viewerSql,
} from '../../../identity/members/sql/access.js';
import { ROLES } from '../../../identity/members/roles.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import type { ListGroupsDto } from '../group.dto.js';

/** A list of groups. */
export interface GroupsQuery {
  filters: ListGroupsDto;
  viewer: Viewer | null;
  /** Only the direct subgroups of this group. */
  parentId?: number;
  /** Only these groups. */
  ids?: readonly number[];
  /** Only subgroups of this group at every level. */
  ancestorId?: number;
  /** Neither this group nor its subgroups. */
  outsideId?: number;
}

/** The tables of a GroupRow. */
export const GROUP_FROM = `groups g JOIN namespaces n ON n.id = g.id AND n.kind = 'group'`;

/** Returns the columns of a GroupRow; `user` is the placeholder of the viewer's id or null. */
export function groupColumns(user: string): string {
  return `g.id, n.name, n.path, n.full_path AS "fullPath", n.full_name AS "fullName",
    n.parent_id AS "parentId", g.description, g.visibility, g.avatar,
    g.request_access_enabled AS "requestAccessEnabled", g.emails_enabled AS "emailsEnabled",
    g.repository_storage AS "repositoryStorage", g.repository_read_only AS "repositoryReadOnly",
    n.created_at AS "createdAt", n.updated_at AS "updatedAt",
    ${sendsMailsSql('n.id')} AS "sendsMails",
    ${accessLevelSql(`${user}::bigint`, 'n', 'NULL')} AS "accessLevel"`;
}

/**
 * Returns a SQL condition: neither the namespace whose id is the SQL expression `namespaceId` nor
 * any group above it has turned emails off.
 */
export function sendsMailsSql(namespaceId: string): string {
  return `NOT EXISTS (SELECT FROM namespaces place
    JOIN groups silent ON silent.id = ANY(place.traversal_ids)
    WHERE place.id = ${namespaceId} AND NOT silent.emails_enabled)`;
}

/** Columns of a listed group that are read for each request. */
export interface FreshGroup {
  sendsMails: boolean;
}

/** Returns the statement of a list. */
export async function groupsStatement(queries: Sql, query: GroupsQuery): Promise<VersionedQuery> {
  const where = new Conditions();
  const from = await addGroupConditions(where, queries, query);
  return {
    key: 'g.id',
    id: 'g.id',
    select: groupColumns('viewer.id'),
    version: rowVersion('g', 'n'),
    fresh: `${sendsMailsSql('n.id')} AS "sendsMails"`,
    from,
    orderBy: groupOrder(query.filters, addGroupSearch(where, query.filters)),
    where: where.toString(),
    values: where.values,
    isSearch: Boolean(query.filters.search),
    isWhole: isUnfiltered({ ...query, viewer: null, filters: null, ...query.filters }),
  };
}

/**
 * Adds the conditions of the query; returns the FROM part, which names the viewer `viewer.id`. If the
 * list is of the viewer's own groups and these are few, the conditions name them.
 */
export async function addGroupConditions(
  where: Conditions,
  queries: Sql,
  query: GroupsQuery,
): Promise<string> {
  const from = `${GROUP_FROM} ${viewerSql(where.value(query.viewer?.id ?? null))}`;
  where.and('NOT g.pending_delete');
  where.and(visibleGroupSql(query.viewer, 'viewer.id'));
  const level = leastLevel(query.filters);
  if (level > 0) {
    where.and(authorizedNamespaceSql('n', 'viewer.id', where.value(level)));
    const own = await queries.fewIds(authorizedNamespacesSql('$1::bigint', '$2::int'), [
      query.viewer?.id ?? null,
      level,
    ]);
    if (own !== null) where.and(`g.id = ANY(${where.value(own)}::bigint[])`);
  }
  addFilters(where, query);
  return from;
}

/**
 * Returns SQL that is true for groups visible to the viewer, whose id is the SQL expression `me`: public
 * for anonymous callers; internal for signed-in users who are not external; and their own. `g` and
 * `n` are the group's row and its namespace.
 */
export function visibleGroupSql(viewer: Viewer | null, me: string): string {
  if (viewer === null) return `g.visibility = ${VISIBILITY.public}`;
  if (viewer.admin) return 'true';
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  return `g.visibility >= ${open} OR ${authorizedNamespaceSql('n', me, String(ROLES.guest))}`;
}

/** The level that filters ask of the viewer; anonymous callers have none. */
function leastLevel(filters: ListGroupsDto): number {
  return Math.max(
    filters.owned === true ? ROLES.owner : 0,
    filters.min_access_level ?? 0,
    filters.all_available === false ? ROLES.guest : 0,
  );
}

/** Returns the placeholder of the search pattern, which ordering by similarity uses again. */
export function addGroupSearch(where: Conditions, { search }: ListGroupsDto): string | null {
  if (!search) return null;
  const pattern = where.value(containsPattern(search));
  where.and(`n.name ILIKE ${pattern} OR n.path ILIKE ${pattern}`);
  return pattern;
}

function addFilters(
  where: Conditions,
  { filters, viewer, ids, parentId, ancestorId, outsideId }: GroupsQuery,
): void {
  if (ids !== undefined) where.and(`g.id = ANY(${where.value(ids)}::bigint[])`);
  if (parentId !== undefined) where.and(`n.parent_id = ${where.value(parentId)}`);
  if (ancestorId !== undefined) {
    const id = where.value(ancestorId);
    where.and(`n.traversal_ids @> ARRAY[${id}]::bigint[] AND n.id <> ${id}`);
  }
  if (outsideId !== undefined) {
    where.and(`NOT n.traversal_ids @> ARRAY[${where.value(outsideId)}]::bigint[]`);
  }
  if (filters.top_level_only === true) where.and('n.parent_id IS NULL');
  if (filters.skip_groups?.length) {
    where.and(`g.id <> ALL(${where.value(filters.skip_groups)}::bigint[])`);
  }
  if (filters.visibility)
    where.and(`g.visibility = ${where.value(VISIBILITY[filters.visibility])}`);
  if (filters.repository_storage && viewer?.admin === true) {
    where.and(`g.repository_storage = ${where.value(filters.repository_storage)}`);
  }
}

/** Returns the ORDER BY part; `pattern` is the placeholder that `addGroupSearch` returned. */
function groupOrder(filters: ListGroupsDto, pattern: string | null): string {
  const direction = filters.sort === 'desc' ? 'DESC' : 'ASC';
  const tie = `g.id ${direction}`;
  if (filters.order_by === 'id') return tie;
  if (filters.order_by === 'path') return `n.path ${direction}, ${tie}`;
  if (filters.order_by === 'similarity' && pattern !== null) {
    return `${similaritySql(pattern, ['n.path', 'n.name'])}, n.name, g.id`;
  }
  return `n.name ${direction}, ${tie}`;
}
