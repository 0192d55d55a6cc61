import { byteArrays } from './byte-arrays.js';

/** A column of a statement's input: its name, its type there, and its value. */
type Column<Row> = readonly [name: string, type: string, value: (row: Row) => unknown];

/** Many rows as the input of one statement: an array for each column. */
export class InputColumns<Row> {
  /** For `FROM`: the rows, numbered from 1, under the name `n`. */
  readonly source: string;
  /** Of the columns, in their order. */
  readonly names: readonly string[];

  constructor(private readonly columns: readonly Column<Row>[]) {
    this.names = columns.map(([name]) => name);
    const arrays = columns.map(([, type], at) => `$${at + 1}::${type}[]`);
    const names = [...this.names, 'place'].join(', ');
    this.source = `unnest(${arrays.join(', ')}) WITH ORDINALITY AS n (${names})`;
  }

  /** Values of the statement's parameters: an array for each column. */
  values(rows: readonly Row[]): unknown[] {
    return this.columns.map(([, type, value]) => {
      const cells = rows.map(value);
      return type === 'bytea' ? byteArrays(cells as Buffer[]) : cells;
    });
  }
}
