import { ApiError, StorageUnavailableError } from '../core/errors.js';

/** Failures of a filesystem, by the system's code, in its words as git repeats them, and in ours. */
const FAILURES = [
  ['EROFS', 'Read-only file system', 'is read-only'],
  ['ENOSPC', 'No space left on device', 'is full'],
  ['EDQUOT', 'Disk quota exceeded', 'has reached its quota'],
  ['EACCES', 'Permission denied', 'denies access'],
  ['EIO', 'Input/output error', 'reports an input/output error'],
  ['ESTALE', 'Stale file handle', 'is not available'],
  ['ENOTCONN', 'Transport endpoint is not connected', 'is not available'],
  ['ENODEV', 'No such device', 'is not available'],
] as const;

/** Tells from git's own words whether it failed for its storage; a lock that is held is none. */
export function isStorageFailureText(stderr: string): boolean {
  return FAILURES.some(([, text]) => stderr.includes(text));
}

/** Returns the refusal for an error that a storage caused, and any other error as it is. */
export function asStorageError(error: unknown, storage: string): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const found = FAILURES.find(([known, text]) => code === known || error.message.includes(text));
  if (found === undefined) return error;
  return new StorageUnavailableError(`Storage ${storage} ${found[2]}.`, error);
}

/** Runs work on a storage. Throws StorageUnavailableError when the storage fails, and what it throws. */
export async function onStorage<T>(storage: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error, storage);
  }
}
