/** Bytes of texts that a page of a list holds whole, and characters of each further one. */
const WHOLE_BYTES = 4 * 1024 * 1024;
const BEGINNING = 10_000;

/**
 * A column of long texts for a list with that `key`: a page holds a few megabytes of them, however
 * long they are. Their size is known without reading them, for long ones are stored elsewhere.
 */
export function listedText(column: string, key: string): string {
  return `CASE WHEN octet_length(${column}) <= ${BEGINNING}
      OR sum(octet_length(${column})) OVER (ORDER BY ${key}) <= ${WHOLE_BYTES}
    THEN ${column} ELSE left(${column}, ${BEGINNING}) || '…' END`;
}

/** The beginning of a long text that stands in each row of a list. */
export function beginningOfText(column: string): string {
  return `CASE WHEN octet_length(${column}) <= ${BEGINNING} THEN ${column}
    ELSE left(${column}, ${BEGINNING}) || '…' END`;
}
