import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { readSmallFile, removeFile, statusOf, writeNewFile } from './file-io.js';
import { errorCode } from './move-error.js';
import type { MoveMarker } from './move-marker.js';

/** A holder works for milliseconds; a lock that stays the same for so long has lost its holder. */
const ABANDONED_MS = 5000;
const POLL_MS = 50;

/** Locks of this process; so a lock file with our own pid is from an earlier life of that pid. */
const heldHere = new Set<string>();

interface Holder {
  move: string;
  attempt: number;
  host: string;
  pid: number;
}

/**
 * Runs the action while `<target>.lock` exists, so that two movers never look at and replace
 * the same directory at once. The lock of a dead process, or of an earlier attempt of the
 * same move, is taken over.
 */
export async function withPublishLock<T>(
  target: string,
  marker: MoveMarker,
  action: () => Promise<T>,
): Promise<T> {
  const lock = `${target}.lock`;
  while (heldHere.has(lock)) await delay(POLL_MS);
  heldHere.add(lock);
  try {
    await acquire(lock, marker);
    try {
      return await action();
    } finally {
      removeFile(lock);
    }
  } finally {
    heldHere.delete(lock);
  }
}

async function acquire(lock: string, marker: MoveMarker): Promise<void> {
  const { move, attempt } = marker;
  const holder: Holder = { move, attempt, host: hostname(), pid: process.pid };
  let observed = { identity: '', since: performance.now() };
  while (!tryCreate(lock, holder)) {
    const identity = lockIdentity(lock);
    const now = performance.now();
    if (identity !== observed.identity) observed = { identity, since: now };
    const isAbandoned = now - observed.since > ABANDONED_MS;
    const other = readHolder(lock);
    if (isAbandoned || (other && isStale(other, holder))) removeFile(lock);
    else await delay(POLL_MS);
  }
}

function tryCreate(lock: string, holder: Holder): boolean {
  try {
    writeNewFile(lock, Buffer.from(JSON.stringify(holder)));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Inode and time of change: a lock that was released and taken again is another one. */
function lockIdentity(lock: string): string {
  const status = statusOf(lock);
  return status === null ? '' : `${status.ino} ${status.ctimeMs}`;
}

function readHolder(lock: string): Holder | null {
  try {
    return JSON.parse(readSmallFile(lock).toString()) as Holder;
  } catch (error) {
    // Just released, or its holder was killed between creating and writing it.
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function isStale(other: Holder, mine: Holder): boolean {
  if (other.move === mine.move && other.attempt < mine.attempt) return true;
  if (other.host !== mine.host) return false;
  return other.pid === mine.pid || !isAlive(other.pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}
