/** Encodes a path for an address, but for its slashes: of a file, or the name of a branch. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
