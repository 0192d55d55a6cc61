import { statSync } from 'node:fs';

/** Returns a writable folder on another filesystem than the path. */
export function folderElsewhere(path: string): string {
  const { dev } = statSync(path);
  const folder = ['/dev/shm', '/var/tmp', '/tmp'].find((one) => statSync(one).dev !== dev);
  if (folder === undefined)
    throw new Error(`no writable folder on another filesystem than ${path}`);
  return folder;
}
