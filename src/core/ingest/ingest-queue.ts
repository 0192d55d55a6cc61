import { BatchLoader, Semaphore, type BatchLimits } from '../concurrency.js';
import { UnavailableError } from '../errors.js';

/** SQLSTATEs after which nothing of the transaction is stored: values, constraints, collisions. */
const UNDONE = /^(?:22|23|40001|40P01)/;
/** A statement took too long, as it waited for a lock. */
const CANCELLED = '57014';
const RETRY_AFTER_SECONDS = 2;

/** Maximum sum of the weights of items that are not written yet; an idle queue takes any item. */
interface WaitingLimit<Item> {
  capacity: number;
  weightOf(item: Item): number;
}

/** Error of an item that must not be written again, since it may be stored. */
class Failure {
  constructor(readonly error: unknown) {}
}

/** Writes what concurrent requests report in common transactions, and bounds what waits for them. */
export class IngestQueue<Item, Outcome> {
  private readonly batches: BatchLoader<Item, Outcome | Failure>;
  private readonly waiting: { semaphore: Semaphore; weightOf(item: Item): number }[];

  /** `write` stores a batch in one transaction and returns an outcome for each item, in order. */
  constructor(
    write: (items: Item[]) => Promise<Outcome[]>,
    { batches, waiting }: { batches: BatchLimits<Item>; waiting: WaitingLimit<Item>[] },
  ) {
    this.batches = new BatchLoader((items) => writeOnce(write, items), batches);
    this.waiting = waiting.map(({ capacity, weightOf }) => ({
      semaphore: new Semaphore({ capacity }),
      weightOf,
    }));
  }

  /**
   * Returns the item's outcome once it is committed. Items of a batch that was undone are written
   * one by one. Throws 503 when too much waits, and errors of the database.
   */
  async run(item: Item): Promise<Outcome> {
    this.acquire(item);
    try {
      const outcome = await this.batches.run(item);
      if (outcome instanceof Failure) throw outcome.error;
      return outcome;
    } finally {
      for (const { semaphore, weightOf } of this.waiting) semaphore.release(weightOf(item));
    }
  }

  private acquire(item: Item): void {
    for (const [at, { semaphore, weightOf }] of this.waiting.entries()) {
      if (semaphore.tryAcquire(weightOf(item))) continue;
      for (const held of this.waiting.slice(0, at)) held.semaphore.release(held.weightOf(item));
      throw new UnavailableError(RETRY_AFTER_SECONDS);
    }
  }
}

/** Throws only when it is certain that nothing was stored. */
async function writeOnce<Item, Outcome>(
  write: (items: Item[]) => Promise<Outcome[]>,
  items: Item[],
): Promise<(Outcome | Failure)[]> {
  try {
    return await write(items);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && UNDONE.test(code)) throw error;
    const failure = code === CANCELLED ? new UnavailableError(RETRY_AFTER_SECONDS) : error;
    return items.map(() => new Failure(failure));
  }
}

type Cell = string | number | boolean | null;

/** A column of a statement's input: its name, its type there, and its value, for `bytea` a buffer. */
type Column<Row> = readonly [name: string, type: string, value: (row: Row) => Cell | Buffer];

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
      return type === 'bytea' ? byteArrays(cells as (Buffer | null)[]) : arrayText(cells as Cell[]);
    });
  }
}

const QUOTED = /["\\]/;

/**
 * Returns an array in PostgreSQL's text form, in half the time that `pg` takes. An array of such
 * texts can hold lists of any length.
 */
export function arrayText(cells: readonly Cell[]): string {
  return `{${cells.map(elementText).join()}}`;
}

function elementText(cell: Cell): string | number | boolean {
  if (cell === null) return 'NULL';
  if (typeof cell !== 'string') return cell;
  return QUOTED.test(cell) ? `"${cell.replace(/["\\]/g, '\\$&')}"` : `"${cell}"`;
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

/**
 * Rows that are written together some time after the first of them, so that no request waits for
 * them. A killed process loses the last of them.
 */
export class WriteBuffer<Row> {
  private rows = new Map<string, Row>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;

  /** `write` must not throw; `limit` is the number of rows, beyond which further ones are dropped. */
  constructor(
    private readonly write: (rows: Row[]) => Promise<void>,
    private readonly options: { limit: number; delayMs: number },
  ) {}

  /** Adds a row, or adds to the waiting one of the same key. */
  put(key: string, { add, create }: { add(row: Row): void; create(): Row }): void {
    const row = this.rows.get(key);
    if (row !== undefined) add(row);
    else if (this.rows.size < this.options.limit) this.rows.set(key, create());
    if (!this.isClosed) this.timer ??= setTimeout(() => this.flush(), this.options.delayMs);
  }

  /** Writes what is left; for use while the database is still connected. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.flush();
    await this.writing;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const rows = [...this.rows.values()];
    this.rows = new Map();
    if (rows.length > 0) this.writing = this.writing.then(() => this.write(rows));
  }
}
