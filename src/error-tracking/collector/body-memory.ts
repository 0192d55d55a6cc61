import type { Semaphore } from '../../core/concurrency.js';
import { overloaded, tooLarge } from './ingest-error.js';

/** Larger bodies share half of the memory, which leaves the rest to small ones. */
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

/** Collects the chunks of a stream, up to a limit. */
export class BufferList {
  size = 0;
  private chunks: Buffer[] = [];

  /**
   * `what` names the bytes in errors; `hold` is called with the size of every chunk that is kept.
   */
  constructor(
    private readonly limit: number,
    private readonly what: string,
    private readonly hold: (size: number) => void = () => undefined,
  ) {}

  /** Keeps one more. Throws 413 above the limit. */
  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.size += chunk.length;
    if (this.size > this.limit) throw tooLarge(this.what);
    this.hold(chunk.length);
    this.chunks.push(chunk);
  }

  /** All of them as one; afterwards there are none. */
  take(): Buffer {
    const [only] = this.chunks;
    const all =
      this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks, this.size);
    this.chunks = [];
    this.size = 0;
    return all;
  }
}
