import { setTimeout as delay } from 'node:timers/promises';

/** Token bucket for bytes per second, shared by all copies into or out of one storage. */
export class Throttle {
  private available: number;
  private refilledAt: number;

  constructor(
    private readonly bytesPerSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.available = bytesPerSecond;
    this.refilledAt = now();
  }

  /** Waits until that many bytes may pass; a request above the bucket runs into debt instead. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    this.refill();
    this.available -= bytes;
    if (this.available >= 0) return;
    const milliseconds = (-this.available / this.bytesPerSecond) * 1000;
    await delay(milliseconds, undefined, { signal });
  }

  private refill(): void {
    const now = this.now();
    const earned = ((now - this.refilledAt) / 1000) * this.bytesPerSecond;
    this.available = Math.min(this.bytesPerSecond, this.available + earned);
    this.refilledAt = now;
  }
}
