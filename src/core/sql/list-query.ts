/** More than this many records are not counted (API doc, Limits). */
export const COUNTED_RECORDS = 10_000;

/** A list as `Sql.page` reads it. */
export interface ListQuery {
  /** Column of `from` that names a row; with it `select` is worked out for the page's rows only. */
  key?: string;
  /** The same for rows that several columns name; `select` then sees nothing else of `from`. */
  rows?: KeyedRows;
  select: string;
  /**
   * A function is told in which order how many rows suffice for the page (ORDER BY and LIMIT), for
   * tables whose rows come from many places; nothing when they are only counted.
   */
  from: string | ((top: string) => string);
  /** Joins that only `select` needs, each with exactly one partner per row. */
  joins?: string;
  where: string;
  orderBy: string;
  values: unknown[];
}

/** The table whose rows are listed, and the columns that name one of them. */
interface KeyedRows {
  table: string;
  alias: string;
  columns: readonly string[];
}

/** The statement for one page with its total; the last two values are its limit and offset. */
export function pageSql(query: ListQuery): string {
  return selectSql(query, `${query.select}, ${countSql(query)} AS total_count`);
}

/** The same for a list that is known to have more records than are counted. */
export function uncountedPageSql(query: ListQuery): string {
  return selectSql(query, query.select);
}

/** How many records there are, up to one more than is counted; worked out once per statement. */
export function countSql(query: ListQuery): string {
  return `(SELECT count(*)::int FROM
    (SELECT 1 FROM ${fromSql(query, '')} WHERE ${query.where} LIMIT ${COUNTED_RECORDS + 1}) counted)`;
}

function selectSql(query: ListQuery, columns: string): string {
  const { key, rows, joins = '', where, orderBy, values } = query;
  const [limit, offset] = [`$${values.length + 1}`, `$${values.length + 2}`];
  const from = fromSql(query, `ORDER BY ${orderBy} LIMIT ${limit}::bigint + ${offset}::bigint`);
  const rest = `WHERE ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`;
  // Otherwise a deep page computes every column of all rows before it as well.
  if (rows !== undefined) {
    const found = `SELECT ${named(rows)} FROM ${from} ${rest}`;
    return `SELECT ${columns} FROM (${found}) page ${rowSql(rows)} ${joins} ORDER BY ${orderBy}`;
  }
  if (key === undefined) return `SELECT ${columns} FROM ${from} ${joins} ${rest}`;
  return `SELECT ${columns} FROM ${from} ${joins}
    WHERE ${key} = ANY(ARRAY(SELECT ${key} FROM ${from} ${rest})) ORDER BY ${orderBy}`;
}

function fromSql({ from }: ListQuery, top: string): string {
  return typeof from === 'string' ? from : from(top);
}

function named({ alias, columns }: KeyedRows): string {
  return columns.map((name) => `${alias}.${name}`).join(', ');
}

/** OFFSET keeps the rows of a page from being joined in any other way than one by one. */
function rowSql({ table, alias, columns }: KeyedRows): string {
  const same = columns.map((name) => `${alias}.${name} = page.${name}`).join(' AND ');
  return `CROSS JOIN LATERAL
    (SELECT * FROM ${table} ${alias} WHERE ${same} OFFSET 0) ${alias}`;
}
