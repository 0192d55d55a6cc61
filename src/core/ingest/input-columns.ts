/** A column of a statement's input: its name, its type there, and its value. */
type Column<Row> = readonly [name: string, type: string, value: (row: Row) => unknown];

/** Rows as the input of one statement: an array for each column. */
export class InputColumns<Row> {
  /** For `FROM`: the rows, numbered by `position` from 1, under the name `n`. */
  readonly source: string;
  /** Of the columns, in their order. */
  readonly names: readonly string[];

  constructor(private readonly columns: readonly Column<Row>[]) {
    this.names = columns.map(([name]) => name);
    const arrays = columns.map(([, type], at) => `$${at + 1}::${type}[]`);
    const names = [...this.names, 'position'].join(', ');
    this.source = `unnest(${arrays.join(', ')}) WITH ORDINALITY AS n (${names})`;
  }

  /** Values of the statement's parameters: an array for each column. */
  values(rows: readonly Row[]): unknown[] {
    return this.columns.map(([, type, value]) => {
      const cells = rows.map(value);
      return type === 'bytea' ? byteArrays(cells as (Buffer | null)[]) : cells;
    });
  }
}

const BYTEA_OID = 17;
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/**
 * Returns a `bytea[]` in PostgreSQL's binary form (`array_recv`): an array that is sent as text costs
 * two characters for each byte, and parsing them again.
 */
function byteArrays(items: readonly (Buffer | null)[]): Buffer {
  const size = items.reduce((sum, item) => sum + LENGTH_BYTES + (item?.length ?? 0), HEAD_BYTES);
  const array = Buffer.allocUnsafe(size);
  const hasNulls = items.includes(null) ? 1 : 0;
  // Dimensions, flag of nulls, type, then length and first number of the only dimension.
  const head = items.length > 0 ? [1, hasNulls, BYTEA_OID, items.length, 1] : [0, 0, BYTEA_OID];
  let at = 0;
  for (const number of head) at = array.writeInt32BE(number, at);
  for (const item of items) {
    at = array.writeInt32BE(item?.length ?? NULL_LENGTH, at);
    if (item !== null) at += item.copy(array, at);
  }
  return array.subarray(0, at);
}
