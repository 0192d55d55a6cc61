import fs from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode } from './move-error.js';

/**
 * Paths inside a repository are kept as latin1 strings, one character per byte:
 * a reference name need not be valid UTF-8, and a replaced byte would lose it.
 */
export function nativePath(root: string, relative: string): string | Buffer {
  if (!/[\u0080-\u00ff]/.test(relative)) return `${root}/${relative}`;
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(relative, 'latin1')]);
}

/** Returns the relative path for messages. */
export function displayPath(relative: string): string {
  return Buffer.from(relative, 'latin1').toString('utf8');
}

export const openFile = promisify(fs.open);
export const closeFile = promisify(fs.close);
export const syncFile = promisify(fs.fsync);

// O_NONBLOCK: a fifo put in place of a file after the listing must not hang the move.
export const READ_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;
export const CREATE_FLAGS =
  fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_NOFOLLOW;

/** Reads a whole small file without following a link at its end. */
export function readSmallFile(path: string | Buffer, expectedSize = 255): Buffer {
  const fd = fs.openSync(path, READ_FLAGS);
  try {
    let buffer = Buffer.allocUnsafe(expectedSize + 1);
    let filled = 0;
    for (;;) {
      const count = fs.readSync(fd, buffer, filled, buffer.length - filled, null);
      filled += count;
      if (filled < buffer.length) return buffer.subarray(0, filled);
      buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** Returns the entry at the path itself, without following links; null when it does not exist. */
export function statusOf(path: string): fs.Stats | null {
  return fs.lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

/** Removes a file; missing files are ignored. */
export function removeFile(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Creates a file that must not exist yet. */
export function writeNewFile(path: string | Buffer, content: Uint8Array, mode = 0o644): void {
  const fd = fs.openSync(path, CREATE_FLAGS, mode);
  try {
    for (let written = 0; written < content.length;) {
      written += fs.writeSync(fd, content, written);
    }
  } finally {
    fs.closeSync(fd);
  }
}

const SLICE_MS = 8;

interface SliceOptions<T> {
  signal?: AbortSignal;
  /** Returns a promise that the item must wait for, or undefined to continue immediately. */
  before?: (item: T) => Promise<void> | undefined;
}

/**
 * Runs a synchronous task for every item and lets other work in every few milliseconds.
 *
 * A small repository needs hundreds of tiny file operations. Through the thread pool each
 * costs 50 to 100 µs of waiting, called directly 5 to 10 µs: 13 against 2 ms for 37 files.
 * Big files are never handled here.
 */
export async function eachInSlices<T>(
  items: Iterable<T>,
  task: (item: T) => void,
  { signal, before }: SliceOptions<T> = {},
): Promise<void> {
  let started = performance.now();
  for (const item of items) {
    const wait = before?.(item);
    if (wait !== undefined) await wait;
    task(item);
    if (performance.now() - started < SLICE_MS) continue;
    await nextTurn();
    signal?.throwIfAborted();
    started = performance.now();
  }
}

export interface Limits {
  parallel: number;
  signal?: AbortSignal;
}

/** Runs the task for every item, a few at a time; the first failure stops the rest. */
export async function forEachLimited<T>(
  items: readonly T[],
  limits: Limits,
  task: (item: T) => Promise<void>,
): Promise<void> {
  let position = 0;
  let failed = false;
  const run = async () => {
    while (!failed && position < items.length) {
      limits.signal?.throwIfAborted();
      const item = items[position++] as T;
      await task(item);
    }
  };
  const guarded = async () => {
    try {
      await run();
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  // All runners must be over before the caller cleans up behind them.
  const runners = Math.min(limits.parallel, items.length);
  const results = await Promise.allSettled(Array.from({ length: runners }, guarded));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

/** Creates the directories below root with their parents. */
export function makeDirectories(root: string, directories: Iterable<string>): void {
  for (const directory of directories) {
    fs.mkdirSync(nativePath(root, directory), { recursive: true });
  }
}
