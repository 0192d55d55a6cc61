import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { closeFile, CREATE_FLAGS, openFile, READ_FLAGS, syncFile } from './file-io.js';
import { asMoveError } from './move-error.js';

const readChunk = promisify(fs.read);
const writeChunk = promisify(fs.write);

/** Files above this size are streamed; smaller ones are read whole. */
export const STREAMED_SIZE = 1024 * 1024;

/**
 * A big file reaches the disk in steps of this size. Otherwise gigabytes would wait in memory,
 * and the flush of a small repository on the same filesystem would wait for all of them.
 */
const SYNCED_BYTES = 64 * 1024 * 1024;

export interface StorageLabels {
  source: string;
  destination: string;
}

interface FileCopy {
  from: string | Buffer;
  to: string | Buffer;
  mode: number;
  storageLabels: StorageLabels;
  /** Bytes to read at a time, at most STREAMED_SIZE. */
  chunkBytes: number;
  /** Called before each chunk is written; can wait (throttle) or throw (abort). */
  onChunk(bytes: number): Promise<void>;
}

/** Copies one big file in constant memory and returns the SHA-256 of the bytes read. */
export async function copyFile(copy: FileCopy): Promise<string> {
  const { source, destination } = copy.storageLabels;
  const input = await guarded(source, () => openFile(copy.from, READ_FLAGS));
  try {
    const output = await guarded(destination, () => openFile(copy.to, CREATE_FLAGS, copy.mode));
    try {
      const digest = await pump(input, output, copy);
      await guarded(destination, () => syncFile(output));
      return digest;
    } finally {
      await guarded(destination, () => closeFile(output));
    }
  } finally {
    await closeFile(input);
  }
}

/** While one chunk is written the next is read and hashed. */
async function pump(input: number, output: number, copy: FileCopy): Promise<string> {
  const hash = createHash('sha256');
  let reading = Buffer.allocUnsafe(copy.chunkBytes);
  let writing = Buffer.allocUnsafe(copy.chunkBytes);
  let pending = 0;
  let unsynced = 0;
  for (;;) {
    const [count] = await Promise.all([
      guarded(copy.storageLabels.source, () => readChunk(input, reading, 0, reading.length, null)),
      guarded(copy.storageLabels.destination, () =>
        writeWhole(output, writing.subarray(0, pending)),
      ),
    ]);
    pending = count.bytesRead;
    if (pending === 0) return hash.digest('hex');
    hash.update(reading.subarray(0, pending));
    await copy.onChunk(pending);
    unsynced += pending;
    if (unsynced >= SYNCED_BYTES) {
      await guarded(copy.storageLabels.destination, () => syncFile(output));
      unsynced = 0;
    }
    [reading, writing] = [writing, reading];
  }
}

async function writeWhole(output: number, content: Buffer): Promise<void> {
  let written = 0;
  while (written < content.length) {
    const { bytesWritten } = await writeChunk(output, content, written);
    written += bytesWritten;
  }
}

/** Runs a file operation and names the storageLabel in its failure. */
export async function guarded<T>(storageLabel: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw asMoveError(error, storageLabel);
  }
}

/** The same for synchronous operations. */
export function guardedSync<T>(storageLabel: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    throw asMoveError(error, storageLabel);
  }
}

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
