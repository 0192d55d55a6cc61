import type { Semaphore } from '../../core/semaphore.js';
import { overloaded } from './ingest-error.js';

/** Larger bodies share half of the memory, so that small ones find some. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Memory that the body of one request holds. It is acquired as bytes arrive, so that a slow client
 * keeps none from others.
 */
export class BodyMemory {
  private held = 0;

  constructor(
    private readonly bytes: Semaphore,
    private readonly capacity: number,
  ) {}

  /** Acquires memory for further bytes. Throws 429 when there is none. */
  acquire(size: number): void {
    const capacity = this.held + size > LARGE_BYTES ? this.capacity / 2 : this.capacity;
    if (!this.bytes.tryAcquire(size, capacity)) throw overloaded();
    this.held += size;
  }

  /** Releases all of it. */
  release(): void {
    this.bytes.release(this.held);
    this.held = 0;
  }
}
