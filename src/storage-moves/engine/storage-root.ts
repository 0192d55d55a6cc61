import { opendir, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { STORAGE_METADATA_FILE } from '../../config/services.js';
import { statusOf } from './file-io.js';
import { MoveError, asMoveError, errorCode } from './move-error.js';
import { failpoint } from './failpoints.js';
import { flushPaths } from './filesystem-flush.js';

/** Folder of every storage beside its repositories; the storage registry creates it. */
export const TRASH_DIRECTORY = '+svc/trash';
export const TEMPORARY_DIRECTORY = '+svc/tmp';

/**
 * Refuses a storage that is not there: below an empty mount point every source would look
 * removed and every destination free.
 */
export function assertMounted(storageRoot: string): void {
  if (statusOf(`${storageRoot}/${STORAGE_METADATA_FILE}`) !== null) return;
  throw new MoveError(`Storage at ${storageRoot} is not mounted`, { transient: true });
}

/**
 * Deletes the temporary directory of one attempt; fine when it is gone already.
 * Refuses a path that is not directly inside a storage's temporary directory.
 */
export async function removeTemporary(path: string): Promise<void> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isInside = path.endsWith(`/${TEMPORARY_DIRECTORY}/${name}`) && !/^\.*$/.test(name);
  if (!isInside) throw new Error(`Not a temporary directory: ${path}`);
  await rm(path, { recursive: true, force: true });
}

interface TrashRequest {
  storageRoot: string;
  /** Path of the repository below the root. */
  relativePath: string;
  /** Kind and id of the move: `project-12`. */
  label: string;
}

/**
 * Renames a repository into its storage's trash, where running clones can still read it.
 *
 * Returns the trash path relative to the root, or null when there is nothing to move: so a
 * second call after a crash changes nothing. The name keeps label and former path, by which
 * `findInTrash` finds it again and a person can undo it.
 */
export async function moveToTrash(request: TrashRequest): Promise<string | null> {
  const { storageRoot, relativePath, label } = request;
  assertMounted(storageRoot);
  const trash = `${storageRoot}/${TRASH_DIRECTORY}`;
  mkdirSync(trash, { recursive: true });
  const flat = relativePath.replaceAll('/', '+');
  const trashPath = `${TRASH_DIRECTORY}/${label}~${flat}~${randomBytes(4).toString('hex')}`;
  await failpoint('trash.before-rename');
  const source = `${storageRoot}/${relativePath}`;
  if (!renameIfPresent(source, `${storageRoot}/${trashPath}`)) return null;
  await failpoint('trash.after-rename');
  await flushPaths(storageRoot, () => [trash, dirname(source)]);
  await failpoint('trash.after-sync');
  return trashPath;
}

function renameIfPresent(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && statusOf(from) === null) return false;
    throw asMoveError(error, 'Source storage');
  }
}

/** Trash paths in memory at a time: a drained storage leaves a million repositories in its trash. */
export const TRASH_SLICE = 10_000;
const READ_AT_ONCE = 1_000;

/** Yields all trash paths of a storage, up to TRASH_SLICE at a time. */
export async function* listTrash(storageRoot: string): AsyncGenerator<string[]> {
  assertMounted(storageRoot);
  const folder = `${storageRoot}/${TRASH_DIRECTORY}`;
  let paths: string[] = [];
  for await (const { name } of await opendir(folder, { bufferSize: READ_AT_ONCE })) {
    paths.push(`${TRASH_DIRECTORY}/${name}`);
    if (paths.length < TRASH_SLICE) continue;
    yield paths;
    paths = [];
  }
  if (paths.length > 0) yield paths;
}

/** Trash paths of everything one move has thrown away on this storage. */
export async function findInTrash(storageRoot: string, label: string): Promise<string[]> {
  const own: string[] = [];
  for await (const paths of listTrash(storageRoot)) {
    own.push(...paths.filter((path) => path.startsWith(`${TRASH_DIRECTORY}/${label}~`)));
  }
  return own.sort();
}

/** Deletes one entry of the trash permanently; also works when parts of it are deleted already. */
export async function deleteTrash(storageRoot: string, trashPath: string): Promise<void> {
  if (!/^\+svc\/trash\/(?=\.*[^/.])[^/]+$/.test(trashPath)) {
    throw new Error(`Not a path in the trash: ${trashPath}`);
  }
  assertMounted(storageRoot);
  await failpoint('trash.before-delete');
  await rm(`${storageRoot}/${trashPath}`, { recursive: true, force: true });
  await failpoint('trash.after-delete');
}

interface SpaceNeed {
  /** Name of the storage, for the message. */
  storage: string;
  root: string;
  bytesNeeded: number;
  filesNeeded: number;
  /** Bytes that other running moves have yet to write to the same storage. */
  bytesReservedByOthers: number;
}

/** Part of a volume that moves leave free. */
const RESERVE = 0.05;
const SPARE_FILES = 1000;

/**
 * Throws MoveError when the storage has no room for a copy: 10 % more bytes than needed must
 * be free beyond the reserve and other moves' needs, and 1,000 more inodes than files.
 */
export async function assertSpace(need: SpaceNeed): Promise<void> {
  const volume = statfsSync(need.root);
  const free = volume.bavail * volume.bsize;
  const reserve = volume.blocks * volume.bsize * RESERVE;
  const needed = Math.ceil(need.bytesNeeded * 1.1 + reserve + need.bytesReservedByOthers);
  if (free < needed) {
    throw new MoveError(
      `Not enough space on storage ${need.storage}: need ${needed}, free ${free}`,
    );
  }
  // Some filesystems (btrfs) allocate inodes as they go and report none.
  if (volume.files === 0) return;
  const files = need.filesNeeded + SPARE_FILES;
  if (volume.ffree < files) {
    throw new MoveError(
      `Not enough inodes on storage ${need.storage}: need ${files}, free ${volume.ffree}`,
    );
  }
}
