/**
 * SQL to order search results by: 0 for a column equal to the search term, 1 for one that begins
 * with it, 2 for the rest. `pattern` is the placeholder of a `containsPattern`, so that ordering
 * needs no value of its own, which the count of a list would not mention.
 */
export function similaritySql(pattern: string, columns: readonly string[]): string {
  const text = `${pattern}::text`;
  const equal = `substr(${text}, 2, length(${text}) - 2)`;
  const prefix = `substr(${text}, 2)`;
  const any = (form: string): string => columns.map((name) => `${name} ILIKE ${form}`).join(' OR ');
  return `CASE WHEN ${any(equal)} THEN 0 WHEN ${any(prefix)} THEN 1 ELSE 2 END`;
}
