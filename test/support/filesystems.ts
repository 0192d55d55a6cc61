import { statSync } from 'node:fs';

/** A folder that can be written to and lies on another filesystem than the path. */
export function folderElsewhere(path: string): string {
  const { dev } = statSync(path);
  const folder = ['/dev/shm', '/var/tmp', '/tmp'].find((one) => statSync(one).dev !== dev);
  if (folder === undefined) throw new Error(`all folders are on the filesystem of ${path}`);
  return folder;
}
