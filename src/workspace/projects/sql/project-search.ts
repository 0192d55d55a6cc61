import { containsPattern, type Conditions } from '../../../core/sql/conditions.js';
import type { Sql } from '../../../core/sql/sql.service.js';
import type { ListProjectsDto } from '../project-filters.dto.js';

const matches = (pattern: string): string =>
  `p.name ILIKE ${pattern} OR p.path ILIKE ${pattern} OR p.description ILIKE ${pattern}`;

/**
 * Adds the search and returns the placeholder of its pattern, which ordering by similarity uses
 * again.
 */
export function addSearch(where: Conditions, filters: ListProjectsDto): string | null {
  if (!filters.search) return null;
  const pattern = where.value(containsPattern(filters.search));
  const path = `n.full_path || '/' || p.path ILIKE ${pattern} OR n.full_name ILIKE ${pattern}`;
  const isByNamespace = filters.search_namespaces === true;
  where.and(isByNamespace ? `${matches(pattern)} OR ${path}` : matches(pattern));
  return pattern;
}

/**
 * Each part uses the indexes of its table, as no condition over both tables can. A full name
 * consists of the names of groups; these are looked up one by one, until enough is found.
 */
const WITH_NAMESPACES_SQL = `SELECT p.id FROM projects p WHERE ${matches('$1')}
  UNION ALL SELECT p.id FROM namespaces n JOIN projects p ON p.namespace_id = n.id
    WHERE n.full_path ILIKE $1 OR n.name ILIKE $1
  UNION ALL SELECT p.id FROM namespaces named
    JOIN namespaces n ON n.traversal_ids @> ARRAY[named.id] JOIN projects p ON p.namespace_id = n.id
    WHERE named.kind = 'group' AND named.name ILIKE $1`;

/**
 * Returns the ids of the projects that match a search with namespaces, in place of its condition.
 * Null if they are many, for other searches, and where the condition has to compare texts of both
 * tables together: `group/project`, the spaces of `group / sub`, similarity.
 */
export async function matchingProjects(
  queries: Sql,
  { search, search_namespaces: withNamespaces, order_by: order }: ListProjectsDto,
): Promise<number[] | null> {
  if (withNamespaces !== true || !search || order === 'similarity') return null;
  const isWithinName = !/\/|^\s|\s$/.test(search);
  return isWithinName ? queries.fewFound(WITH_NAMESPACES_SQL, [containsPattern(search)]) : null;
}
