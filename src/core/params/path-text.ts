/** A path without its percent signs; null when they do not spell UTF-8. */
export function decodedPath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
