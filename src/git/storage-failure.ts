import { ApiError, StorageUnavailableError } from '../core/errors.js';

/** Filesystem errors: code, message as printed by git, and our wording. */
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

/** Tests whether git's error output indicates a storage failure; lock conflicts do not. */
export function isStorageFailureText(stderr: string): boolean {
  return FAILURES.some(([, text]) => stderr.includes(text));
}

/**
 * Wraps an error caused by a storage as StorageUnavailableError and returns any other unchanged.
 */
function asStorageError(error: unknown, storage: string): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const found = FAILURES.find(([known, text]) => code === known || error.message.includes(text));
  if (found === undefined) return error;
  return new StorageUnavailableError(`Storage ${storage} ${found[2]}.`, error);
}

/** Runs work on a storage and rethrows its filesystem errors as StorageUnavailableError. */
export async function onStorage<T>(storage: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error, storage);
  }
}
