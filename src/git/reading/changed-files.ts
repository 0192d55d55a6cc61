import { LRUCache } from 'lru-cache';
import { MEMORY } from '../memory-limit.js';
import { isObjectId } from '../reference-name.js';
import { readGitCached, ReadingLimitError, streamGit } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';

/** A file that differs between two trees. */
export interface ChangedFile {
  oldPath: string;
  newPath: string;
  /** Six digits; `000000` where the file is not there. */
  aMode: string;
  bMode: string;
  isNew: boolean;
  isRenamed: boolean;
  isDeleted: boolean;
}

/** More files are neither listed nor counted. */
export const MAX_FILES = 1_000;

export const RENAMES = ['-M', '-l500'];
export const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-commit-id'];
/** Command that compares two trees. */
export const COMPARE = ['diff-tree', '-r', ...RENAMES, ...PLAIN];
export const COMPARE_LIMITS = { memory: MEMORY.comparing };

const ABSENT = '000000';

const MOST_FIELDS = 3;

/**
 * Reads up to MAX_FILES files of `--raw -z`. A file that became something else (a link, a submodule)
 * is one deleted and one new file, as git shows it in the patch.
 */
function parseChangedFiles(output: string): ChangedFile[] {
  const fields = output.split('\0', MAX_FILES * MOST_FIELDS);
  const files: ChangedFile[] = [];
  let at = 0;
  while (fields[at]?.startsWith(':') === true) {
    const [aMode = '', bMode = '', , , status = ''] = (fields[at] ?? '').slice(1).split(' ');
    const oldPath = fields[at + 1] ?? '';
    const hasTwoPaths = status.startsWith('R') || status.startsWith('C');
    const newPath = hasTwoPaths ? (fields[at + 2] ?? '') : oldPath;
    at += hasTwoPaths ? 3 : 2;
    const file = { oldPath, newPath, aMode, bMode, isRenamed: status.startsWith('R') };
    const isDeleted = status === 'D';
    if (status !== 'T') files.push({ ...file, isNew: status === 'A', isDeleted });
    else {
      files.push({ ...file, bMode: ABSENT, isNew: false, isDeleted: true });
      files.push({ ...file, aMode: ABSENT, isNew: true, isDeleted: false });
    }
  }
  return files.slice(0, MAX_FILES);
}

/** Returns the files that differ between two trees, or null if the trees are too large. */
export async function listChanges(
  repository: OpenRepository,
  from: string,
  to: string,
): Promise<ChangedFile[] | null> {
  assertObjectIds(from, to);
  const args = [...COMPARE, '--raw', '-z', from, to];
  const raw = await orNull(readGitCached(repository, args, COMPARE_LIMITS));
  return raw === null ? null : parseChangedFiles(raw);
}

/** Comparing many renamed files takes seconds: too long for a mere counter. */
const COUNTING_MS = 300;
/** Slow comparisons are tried again after this; a busy machine can be the reason. */
const RETRY_MS = 60_000;
const MAX_COUNTED_BYTES = 1024 * 1024;

/** Numbers of changed files, by repository and object IDs. */
const counts = new LRUCache<string, { files: number | null }>({ max: 10_000 });

/** Keeps the result of a whole comparison for `countChanges`. */
export function rememberCount(key: string, files: number | null): void {
  counts.set(key, { files }, files === null ? { ttl: RETRY_MS } : {});
}

/**
 * Returns the number of files that differ between two trees, up to MAX_FILES, renames detected as in
 * a diff; null if that takes too long and no diff has been read.
 */
export async function countChanges(
  repository: OpenRepository,
  from: string,
  to: string,
): Promise<number | null> {
  assertObjectIds(from, to);
  const key = comparisonKey(repository, from, to);
  const known = counts.get(key);
  if (known !== undefined) return known.files;
  const files = await orNull(readCount(repository, from, to));
  rememberCount(key, files);
  return files;
}

async function readCount(
  repository: OpenRepository,
  from: string,
  to: string,
): Promise<number | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  const isWhole = await streamGit(repository, {
    args: [...COMPARE, '--raw', '-z', from, to],
    ...COMPARE_LIMITS,
    timeLimitMs: COUNTING_MS,
    take: (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      return size <= MAX_COUNTED_BYTES;
    },
  });
  const { length } = parseChangedFiles(Buffer.concat(chunks).toString('utf8'));
  return isWhole || length === MAX_FILES ? length : null;
}

/** Key of a comparison in a cache. */
export function comparisonKey({ path }: OpenRepository, from: string, to: string): string {
  return [path, from, to].join('\0');
}

/** Resolves to null when the reading hits a limit. */
export async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ReadingLimitError) return null;
    throw error;
  }
}

function assertObjectIds(...texts: string[]): void {
  for (const text of texts) {
    if (!isObjectId(text)) throw new RangeError(`Not an object id: ${text}`);
  }
}
