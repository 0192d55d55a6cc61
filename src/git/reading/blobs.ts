import { createHash } from 'node:crypto';
import { isObjectId } from '../reference-name.js';
import { runGitLimited, ReadingLimitError, streamGit } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';
import { isPlainPath } from './trees.js';

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

/** At most `max` bytes of a blob; null when there is none of this id. */
export function readBlobBounded(
  repository: OpenRepository,
  oid: string,
  max: number,
): Promise<BlobBeginning | null> {
  return isObjectId(oid) ? readBeginning(repository, oid, max) : Promise.resolve(null);
}

/** At most `max` bytes of the file that a commit has at a path; null when it has none there. */
export function readFileBounded(
  repository: OpenRepository,
  { oid, path }: { oid: string; path: string },
  max: number,
): Promise<BlobBeginning | null> {
  if (!isObjectId(oid) || path === '' || !isPlainPath(path)) return Promise.resolve(null);
  return readBeginning(repository, `${oid}:${path}`, max);
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

async function readBeginning(
  repository: OpenRepository,
  expression: string,
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
    await streamGit(repository, { args, input: `${expression}\0`, take });
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
