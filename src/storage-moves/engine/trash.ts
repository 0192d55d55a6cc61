import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failpoint } from './failpoints.js';
import { statusOf } from './file-io.js';
import { flushPaths } from './filesystem-flush.js';
import { asMoveError, errorCode } from './move-error.js';
import { assertMounted, TRASH_DIRECTORY } from './storage-root.js';

export interface TrashRequest {
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

/** Trash paths of everything one move has thrown away on this storage. */
export async function findInTrash(storageRoot: string, label: string): Promise<string[]> {
  assertMounted(storageRoot);
  const names = readdirSync(`${storageRoot}/${TRASH_DIRECTORY}`);
  const own = names.filter((name) => name.startsWith(`${label}~`)).sort();
  return own.map((name) => `${TRASH_DIRECTORY}/${name}`);
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
