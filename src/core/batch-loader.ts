import { UnavailableError } from './errors.js';
import { Semaphore } from './semaphore.js';

/** Maximum number of concurrent batches, and of items per batch. */
export interface BatchLimits<Item> {
  running: number;
  size: number;
  /** Maximum total weight of a batch; a heavier item gets a batch of its own. */
  weight?: { max: number; of(item: Item): number };
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Coalesces concurrent calls into batches: items that arrive while the maximum number of batches is
 * running wait for the next one. A single item is never delayed to fill a batch.
 */
export class BatchLoader<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = 0;
  private isStarting = false;

  /** `work` returns one result per item, in their order. */
  constructor(
    private readonly work: (items: Item[]) => Promise<Result[]>,
    private readonly limits: BatchLimits<Item> = { running: 2, size: 64 },
  ) {}

  /** Returns the result of the item. A batch that fails is repeated item by item. */
  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.startSoon();
    });
  }

  /** After the requests that have arrived by now were read. */
  private startSoon(): void {
    if (this.isStarting || this.running >= this.limits.running) return;
    this.isStarting = true;
    setImmediate(() => {
      this.isStarting = false;
      this.start();
    });
  }

  private start(): void {
    const batch = this.waiting.splice(0, this.nextSize());
    if (batch.length === 0) return;
    this.running += 1;
    void this.runBatch(batch).finally(() => {
      this.running -= 1;
      if (this.waiting.length > 0) this.startSoon();
    });
    if (this.waiting.length > 0) this.startSoon();
  }

  private nextSize(): number {
    const { size, weight } = this.limits;
    if (weight === undefined) return size;
    let sum = 0;
    const last = this.waiting.findIndex(({ item }, at) => {
      sum += weight.of(item);
      return at === size || (at > 0 && sum > weight.max);
    });
    return last === -1 ? size : last;
  }

  private async runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map((one) => this.runBatch([one])));
    }
  }
}

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
