import { UnavailableError } from './errors.js';

const RETRY_AFTER_SECONDS = 2;

/** Lets a few of many tasks run at once; the others wait in order, up to a bound. */
export class BoundedQueue {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly limits: { running: number; waiting: number }) {}

  /** Runs the task when it is its turn. Throws 503 with `Retry-After` when too many wait. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  private enter(): Promise<void> {
    if (this.running < this.limits.running) {
      this.running += 1;
      return Promise.resolve();
    }
    if (this.waiting.length >= this.limits.waiting) throw new UnavailableError(RETRY_AFTER_SECONDS);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** The one who leaves hands its place to the next, so nobody overtakes. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}
