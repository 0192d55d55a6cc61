import { rm } from 'node:fs/promises';
import { statusOf } from './file-io.js';
import { MoveError } from './move-error.js';

/** Folder of every storage beside its repositories; the storage registry creates it. */
export const TRASH_DIRECTORY = '+svc/trash';
export const TEMPORARY_DIRECTORY = '+svc/tmp';

const METADATA_FILE = '.svc-metadata';

/**
 * Refuses a storage that is not there: below an empty mount point every source would look
 * removed and every destination free.
 */
export function assertMounted(storageRoot: string): void {
  if (statusOf(`${storageRoot}/${METADATA_FILE}`) !== null) return;
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
