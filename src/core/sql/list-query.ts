import type { Paging } from '../pagination/paging.decorator.js';

/** More than this many records are not counted (API doc, Limits). */
export const COUNTED_RECORDS = 10_000;

/** The sizes of nearly all pages: the usual one and the largest. */
const COMMON_SIZES: readonly number[] = [20, 100];

/** SQL for the keys of the page's rows, for `joins` of a list with a `key`. */
export const PAGE_KEYS = 'ARRAY(SELECT key FROM page)';

/** A list as `Sql.page` reads it. */
export interface ListQuery {
  /** Column of `from` that names a row; with it `select` is worked out for the page's rows only. */
  key?: string;
  /** The same for rows that several columns name; `select` then sees nothing else of `from`. */
  rows?: KeyedRows;
  select: string;
  /**
   * A function receives the ORDER BY and LIMIT that suffice for the page, for tables whose rows
   * come from several sources; an empty text when rows are only counted.
   */
  from: string | ((top: string) => string);
  /** Joins that only `select` needs, each with one partner per row, or at most one by LEFT JOIN. */
  joins?: string;
  where: string;
  orderBy: string;
  values: unknown[];
  /**
   * The list is limited by a text that is searched for: its statements are planned with their values,
   * since an index that finds a rare word at once is the longest way to a common one.
   */
  isSearch?: boolean;
  /**
   * No filter leaves out most rows, so that one plan finds all first pages by the index of their order:
   * the one that is kept for a known limit. By default lists with `rows` are such lists.
   */
  isWhole?: boolean;
  /**
   * A fixed condition for the latest rows, among which first pages of long lists are found as a rule:
   * of the latest partitions only, as what a statement costs grows with each that it might read, or
   * of an order that no index has.
   */
  recent?: string | undefined;
  /**
   * Values that the count does not name, but `select`, `joins` or `from` with a top: their placeholders
   * follow those of `values`.
   */
  joinValues?: readonly unknown[];
  /**
   * Alias of `from`, for lists of which every page has to find all rows: a window function counts them.
   * `select`, `joins` and `orderBy` see only its columns. Not together with `key` or `rows`.
   */
  windowAlias?: string;
}

/** The table whose rows are listed, in many partitions, and the columns that name one of them. */
export interface KeyedRows {
  table: string;
  alias: string;
  /** Their types. */
  columns: Readonly<Record<string, string>>;
  /** An index leads to the rows without others in between: first pages need no second look. */
  direct?: boolean;
}

/** Parameters that leave out no row. */
const NEUTRAL_PARAMS = [
  ...['order_by', 'sort', 'pagination', 'simple', 'license', 'statistics'],
  ...['with_custom_attributes', 'with_labels_details'],
];

/** Parameters of which `all` leaves out no row. */
const CHOICES = ['scope', 'state'];

/** Returns true unless a parameter limits a list. */
export function isUnfiltered(filters: object): boolean {
  return Object.entries(filters).every(
    ([name, value]) =>
      value == null || NEUTRAL_PARAMS.includes(name) || (value === 'all' && CHOICES.includes(name)),
  );
}

/** A statement and what its placeholders stand for. */
interface Statement {
  text: string;
  values: unknown[];
}

/** The statement for one page with its total. */
export function pageStatement(query: ListQuery, paging: Paging): Statement {
  if (query.windowAlias !== undefined) return windowStatement(query, query.windowAlias, paging);
  return statement(query, paging, `${query.select}, ${countSql(query)} AS total_count`);
}

/** The same for a list whose rows a window function counts. */
function windowStatement(query: ListQuery, alias: string, paging: Paging): Statement {
  const { select, joins = '', where, orderBy } = query;
  const { limit, offset, values } = limitsOf(query, paging);
  const text = `SELECT ${select}, ${alias}.total_count FROM (
      SELECT ${alias}.*, (count(*) OVER ())::int AS total_count FROM ${fromSql(query, '')}
      WHERE ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}) ${alias}
    ${joins} ORDER BY ${orderBy}`;
  return { text, values };
}

/** The same for a list that is known to have more records than are counted. */
export function uncountedPageStatement(query: ListQuery, paging: Paging): Statement {
  return statement(query, paging, query.select);
}

