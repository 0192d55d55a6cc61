import type { Conditions } from '../../../core/sql/conditions.js';
import type { Viewer } from '../../../core/access/auth-context.js';
import type { PageScope } from '../search-query.js';
import { SEARCH_KINDS } from './search-kinds.js';

/** Names with the same beginning that come before what is newest, by column. */
const MOST = 200;

/** The kinds whose searched columns have an index of their own for beginnings. */
export const BEGINNING_SCOPES: readonly PageScope[] = ['projects', 'groups', 'users'];

/** Names that begin like a search, by kind. */
export type Beginnings = Partial<Record<PageScope, readonly number[]>>;

/**
 * Returns the select of `scope` and `id` of what the viewer can see that begins like the LIKE pattern
 * of `searchPatterns`: the first 200 of each column, equal names before longer ones. The last
 * character of Unicode ends the range in the index.
 */
export function beginningsSql(
  where: Conditions,
  {
    scopes,
    pattern,
    viewer,
  }: { scopes: readonly PageScope[]; pattern: string; viewer: Viewer | null },
): string {
  const beginning = `lower(${where.value(pattern.slice(1, -1).replace(/\\(.)/gs, '$1'))}::text)`;
  const parts = scopes.flatMap((scope) => {
    const { from, id, searched, visible } = SEARCH_KINDS[scope];
    const isVisible = visible(where, viewer, {});
    return searched.map((column) => {
      const name = `lower(${column}) COLLATE "C"`;
      return `(SELECT '${scope}' AS scope, ${id} AS id FROM ${from}
        WHERE ${name} >= ${beginning} AND ${name} < ${beginning} || chr(1114111) AND (${isVisible})
        ORDER BY ${name}, ${id} DESC LIMIT ${MOST})`;
    });
  });
  return parts.join(' UNION ');
}
