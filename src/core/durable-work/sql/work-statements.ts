/**
 * A table whose rows are work, with the columns `id`, `attempts` and `not_before`. Conditions and
 * columns of its statements can name the row `w`.
 */
export interface WorkTable {
  table: string;
  /** Condition for rows that are still to be done. */
  pending: string;
  /** Order in which rows are done. */
  order: string;
}

/**
 * Row of work that a worker holds until a time, which also distinguishes this lease from later
 * ones.
 */
export interface Lease {
  id: number;
  leaseEnd: Date;
}

/** Condition for rows whose time has come. `now` is a placeholder, as in all that follows. */
export function isDue(now: string): string {
  // The database rounds to milliseconds and our clock truncates: a new row can seem to come later.
  return `w.not_before <= ${now}::timestamptz + interval '1 millisecond'`;
}

/** Selects and locks due rows that no other worker holds. */
export function dueSql(
  { table, pending, order }: WorkTable,
  options: { columns: string; now: string; where?: string; limit?: string },
): string {
  const { columns, now, where = 'true', limit = 'ALL' } = options;
  return `
    SELECT ${columns} FROM ${table} w WHERE ${pending} AND ${where} AND ${isDue(now)}
    ORDER BY ${order} LIMIT ${limit} FOR UPDATE OF w SKIP LOCKED`;
}

/**
 * Leases due rows of each kind, up to the limit of each, and counts an attempt. Returns the columns
 * and the `leaseEnd`.
 */
export function leaseSql(
  work: WorkTable,
  options: {
    columns: string;
    now: string;
    kinds: readonly string[];
    limit: string;
    seconds: number;
  },
): string {
  const { columns, now, kinds, limit, seconds } = options;
  const due = kinds.map((where) => dueSql(work, { columns: 'w.id', now, where, limit }));
  const names = due.map((_, at) => `due${at}`);
  return `
    WITH ${due.map((sql, at) => `${names[at]} AS (${sql})`).join(', ')}
    UPDATE ${work.table} w SET attempts = w.attempts + 1,
      not_before = ${now}::timestamptz + ${seconds} * interval '1 second'
    WHERE w.id IN (${names.map((name) => `SELECT id FROM ${name}`).join(' UNION ALL ')})
    RETURNING ${columns}, w.not_before AS "leaseEnd"`;
}

/**
 * Changes rows whose lease has not ended. Values $1 and $2 are those of `leaseValues`; `given` names
 * the columns of `l` that further arrays fill, with their types: $3, ….
 */
export function updateLeasedSql(
  { table, pending }: WorkTable,
  changes: string,
  given: Readonly<Record<string, string>> = {},
): string {
  const arrays = Object.values(given).map((type, at) => `, $${at + 3}::${type}[]`);
  const names = ['id', 'lease_end', ...Object.keys(given)];
  return `
    UPDATE ${table} w SET ${changes}
    FROM unnest($1::bigint[], $2::timestamptz[]${arrays.join('')}) AS l (${names.join(', ')})
    WHERE w.id = l.id AND w.not_before = l.lease_end AND ${pending}`;
}

/** Returns leased rows that were not tried: they are due, and the attempt does not count. */
export function releaseSql(work: WorkTable, now: string): string {
  return updateLeasedSql(work, `attempts = w.attempts - 1, not_before = ${now}`);
}

/** Returns the values that name leases in statements. */
export function leaseValues(leases: readonly Lease[]): [ids: number[], ends: Date[]] {
  return [leases.map(({ id }) => id), leases.map(({ leaseEnd }) => leaseEnd)];
}

/** Puts rows that failed off: by `seconds` at first, each time four times as long, at most an hour. */
export function postponeSql(
  { table, pending }: WorkTable,
  { where, now, seconds }: { where: string; now: string; seconds: number },
): string {
  return `
    UPDATE ${table} w SET attempts = w.attempts + 1, not_before = ${now}::timestamptz
      + least(${seconds} * power(4, least(w.attempts, 9)), 3600) * interval '1 second'
    WHERE ${pending} AND ${where}`;
}

/** Deletes some rows, so that none stays locked for long, and returns their `count`. */
export function purgeSql(table: string, where: string, limit: number): string {
  return `
    WITH gone AS (DELETE FROM ${table} WHERE id = ANY(ARRAY(
      SELECT w.id FROM ${table} w WHERE ${where} ORDER BY w.id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    RETURNING 1)
    SELECT count(*)::integer AS count FROM gone`;
}
