import type { PageScope } from '../search-query.js';

/** Names with the same beginning that come before what is newest, by column. */
const MOST = 200;

interface NamedTable {
  from: string;
  id: string;
  columns: readonly string[];
  condition: string;
}

/** The kinds whose columns have an index of their own for beginnings. */
const TABLES: Partial<Record<PageScope, NamedTable>> = {
  projects: { from: 'projects p', id: 'p.id', columns: ['p.name', 'p.path'], condition: 'true' },
  groups: {
    from: 'namespaces n',
    id: 'n.id',
    columns: ['n.name', 'n.path'],
    condition: `n.kind = 'group'`,
  },
  users: { from: 'users u', id: 'u.id', columns: ['u.name', 'u.username'], condition: 'true' },
};

export const BEGINNING_SCOPES = Object.keys(TABLES) as readonly PageScope[];

/** Names that begin like a search, by kind; visible to the viewer or not. */
export type Beginnings = Partial<Record<PageScope, readonly number[]>>;

/**
 * Returns the select of `scope` and `id` of what begins with `$1`, with equal names among the first
 * 200 of each column. The last character of Unicode ends the range in the index.
 */
export function beginningsSql(scopes: readonly PageScope[]): string {
  const parts = scopes.flatMap((scope) => {
    const table = TABLES[scope];
    if (table === undefined) return [];
    const { from, id, columns, condition } = table;
    return columns.map((column) => {
      const name = `lower(${column}) COLLATE "C"`;
      return `(SELECT '${scope}' AS scope, ${id} AS id FROM ${from}
        WHERE ${condition} AND ${name} >= lower($1::text)
          AND ${name} < lower($1::text) || chr(1114111)
        ORDER BY ${name} LIMIT ${MOST})`;
    });
  });
  return parts.join(' UNION ');
}

/** Returns the text that a name has to begin with for a LIKE pattern of `searchPatterns`. */
export function beginningOf(pattern: string): string {
  return pattern.slice(1, -1).replace(/\\(.)/gs, '$1');
}
