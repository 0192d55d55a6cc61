import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncPath } from '../../git/durable-file.js';
import { failpoint } from './failpoints.js';
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
  await assertMounted(storageRoot);
  const trash = `${storageRoot}/${TRASH_DIRECTORY}`;
  await mkdir(trash, { recursive: true });
  const flat = relativePath.replaceAll('/', '+');
  const trashPath = `${TRASH_DIRECTORY}/${label}~${flat}~${randomBytes(4).toString('hex')}`;
  await failpoint('trash.before-rename');
  const source = `${storageRoot}/${relativePath}`;
  if (!(await renameIfPresent(source, `${storageRoot}/${trashPath}`))) return null;
  await failpoint('trash.after-rename');
  await Promise.all([syncPath(trash), syncPath(dirname(source))]);
  await failpoint('trash.after-sync');
  return trashPath;
}

async function renameIfPresent(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const isAbsent = errorCode(error) === 'ENOENT' && !(await exists(from));
    if (isAbsent) return false;
    throw asMoveError(error, 'Source storage');
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Trash paths of everything one move has thrown away on this storage. */
export async function findInTrash(storageRoot: string, label: string): Promise<string[]> {
  await assertMounted(storageRoot);
  const names = await readdir(`${storageRoot}/${TRASH_DIRECTORY}`);
  const own = names.filter((name) => name.startsWith(`${label}~`)).sort();
  return own.map((name) => `${TRASH_DIRECTORY}/${name}`);
}

/** Deletes one entry of the trash for good; fine when it is half or wholly gone already. */
export async function deleteTrash(storageRoot: string, trashPath: string): Promise<void> {
  if (!/^\+svc\/trash\/[^/]*[^/.][^/]*$/.test(trashPath)) {
    throw new Error(`Not a path in the trash: ${trashPath}`);
  }
  await assertMounted(storageRoot);
  await failpoint('trash.before-delete');
  await rm(`${storageRoot}/${trashPath}`, { recursive: true, force: true });
  await failpoint('trash.after-delete');
}