/** The statement for the first rows of a list. */
export function firstRowsStatement(query: ListQuery, limit: number): Statement {
  const { values, joinValues = [] } = query;
  const given = [...values, ...joinValues];
  const limits = { limit: `$${given.length + 1}::bigint`, offset: '0', values: given };
  return { text: selectSql(query, limits, query.select), values: [...given, limit] };
}

/**
 * Returns the statement that counts records up to one more than the counting limit; built once per
 * statement.
 */
export function countSql(query: ListQuery): string {
  return `(SELECT count(*)::int FROM
    (SELECT 1 FROM ${fromSql(query, '')} WHERE ${query.where} LIMIT ${COUNTED_RECORDS + 1}) counted)`;
}

interface Limits {
  limit: string;
  offset: string;
  values: unknown[];
}

/** One row more than shown, to detect another page. */
function limitsOf(
  { rows, isWhole = rows !== undefined, values: own, joinValues = [] }: ListQuery,
  { page, perPage, offset }: Paging,
): Limits {
  const values = [...own, ...joinValues];
  if (isWhole && page === 1 && COMMON_SIZES.includes(perPage)) {
    // Only plans of known limits are kept, and planning takes longer than reading the page.
    return { limit: String(perPage + 1), offset: '0', values };
  }
  const [limit, start] = [`$${values.length + 1}::bigint`, `$${values.length + 2}::bigint`];
  return { limit, offset: start, values: [...values, perPage + 1, offset] };
}

function statement(query: ListQuery, paging: Paging, columns: string): Statement {
  const limits = limitsOf(query, paging);
  return { text: selectSql(query, limits, columns), values: limits.values };
}

function selectSql(query: ListQuery, { limit, offset }: Limits, columns: string): string {
  const { key, rows, joins = '', where, orderBy } = query;
  const from = fromSql(query, `ORDER BY ${orderBy} LIMIT ${limit} + ${offset}`);
  const rest = `WHERE ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`;
  // Otherwise a deep page computes every column of all rows before it as well.
  if (rows !== undefined) {
    const isDirect = rows.direct === true && offset === '0';
    const found = `SELECT ${isDirect ? wholeRow(rows.alias) : named(rows)} FROM ${from} ${rest}`;
    const page = isDirect ? `(${found}) ${rows.alias}` : `(${found}) page ${rowSql(rows)}`;
    return `SELECT ${columns} FROM ${page} ${joins} ORDER BY ${orderBy}`;
  }
  if (key === undefined) return `SELECT ${columns} FROM ${from} ${joins} ${rest}`;
  const found = `SELECT ${key} AS key FROM ${from} ${rest}`;
  // Only where joins need it: traces name a statement by its first word.
  const page = joins.includes(PAGE_KEYS) ? `WITH page AS (${found}) ` : '';
  const keys = page === '' ? `ARRAY(${found})` : PAGE_KEYS;
  return `${page}SELECT ${columns} FROM ${from} ${joins} WHERE ${key} = ANY(${keys}) ORDER BY ${orderBy}`;
}

/** Returns the FROM part of a list with its ORDER BY and LIMIT, or without both to count its rows. */
export function fromSql({ from }: Pick<ListQuery, 'from'>, top: string): string {
  return typeof from === 'string' ? from : from(top);
}

function named({ alias, columns }: KeyedRows): string {
  return Object.keys(columns)
    .map((name) => `${alias}.${name}`)
    .join(', ');
}

const wholeRow = (alias: string): string => `${alias}.*, ${alias}.xmin`;

/** Returns the FROM part for the rows with the keys in `$1` and following, an array for each column. */
export function keyedRowsSql(rows: KeyedRows): string {
  const columns = Object.entries(rows.columns);
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
  return `unnest(${arrays}) page (${Object.keys(rows.columns).join(', ')}) ${rowSql(rows)}`;
}

/**
 * LIMIT keeps the rows of a page from being joined in any other way than one by one, and the planner
 * from expecting one in each partition.
 */
function rowSql({ table, alias, columns }: KeyedRows): string {
  const same = Object.keys(columns)
    .map((name) => `${alias}.${name} = page.${name}`)
    .join(' AND ');
  return `CROSS JOIN LATERAL
    (SELECT ${wholeRow(alias)} FROM ${table} ${alias} WHERE ${same} LIMIT 1) ${alias}`;
}

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
