import { LRUCache } from 'lru-cache';
import { countCacheRequest } from '../../core/metrics/metrics-registry.js';
import {
  type ChangedFile,
  COMPARE,
  COMPARE_LIMITS,
  comparisonKey,
  listChanges,
  MAX_FILES,
  orNull,
  PLAIN,
  rememberCount,
  RENAMES,
} from './changed-files.js';
import type { CommitRecord } from './commits.js';
import { PatchReader, type PatchSection } from './patch-reader.js';
import { readGitCached, ReadingLimitError, streamGit } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';

/** Empty tree; git has it in every repository. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A changed file with its patch. */
export interface FileDiff extends ChangedFile {
  isBinary: boolean;
  /** Longer than what is shown; `diff` is empty then. */
  isTooLarge: boolean;
  /** Hunks only, from the first `@@` on. */
  diff: string;
  additions: number;
  deletions: number;
}

/** The changes between two trees, as many as are shown. */
export interface DiffSet {
  files: FileDiff[];
  /** True if the diff is truncated. */
  isOverflowing: boolean;
}

export interface DiffStats {
  additions: number;
  deletions: number;
  total: number;
}

const MEBIBYTE = 1024 * 1024;
const BOUNDS = {
  files: MAX_FILES,
  bytesPerFile: 100 * 1024,
  bytesInAll: 5 * MEBIBYTE,
  bytesRead: 64 * MEBIBYTE,
};
const NO_CHANGES: DiffStats = { additions: 0, deletions: 0, total: 0 };
const NOT_READ: PatchSection = {
  text: '',
  additions: 0,
  deletions: 0,
  isBinary: false,
  isTooLarge: true,
};

/** Whole diffs, by repository and object IDs. */
const recent = new LRUCache<string, DiffSet>({
  maxSize: 8 * MEBIBYTE,
  maxEntrySize: MEBIBYTE / 4,
  sizeCalculation: ({ files }) =>
    files.reduce(
      (size, { diff, oldPath, newPath }) =>
        size + 2 * (diff.length + oldPath.length + newPath.length) + 500,
      500,
    ),
});

/**
 * Returns the diff that turns the tree of `from` into that of `to`; object IDs of commits or trees.
 * For the changes of a branch since it left another one, `from` is their merge base.
 */
export async function diffBetween(
  repository: OpenRepository,
  from: string,
  to: string,
): Promise<DiffSet> {
  const key = comparisonKey(repository, from, to);
  const known = recent.get(key);
  countCacheRequest('git_diffs', known !== undefined);
  if (known !== undefined) return known;
  const diff = await readDiff(repository, from, to);
  rememberCount(key, countOf(diff));
  if (!diff.isOverflowing) recent.set(key, diff);
  return diff;
}

/** Returns the number of changed files; null if there are too many to list. */
export function countOf({ files, isOverflowing }: DiffSet): number | null {
  return isOverflowing && files.length === 0 ? null : files.length;
}

async function readDiff(repository: OpenRepository, from: string, to: string): Promise<DiffSet> {
  const changed = await listChanges(repository, from, to);
  if (changed === null) return { files: [], isOverflowing: true };
  if (changed.length === 0) return { files: [], isOverflowing: false };
  const patch = new PatchReader(BOUNDS);
  const end = await readPatch(repository, [...COMPARE, '-p', from, to], patch);
  const sections = patch.sections();
  // Out of memory, git stops between files or before the first hunk of a file.
  const isEmptied = end === 'memory' && sections.at(-1)?.text === '';
  const isLastWhole = patch.isLastWhole && !isEmptied && end !== 'time';
  const files = changed.map((file, at) => {
    const isCut = !isLastWhole && at === sections.length - 1;
    return toFileDiff(file, isCut ? NOT_READ : (sections[at] ?? NOT_READ));
  });
  return { files, isOverflowing: end !== 'whole' };
}

/** Git reads added and deleted files as a whole, only to detect binaries: long ones stop it. */
async function readPatch(
  repository: OpenRepository,
  args: readonly string[],
  patch: PatchReader,
): Promise<'whole' | 'enough' | ReadingLimitError['limit']> {
  const take = patch.take.bind(patch);
  const env = { GIT_ALLOC_LIMIT: '128m' };
  try {
    const isWhole = await streamGit(repository, { args, take, env, ...COMPARE_LIMITS });
    return isWhole ? 'whole' : 'enough';
  } catch (error) {
    if (error instanceof ReadingLimitError) return error.limit;
    throw error;
  }
}

/** Returns the diff of a commit against its first parent. */
export function diffOfCommit(
  repository: OpenRepository,
  { id, parentIds }: CommitRecord,
): Promise<DiffSet> {
  return diffBetween(repository, parentIds[0] ?? EMPTY_TREE, id);
}

/**
 * Returns the line counts of several commits against their first parents, from one git process; an
 * empty map when one of them is too large to count.
 */
export async function statsOfCommits(
  repository: OpenRepository,
  commits: readonly CommitRecord[],
): Promise<Map<string, DiffStats>> {
  if (commits.length === 0) return new Map();
  const lines = commits.map(({ id, parentIds }) => [id, ...parentIds.slice(0, 1)].join(' '));
  const args = ['diff-tree', '-r', '--root', '--stdin', '--numstat', '-z', '--always'];
  const flags = [...RENAMES, ...PLAIN.filter((flag) => flag !== '--no-commit-id')];
  const input = `${lines.join('\n')}\n`;
  const options = { input, ...COMPARE_LIMITS };
  const output = await orNull(readGitCached(repository, [...args, ...flags], options));
  return output === null ? new Map() : parseStats(output);
}

/**
 * Reads `--numstat -z`: `added TAB deleted TAB path`, or an empty path and then two fields with the
 * old and the new one. Paths can look like anything, so they are skipped, never looked at. The
 * counts of a binary file are dashes.
 */
function parseStats(output: string): Map<string, DiffStats> {
  const stats = new Map<string, DiffStats>();
  const fields = output.split('\0');
  let current = NO_CHANGES;
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? '';
    const counts = /^(\d+|-)\t(\d+|-)\t/.exec(field);
    if (counts === null) {
      current = { ...NO_CHANGES };
      if (field !== '') stats.set(field, current);
      continue;
    }
    current.additions += Number(counts[1]) || 0;
    current.deletions += Number(counts[2]) || 0;
    current.total = current.additions + current.deletions;
    if (counts[0].length === field.length) at += 2;
  }
  return stats;
}

function toFileDiff(file: ChangedFile, section: PatchSection): FileDiff {
  const { text, additions, deletions, isBinary, isTooLarge } = section;
  return { ...file, diff: text, additions, deletions, isBinary, isTooLarge };
}
