import { UnavailableError } from './errors.js';

const RETRY_AFTER_SECONDS = 2;

interface SemaphoreLimits {
  /** Maximum sum of the weights held concurrently: running tasks, or bytes in memory. */
  capacity: number;
  /** Callers that wait for their turn; further ones are refused. */
  queue?: number;
}

/** Weighted semaphore with a bounded queue in order of arrival. */
export class Semaphore {
  private readonly waiters: { weight: number; grant: () => void }[] = [];
  private held = 0;

  constructor(private readonly limits: SemaphoreLimits) {}

  get isIdle(): boolean {
    return this.held === 0;
  }

  /**
   * Acquires the weight without waiting, within a smaller `capacity` if one is given. Returns false
   * when it does not fit or others wait. An idle semaphore grants any weight.
   */
  tryAcquire(weight = 1, capacity = this.limits.capacity): boolean {
    const isGranted = this.waiters.length === 0 && this.fits(weight, capacity);
    if (isGranted) this.held += weight;
    return isGranted;
  }

  /** Waits until the weight is acquired. Throws 503 with `Retry-After` when the queue is full. */
  async acquire(weight = 1): Promise<void> {
    if (this.tryAcquire(weight)) return;
    if (this.waiters.length >= (this.limits.queue ?? 0)) {
      throw new UnavailableError(RETRY_AFTER_SECONDS);
    }
    await new Promise<void>((grant) => this.waiters.push({ weight, grant }));
  }

  /** Releases what was acquired, and grants it to those who waited longest. */
  release(weight = 1): void {
    this.held -= weight;
    for (;;) {
      const next = this.waiters[0];
      if (next === undefined || !this.fits(next.weight, this.limits.capacity)) return;
      this.waiters.shift();
      this.held += next.weight;
      next.grant();
    }
  }

  /** Runs the task while it holds the weight. Throws 503 as `acquire`, and errors of the task. */
  async run<T>(task: () => Promise<T>, weight = 1): Promise<T> {
    if (!this.tryAcquire(weight)) await this.acquire(weight);
    try {
      return await task();
    } finally {
      this.release(weight);
    }
  }

  private fits(weight: number, capacity: number): boolean {
    return this.held === 0 || this.held + weight <= capacity;
  }
}

/** A semaphore for each key, which exists while it is held. */
export class KeyedSemaphore {
  private readonly semaphores = new Map<string, Semaphore>();

  constructor(private readonly limits: SemaphoreLimits) {}

  /** Acquires one of the key without waiting, within a smaller `capacity` if one is given. */
  tryAcquire(key: string, capacity?: number): boolean {
    return this.of(key).tryAcquire(1, capacity);
  }

  /** Releases one of the key. */
  release(key: string): void {
    const semaphore = this.of(key);
    semaphore.release();
    if (semaphore.isIdle) this.semaphores.delete(key);
  }

  /** Runs the task while it holds one of the key. Throws 503 when too many of the key wait. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    await this.of(key).acquire();
    try {
      return await task();
    } finally {
      this.release(key);
    }
  }

  private of(key: string): Semaphore {
    const known = this.semaphores.get(key);
    if (known !== undefined) return known;
    const semaphore = new Semaphore(this.limits);
    this.semaphores.set(key, semaphore);
    return semaphore;
  }
}

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
