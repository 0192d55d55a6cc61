import type { Conditions } from '../../../core/sql/conditions.js';
import type { Viewer } from '../../../core/access/auth-context.js';
import type { PageScope } from '../search-query.js';
import { SEARCH_KINDS } from './search-kinds.js';

/** Names with the same beginning that come before what is newest, by column. */
const MOST = 200;
/** Names that are looked at until so many of them are visible. */
const MOST_LOOKED_AT = 1_000;

/** Tables with an index for the beginnings of each searched column of a kind. */
const TABLES = {
  projects: { from: 'projects p', id: 'p.id' },
  groups: { from: `(SELECT * FROM namespaces WHERE kind = 'group') n`, id: 'n.id' },
  users: { from: 'users u', id: 'u.id' },
} as const satisfies Partial<Record<PageScope, { from: string; id: string }>>;
type BeginningScope = keyof typeof TABLES;

export const BEGINNING_SCOPES = Object.keys(TABLES) as readonly BeginningScope[];

/** Names that begin like a search, by kind. */
export type Beginnings = Partial<Record<PageScope, readonly number[]>>;

/**
 * Returns the select of `scope` and `id` of what the viewer can see that begins like the LIKE pattern
 * of `searchPatterns`: the first 200 of each column, equal names before longer ones. The last
 * character of Unicode ends the range in the index.
 */
export function beginningsSql(
  where: Conditions,
  search: { scopes: readonly BeginningScope[]; pattern: string; viewer: Viewer | null },
): string {
  const text = search.pattern.slice(1, -1).replace(/\\(.)/gs, '$1');
  const beginning = `lower(${where.value(text)}::text)`;
  const parts = search.scopes.flatMap((scope) => {
    const { from, id, searched, visible } = SEARCH_KINDS[scope];
    const table = TABLES[scope];
    const isVisible = visible(where, search.viewer, {});
    return searched.map((column) => {
      const name = `lower(${column}) COLLATE "C"`;
      // LIMIT 1 keeps PostgreSQL from reading all groups to join a few of them.
      return `(SELECT '${scope}' AS scope, named.id
        FROM (SELECT ${name} AS name, ${table.id} AS id FROM ${table.from}
          WHERE ${name} >= ${beginning} AND ${name} < ${beginning} || chr(1114111)
          ORDER BY ${name}, ${table.id} DESC LIMIT ${MOST_LOOKED_AT}) named
        CROSS JOIN LATERAL (SELECT FROM ${from}
          WHERE ${id} = named.id AND (${isVisible}) LIMIT 1) visible
        ORDER BY named.name, named.id DESC LIMIT ${MOST})`;
    });
  });
  return parts.join(' UNION ');
}
