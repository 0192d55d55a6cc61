import { BadRequestError } from '../../core/errors.js';
import type { DiffSet, FileDiff } from '../../git/reading/diffs.js';

/** Diff of one file. */
export interface DiffResponse {
  /** Hunks; empty for a file that is binary, too large, or only renamed. */
  diff: string;
  /** Always false: diffs are shown unless they are too large. */
  collapsed: boolean;
  /** True if the diff is too large to show. */
  too_large: boolean;
  new_path: string;
  old_path: string;
  /** Mode before, `0` for a new file. @example "100644" */
  a_mode: string;
  /** Mode after, `0` for a deleted file. @example "100644" */
  b_mode: string;
  new_file: boolean;
  renamed_file: boolean;
  deleted_file: boolean;
}

/**
 * Throws 400 for changes too large to read even one file: an empty list would look like no changes.
 */
export function assertShowable(diff: DiffSet): DiffSet {
  if (diff.files.length > 0 || !diff.isOverflowing) return diff;
  throw new BadRequestError('changes are too large to display');
}

/** Returns the diff; `unidiff` adds the lines `---` and `+++`, which patch programs need. */
export function presentDiff(file: FileDiff, unidiff = false): DiffResponse {
  const header = unidiff && file.diff !== '' ? headerOf(file) : '';
  return {
    diff: `${header}${file.diff}`,
    collapsed: false,
    too_large: file.isTooLarge,
    new_path: file.newPath,
    old_path: file.oldPath,
    a_mode: shownMode(file.aMode),
    b_mode: shownMode(file.bMode),
    new_file: file.isNew,
    renamed_file: file.isRenamed,
    deleted_file: file.isDeleted,
  };
}

function shownMode(mode: string): string {
  return mode === '000000' ? '0' : mode;
}

function headerOf({ oldPath, newPath, isNew, isDeleted }: FileDiff): string {
  const before = isNew ? '/dev/null' : quoted(`a/${oldPath}`);
  const after = isDeleted ? '/dev/null' : quoted(`b/${newPath}`);
  return `--- ${before}\n+++ ${after}\n`;
}

const NAMED: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** As git quotes a path that would break the line. */
function quoted(path: string): string {
  if (!/[\x00-\x1f\x7f"\\]/.test(path)) return path;
  const escaped = path.replace(/[\x00-\x1f\x7f"\\]/g, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    const code = character.charCodeAt(0).toString(8).padStart(3, '0');
    return NAMED[character] ?? `\\${code}`;
  });
  return `"${escaped}"`;
}
