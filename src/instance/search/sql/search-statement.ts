import type { Viewer } from '../../../core/access/auth-context.js';
import { type Conditions, similaritySql } from '../../../core/sql/conditions.js';
import type { ListQuery } from '../../../core/sql/list-query.js';
import type { PageScope } from '../search-query.js';
import type { OwnProjects } from './own-projects.js';
import { SEARCH_KINDS, type SearchContainer } from './search-kinds.js';

/** A search as its statements see it. */
export interface Search {
  /** LIKE patterns that a name or title must match; one at least. */
  patterns: readonly string[];
  viewer: Viewer | null;
  /** Those of the viewer; looked up for each search of the repository. */
  own?: OwnProjects;
  container?: SearchContainer | undefined;
  /** Of issues and merge requests. */
  state?: string | null | undefined;
  confidential?: boolean | null | undefined;
  /** By the time of creation; the best come first unless given. */
  direction?: 'asc' | 'desc' | undefined;
}

/**
 * Adds the conditions of a kind and returns the parts of its list; the values are in `where`, which
 * other parts of the same statement can have begun.
 */
export function searchQuery(
  scope: PageScope,
  search: Search,
  where: Conditions,
): Omit<ListQuery, 'values'> {
  const kind = SEARCH_KINDS[scope];
  const { patterns, viewer, own = {}, container, direction } = search;
  const values = patterns.map((pattern) => where.value(pattern));
  for (const value of values) {
    const match = kind.isLowerCase === true ? `LIKE lower(${value})` : `ILIKE ${value}`;
    where.and(kind.searched.map((column) => `${column} ${match}`).join(' OR '));
  }
  where.and(kind.visible(where, viewer, own));
  if (container !== undefined) where.and(kind.within(where, container));
  addFilters(scope, search, where);
  const order = direction === 'asc' ? 'ASC' : 'DESC';
  const byId = `${kind.id} ${order}`;
  const byTime = kind.order === 'id' ? byId : `${kind.createdAt} ${order}, ${byId}`;
  // Exact matches need no rank.
  const isRanked =
    kind.order === 'rank' && direction === undefined && patterns[0]?.startsWith('%') === true;
  return {
    select: kind.id,
    from: kind.from,
    where: where.toString(),
    orderBy: isRanked ? `${similaritySql(values[0] ?? '', kind.searched)}, ${byTime}` : byTime,
  };
}

const ALIASES: Partial<Record<PageScope, string>> = { issues: 'i', merge_requests: 'r' };

/** States that a scope does not have, and filters that it does not know, do not count. */
function addFilters(scope: PageScope, search: Search, where: Conditions): void {
  const { state, confidential } = search;
  const alias = ALIASES[scope];
  if (alias !== undefined && state && state !== 'all') {
    where.and(`${alias}.state = ${where.value(state)}`);
  }
  if (scope === 'issues' && typeof confidential === 'boolean') {
    where.and(confidential ? 'i.confidential' : 'NOT i.confidential');
  }
}
