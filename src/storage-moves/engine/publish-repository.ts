import { mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { syncPath } from '../../git/durable-file.js';
import { failpoint } from './failpoints.js';
import { readSmallFile, removeFile, statusOf, writeNewFile } from './file-io.js';
import { flushPaths, treePaths } from './filesystem-flush.js';
import { guarded } from './copy-file.js';
import { errorCode, MoveError } from './move-error.js';
import { type MoveMarker, readMarker, writeMarker } from './move-marker.js';
import { assertMounted, TEMPORARY_DIRECTORY, moveToTrash } from './storage-root.js';

interface Publication {
  /** The verified copy, on the same filesystem as the storage. */
  temporary: string;
  /** Where the repository belongs. */
  target: string;
  storageRoot: string;
  marker: MoveMarker;
  /** Name of the storage in error messages. */
  storageLabel?: string;
  /**
   * Throws when the caller has lost its lease; called when no other process can reach the target.
   */
  confirm?(): void;
}

export interface Published {
  /** Entry found at the target: `ours` is left over from an earlier attempt of this move. */
  found: 'nothing' | 'empty' | 'ours' | 'foreign';
  /** Where that was put, relative to the storage root. */
  trashed: string | null;
}

/**
 * Renames a verified copy into place and makes both durable.
 *
 * One flush covers the files and the name: the target is not used until the switch, which comes
 * later. After a power loss in between the next attempt removes what it finds there, complete
 * or torn.
 *
 * Never overwrites or merges into an existing target: an empty directory is removed, anything else
 * goes to the trash. When this returns, copy and name survive a power loss. Throws MoveError, among
 * others when temporary and target are on different filesystems.
 */
export async function publishRepository(publication: Publication): Promise<Published> {
  const { temporary, target, storageRoot, marker } = publication;
  return guarded(publication.storageLabel ?? 'Destination storage', async () => {
    assertMounted(storageRoot);
    await failpoint('publish.before-marker');
    writeMarker(temporary, marker);
    await failpoint('publish.after-marker');
    makeParents(storageRoot, dirname(target));
    const published = await withPublishLock(target, marker, () => replaceTarget(publication));
    // All parents: an earlier attempt may have died after creating them.
    const parents = () => [...parentsOf(storageRoot, dirname(target)), storageRoot];
    await flushPaths(storageRoot, () => [...treePaths(target), ...parents()]);
    await failpoint('publish.after-sync');
    return published;
  });
}

async function replaceTarget(publication: Publication): Promise<Published> {
  const { temporary, target } = publication;
  await failpoint('publish.after-lock');
  publication.confirm?.();
  const published = await clearTarget(publication);
  await failpoint('publish.before-rename');
  renameSync(temporary, target);
  await failpoint('publish.after-rename');
  return published;
}

async function clearTarget(publication: Publication): Promise<Published> {
  const { target, storageRoot, marker } = publication;
  const status = statusOf(target);
  if (status === null) return { found: 'nothing', trashed: null };
  if (status.isDirectory() && readdirSync(target).length === 0) {
    rmdirSync(target);
    return { found: 'empty', trashed: null };
  }
  const found = readMarker(target)?.move === marker.move ? 'ours' : 'foreign';
  const label = found === 'ours' ? `${marker.move}-superseded` : `${marker.move}-unexpected`;
  const relativePath = relative(storageRoot, target);
  return { found, trashed: await moveToTrash({ storageRoot, relativePath, label }) };
}

function parentsOf(storageRoot: string, directory: string): string[] {
  const parents: string[] = [];
  for (let path = directory; path !== storageRoot; path = dirname(path)) {
    if (path === dirname(path)) throw new Error(`${directory} is not inside ${storageRoot}`);
    parents.push(path);
  }
  return parents;
}

/** From the top, one by one: a link in place of a parent would lead out of the storage. */
function makeParents(storageRoot: string, directory: string): void {
  for (const path of parentsOf(storageRoot, directory).reverse()) {
    const status = statusOf(path);
    if (status === null) mkdirSync(path, { recursive: true });
    else if (!status.isDirectory()) {
      throw new MoveError(`Not a directory: ${relative(storageRoot, path)}`);
    }
  }
}

interface Withdrawal {
  target: string;
  storageRoot: string;
  marker: MoveMarker;
}

/**
 * Removes what this move has published, after a failure BEFORE the switch.
 *
 * Removes only a copy with the marker of this move and of this or an earlier attempt: a worker that
 * lost its lease must not remove what its successor published. The caller has to know from the
 * database that the switch did not happen.
 */
export async function withdrawRepository(withdrawal: Withdrawal): Promise<void> {
  const { target, storageRoot, marker } = withdrawal;
  assertMounted(storageRoot);
  if (statusOf(target) === null) return;
  // Named as a copy of the attempt, so that it is removed with its copies when we are killed here.
  const name = `${marker.move}-${marker.attempt}-withdrawn-${basename(target)}`;
  const doomed = `${storageRoot}/${TEMPORARY_DIRECTORY}/${name}`;
  await withPublishLock(target, marker, async () => {
    const found = readMarker(target);
    if (found?.move !== marker.move || found.attempt > marker.attempt) return;
    await failpoint('withdraw.before-rename');
    await rm(doomed, { recursive: true, force: true });
    // One rename: a half-deleted repository never stands at the target.
    renameSync(target, doomed);
    await failpoint('withdraw.after-rename');
    await syncPath(dirname(target));
  });
  await rm(doomed, { recursive: true, force: true });
}

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
 * Runs the action while `<target>.lock` exists, so that two movers never check and replace the same
 * directory concurrently. The lock of a dead process, or of an earlier attempt of the same move, is
 * taken over.
 */
async function withPublishLock<T>(
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
