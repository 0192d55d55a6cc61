import type { Conditions } from '../../../core/sql/conditions.js';
import type { Viewer } from '../../../core/access/auth-context.js';
import type { PageScope } from '../search-query.js';
import { SEARCH_KINDS } from './search-kinds.js';

/** Prefix matches of a column that are ranked before all other results. */
const MAX_RANKED = 200;
/** Prefix matches of a column that are read to find as many that the viewer can see. */
const MAX_READ = 1_000;

/** Tables whose searched columns each have an index for prefixes. */
const TABLES = {
  projects: { from: 'projects p', id: 'p.id' },
  groups: { from: `(SELECT * FROM namespaces WHERE kind = 'group') n`, id: 'n.id' },
  users: { from: 'users u', id: 'u.id' },
} as const satisfies Partial<Record<PageScope, { from: string; id: string }>>;
type PrefixScope = keyof typeof TABLES;

export const PREFIX_SCOPES = Object.keys(TABLES) as readonly PrefixScope[];

/** IDs of the names that start with the search text, by kind. */
export type PrefixMatches = Partial<Record<PageScope, readonly number[]>>;

/**
 * Returns a SELECT of `scope` and `id` of visible rows whose names start with the text of a pattern
 * of `searchPatterns`: the first 200 of each column, exact matches before longer names. The range
 * in the index ends at the last character of Unicode.
 */
export function prefixMatchesSql(
  where: Conditions,
  search: { scopes: readonly PrefixScope[]; pattern: string; viewer: Viewer | null },
): string {
  const text = search.pattern.slice(1, -1).replace(/\\(.)/gs, '$1');
  const prefix = `lower(${where.value(text)}::text)`;
  const parts = search.scopes.flatMap((scope) => {
    const { from, id, searched, visible } = SEARCH_KINDS[scope];
    const table = TABLES[scope];
    const isVisible = visible(where, search.viewer, {});
    return searched.map((column) => {
      const name = `lower(${column}) COLLATE "C"`;
      // LIMIT 1 keeps PostgreSQL from reading all groups to join a few of them.
      return `(SELECT '${scope}' AS scope, named.id
        FROM (SELECT ${name} AS name, ${table.id} AS id FROM ${table.from}
          WHERE ${name} >= ${prefix} AND ${name} < ${prefix} || chr(1114111)
          ORDER BY ${name}, ${table.id} DESC LIMIT ${MAX_READ}) named
        CROSS JOIN LATERAL (SELECT FROM ${from}
          WHERE ${id} = named.id AND (${isVisible}) LIMIT 1) visible
        ORDER BY named.name, named.id DESC LIMIT ${MAX_RANKED})`;
    });
  });
  return parts.join(' UNION ');
}
