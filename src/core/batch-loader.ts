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
