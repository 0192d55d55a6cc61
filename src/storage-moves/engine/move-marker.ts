import { failpoint } from './failpoints.js';
import { readSmallFile, removeFile, writeNewFile } from './file-io.js';
import { errorCode } from './move-error.js';

/** Left in a published copy until the switch: whose copy it is. */
export interface MoveMarker {
  /** Kind and id of the move: `project-12`. */
  move: string;
  attempt: number;
  checksum: string;
}

const MARKER_FILE = 'svc-move.json';

/** Writes the marker into a copy that has none; the caller makes it durable. */
export function writeMarker(directory: string, marker: MoveMarker): void {
  const text = `${JSON.stringify(marker)}\n`;
  writeNewFile(`${directory}/${MARKER_FILE}`, Buffer.from(text));
}

/** Returns the marker of a directory; null for a missing or unreadable one. */
export function readMarker(directory: string): MoveMarker | null {
  try {
    const text = readSmallFile(`${directory}/${MARKER_FILE}`).toString();
    const marker = JSON.parse(text) as Partial<MoveMarker> | null;
    const { move, attempt, checksum } = marker ?? {};
    if (typeof move !== 'string' || typeof attempt !== 'number') return null;
    return { move, attempt, checksum: String(checksum) };
  } catch (error) {
    const isUnreadable = error instanceof SyntaxError || isAbsent(error);
    if (isUnreadable) return null;
    throw error;
  }
}

/**
 * Removes the marker after the commit of the switch: from now on it is the container's repository
 * and not a copy that a failing move can remove. Needs no flush: a marker that reappears after a
 * power loss names a finished move, which has no effect.
 */
export async function removeMarker(target: string): Promise<void> {
  await failpoint('marker.before-remove');
  removeFile(`${target}/${MARKER_FILE}`);
  await failpoint('marker.after-remove');
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'].includes(errorCode(error));
}
