import { setTimeout as delay } from 'node:timers/promises';

/** Burst size in seconds, and the delay until a changed limit applies. */
const SLICE_SECONDS = 0.25;
const MIN_CHUNK_BYTES = 16 * 1024;

/** Token bucket for the bytes per second of one storage, shared by all of its moves. */
export class Throttle {
  private earned = 0;
  private claimed = 0;
  private refilledAt: number;

  /** Takes null for no limit. */
  constructor(
    private bytesPerSecond: number | null,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.refilledAt = now();
  }

  /** Sets the limit, for waiting callers as well. */
  setLimit(bytesPerSecond: number | null): void {
    this.refill();
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Returns the chunk size for a large file, at most `most`, so that it advances steadily. */
  chunkBytes(most: number): number {
    const slice = Math.floor(this.sliceBytes());
    return Math.min(most, Math.max(MIN_CHUNK_BYTES, slice));
  }

  /** Waits until the bytes are available; returns undefined when they already are. */
  take(bytes: number, signal: AbortSignal): Promise<void> | undefined {
    return this.bytesPerSecond === null ? undefined : this.takeSlices(bytes, signal);
  }

  /** Takes slices, so that concurrent callers alternate and an aborted one leaves no debt. */
  private async takeSlices(bytes: number, signal: AbortSignal): Promise<void> {
    for (let left = bytes; left > 0 && this.bytesPerSecond !== null;) {
      const slice = Math.min(left, Math.max(1, this.sliceBytes()));
      left -= slice;
      this.refill();
      this.claimed += slice;
      await this.waitUntil(this.claimed, signal);
    }
  }

  private async waitUntil(target: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      this.refill();
      const missing = target - this.earned;
      if (missing <= 0 || this.bytesPerSecond === null) return;
      const seconds = Math.min(missing / this.bytesPerSecond, SLICE_SECONDS);
      await delay(Math.ceil(seconds * 1000), undefined, { signal });
    }
  }

  private sliceBytes(): number {
    return this.bytesPerSecond === null ? Infinity : this.bytesPerSecond * SLICE_SECONDS;
  }

  private refill(): void {
    const now = this.now();
    const seconds = (now - this.refilledAt) / 1000;
    this.refilledAt = now;
    if (this.bytesPerSecond === null) {
      this.earned = this.claimed;
      return;
    }
    const most = this.claimed + this.sliceBytes();
    this.earned = Math.min(most, this.earned + seconds * this.bytesPerSecond);
  }
}

/** Waits for the throttles of all storages involved. */
export function takeFromAll(
  throttles: readonly Throttle[],
  bytes: number,
  signal: AbortSignal,
): Promise<void> | undefined {
  const waits = throttles.flatMap((throttle) => throttle.take(bytes, signal) ?? []);
  return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
}
