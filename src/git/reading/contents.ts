import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { BadRequestError } from '../../core/errors.js';
import { countCacheRequest } from '../../core/metrics/metrics-registry.js';
import { isObjectId } from '../reference-name.js';
import { ReadingLimitError, runGitCached, runGitLimited, streamGit } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';

type EntryType = 'tree' | 'blob' | 'commit';

/** A folder, file or submodule of a tree. */
export interface TreeEntry {
  id: string;
  name: string;
  type: EntryType;
  /** Path from the root of the repository. */
  path: string;
  /** As v4 writes it: six digits, `040000` for a folder. */
  mode: string;
}

/** 400 for a tree with more entries than one reading can return, about half a million. */
export class TreeTooLargeError extends BadRequestError {
  constructor(isRecursive: boolean) {
    super(
      isRecursive
        ? 'the tree is too large to list recursively, list its folders instead'
        : 'the folder has too many entries to list',
    );
  }
}

const TYPE_ORDER: Record<EntryType, number> = { tree: 0, blob: 1, commit: 2 };

/**
 * Entries of a folder of a commit or tree ('' = the root), folders first; with `recursive` all
 * below it too. null when there is no such folder. An empty folder is only ever the root. Throws
 * TreeTooLargeError.
 */
export async function listTree(
  repository: OpenRepository,
  oid: string,
  { path = '', recursive = false }: { path?: string; recursive?: boolean },
): Promise<TreeEntry[] | null> {
  const folder = withoutOuterSlashes(path);
  if (!isObjectId(oid) || !isPlainPath(folder)) return null;
  const depth = recursive ? ['-r', '-t'] : [];
  const args = ['ls-tree', '-z', '--full-tree', ...depth, `${oid}:${folder}`];
  const { code, stdout } = await runGitCached(repository, args).catch((error: unknown) => {
    const isTooLarge = error instanceof ReadingLimitError && error.limit === 'output';
    throw isTooLarge ? new TreeTooLargeError(recursive) : error;
  });
  if (code !== 0) return null;
  const entries = parseEntries(stdout.toString('utf8'), folder === '' ? '' : `${folder}/`);
  return entries.sort((a, b) => TYPE_ORDER[a.type] - TYPE_ORDER[b.type]);
}

/** Returns the entry of a commit at a path ('' = its root folder); null when there is none. */
export async function entryAt(
  repository: OpenRepository,
  oid: string,
  path: string,
): Promise<TreeEntry | null> {
  if (!isObjectId(oid) || !isPlainPath(path)) return null;
  if (path === '') return rootOf(repository, oid);
  const args = ['ls-tree', '-z', '--full-tree', oid, '--', path];
  const { code, stdout } = await runGitCached(repository, args);
  const [entry] = code === 0 ? parseEntries(stdout.toString('utf8'), '') : [];
  return entry ?? null;
}

/** `/src/` is taken for `src`. */
export function withoutOuterSlashes(path: string): string {
  return path.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '');
}

/** Returns true if a path is possible in a tree: no empty names, no `.` or `..`, no NUL. */
export function isPlainPath(path: string): boolean {
  if (path === '') return true;
  if (path.includes('\0')) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

async function rootOf(repository: OpenRepository, oid: string): Promise<TreeEntry | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${oid}^{tree}`];
  const { code, stdout } = await runGitCached(repository, args);
  if (code !== 0) return null;
  const id = stdout.toString('ascii').trim();
  return { id, name: '', type: 'tree', path: '', mode: '040000' };
}

function parseEntries(output: string, prefix: string): TreeEntry[] {
  return output.split('\0').flatMap((line) => {
    const match = /^(\d{6}) (tree|blob|commit) ([0-9a-f]+)\t(.+)$/s.exec(line);
    if (match === null) return [];
    const [, mode = '', type = '', id = '', inner = ''] = match;
    const name = inner.slice(inner.lastIndexOf('/') + 1);
    return [{ id, name, type: type as EntryType, path: `${prefix}${inner}`, mode }];
  });
}

/** A file's content as far as it was wanted. */
export interface BlobBeginning {
  oid: string;
  size: number;
  content: Buffer;
  /** False = the file is longer than the bound; `content` is its beginning. */
  isWhole: boolean;
}

const LONGEST_HEADER = 256;

/** Bytes of a blob; null when there is no blob of this id. */
export async function blobSize(repository: OpenRepository, oid: string): Promise<number | null> {
  if (!isObjectId(oid)) return null;
  const args = ['cat-file', '--batch-check=%(objecttype) %(objectsize)'];
  const { stdout } = await runGitLimited(repository, args, { input: `${oid}\n` });
  const match = /^blob (\d+)\n$/.exec(stdout.toString('latin1'));
  return match === null ? null : Number(match[1]);
}

/** SHA-256 of a blob of any size, in hex. Throws GitProcessError when there is none of this id. */
export async function blobDigest(repository: OpenRepository, oid: string): Promise<string> {
  const hash = createHash('sha256');
  const take = (chunk: Buffer): boolean => {
    hash.update(chunk);
    return true;
  };
  await streamGit(repository, { args: ['cat-file', 'blob', oid], take });
  return hash.digest('hex');
}

/** Whole files of moderate size, by repository and object ID. */
const recent = new LRUCache<string, BlobBeginning>({
  maxSize: 8 * 1024 * 1024,
  maxEntrySize: 256 * 1024,
  sizeCalculation: ({ content }, key) => content.length + 2 * key.length + LONGEST_HEADER,
});

function ownCopy(content: Buffer): Buffer {
  return Buffer.from(new Uint8Array(content).buffer);
}

/** At most `max` bytes of a blob; null when there is none of this id. */
export async function readBlobBounded(
  repository: OpenRepository,
  oid: string,
  max: number,
): Promise<BlobBeginning | null> {
  if (!isObjectId(oid)) return null;
  const key = `${repository.path} ${oid}`;
  const known = recent.get(key);
  const isHit = known !== undefined && known.size <= max;
  countCacheRequest('git_files', isHit);
  if (isHit) return known;
  const blob = await readBeginning(repository, oid, max);
  // A copy, because small buffers are parts of a larger one that they would keep.
  if (blob?.isWhole === true) recent.set(key, { ...blob, content: ownCopy(blob.content) });
  return blob;
}

async function readBeginning(
  repository: OpenRepository,
  oid: string,
  max: number,
): Promise<BlobBeginning | null> {
  const chunks: Buffer[] = [];
  let room = max + LONGEST_HEADER;
  const args = ['cat-file', '--batch', '-z'];
  const take = (chunk: Buffer): boolean => {
    chunks.push(chunk);
    room -= chunk.length;
    return room > 0;
  };
  try {
    await streamGit(repository, { args, input: `${oid}\0`, take });
  } catch (error) {
    // Git has already sent the size: the file is too large to be reassembled from its deltas.
    const isTooLarge = error instanceof ReadingLimitError && chunks.length > 0;
    if (!isTooLarge) throw error;
  }
  const output = Buffer.concat(chunks);
  const end = output.indexOf(0x0a);
  const match = /^([0-9a-f]+) blob (\d+)$/.exec(output.toString('latin1', 0, Math.max(end, 0)));
  if (match === null) return null;
  const size = Number(match[2]);
  const content = output.subarray(end + 1, end + 1 + Math.min(size, max));
  return { oid: match[1] ?? '', size, content, isWhole: content.length === size };
}
