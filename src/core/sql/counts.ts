import { COUNTED_RECORDS } from './list-query.js';

/** Number of rows of one kind, by its name. */
export interface NamedCount {
  name: string | number;
  count: number;
}

/** Returns a statement for `Sql.counts` that counts the rows of each `from` as `name`. */
export function countsSql(counted: Readonly<Record<string, string>>): string {
  const counts = Object.entries(counted).map(
    ([name, from]) => `SELECT '${name}' AS name, count(*)::int AS count FROM ${from}
      HAVING '${name}' = ANY($1::text[])`,
  );
  return counts.join(' UNION ALL ');
}

/**
 * Returns a statement for `Sql.counts` that counts the rows of each state up to one more than the
 * counting limit. `names` is the placeholder of the states to count. Partial indexes serve only states
 * that the statement spells out.
 */
export function stateCountsSql(
  { from, where, column }: { from: string; where: string; column: string },
  states: readonly string[],
  names: string,
): string {
  const counts = states.map(
    (state) => `SELECT '${state}' AS name, (SELECT count(*)::int FROM (SELECT FROM ${from}
      WHERE ${where} AND ${column} = '${state}' LIMIT ${COUNTED_RECORDS + 1}) counted) AS count
    WHERE '${state}' = ANY(${names}::text[])`,
  );
  return counts.join(' UNION ALL ');
}
