import { UnavailableError } from './errors.js';

const RETRY_AFTER_SECONDS = 2;

/** Bounds what waits in the process: an amount is reserved before it comes, or refused. */
export class WaitingRoom {
  private taken = 0;

  constructor(private readonly capacity: number) {}

  /**
   * Does the work with the amount reserved until it ends. Throws 503 with `Retry-After` when there
   * is no room; an empty room takes any amount.
   */
  async within<T>(amount: number, work: () => Promise<T>): Promise<T> {
    if (this.taken > 0 && this.taken + amount > this.capacity) {
      throw new UnavailableError(RETRY_AFTER_SECONDS);
    }
    this.taken += amount;
    try {
      return await work();
    } finally {
      this.taken -= amount;
    }
  }
}
