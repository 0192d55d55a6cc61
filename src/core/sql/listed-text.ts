/** Total bytes of complete texts on a page, and the characters kept of each text beyond that. */
const WHOLE_BYTES = 4 * 1024 * 1024;
const BEGINNING = 10_000;

/**
 * Returns a SQL expression that truncates the long texts of a list ordered by `key`, so that a page
 * holds a few megabytes. Long texts are stored out of line; their size is known without reading
 * them.
 */
export function listedText(column: string, key: string): string {
  return `CASE WHEN octet_length(${column}) <= ${BEGINNING}
      OR sum(octet_length(${column})) OVER (ORDER BY ${key}) <= ${WHOLE_BYTES}
    THEN ${column} ELSE left(${column}, ${BEGINNING}) || '…' END`;
}

/** Returns a SQL expression that truncates a long text in each row. */
export function beginningOfText(column: string): string {
  return `CASE WHEN octet_length(${column}) <= ${BEGINNING} THEN ${column}
    ELSE left(${column}, ${BEGINNING}) || '…' END`;
}
