import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { STREAMED_SIZE, type Throttle } from './copy-file.js';
import type { CopiedRepository } from './copy-repository.js';
import {
  displayPath,
  eachInSlices,
  forEachLimited,
  nativePath,
  READ_FLAGS,
  readSmallFile,
} from './file-io.js';
import { damagedSource, errorCode, MoveError } from './move-error.js';
import { checkBigLooseObject, isLooseObject, openLooseObject } from './objects/loose-object.js';
import { runGit } from '../../git/git-process.js';

const PARALLEL = 4;

interface CopiedFile {
  path: string;
  size: number;
}

interface Reread {
  copy: string;
  copied: CopiedRepository;
  /** `project`, `wiki`, …: how messages name the repository. */
  label: string;
  /** Receives the contents for the in-process object check; absent when git does that check. */
  contents?: Map<string, Buffer>;
  signal: AbortSignal;
  /** Throttle of the storage that is read. */
  throttle?: Throttle;
}

/**
 * Rereads every copied file and compares it with the SHA-256 of the source. Also verifies git's own
 * checksums in packs, indexes and loose objects, so that faithfully copied damage is found.
 */
export async function rereadCopy(reread: Reread): Promise<void> {
  try {
    await rereadFiles(reread);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new MoveError(`Failed to verify ${reread.label} repository: a copied file is gone`);
  }
}

async function rereadFiles(reread: Reread): Promise<void> {
  const sizes = new Map(reread.copied.inventory.files.map((file) => [file.path, file.size]));
  const files = [...reread.copied.digests.keys()].map((path) => ({
    path,
    size: sizes.get(path) ?? 0,
  }));
  // Of a repository that is checked in memory every file is wanted there.
  const streamedSize = reread.contents ? Infinity : STREAMED_SIZE;
  const big = files.filter((file) => file.size > streamedSize);
  const small = files.filter((file) => file.size <= streamedSize);
  const { signal, throttle } = reread;
  await forEachLimited(big, { parallel: PARALLEL, signal }, (file) => rereadBigFile(reread, file));
  const bombs: string[] = [];
  await eachInSlices(small, (file) => rereadSmallFile(reread, file, bombs), {
    signal,
    before: (file) => throttle?.take(file.size, signal),
  });
  for (const path of bombs) {
    await checkBigLooseObject(nativePath(reread.copy, path), path, signal);
  }
}

/** `bombs` receives small loose objects that hold more than fits in memory comfortably. */
function rereadSmallFile(reread: Reread, file: CopiedFile, bombs: string[]): void {
  const content = readSmallFile(nativePath(reread.copy, file.path), file.size);
  const digest = createHash('sha256').update(content).digest('hex');
  requireDigest(reread, file.path, digest);
  if (hasTrailingChecksum(file.path)) {
    const trailing = new TrailingChecksum(reread.copied.format, content.length);
    trailing.update(content);
    requireTrailer(file.path, trailing);
  }
  if (reread.contents) {
    reread.contents.set(file.path, content);
    return;
  }
  if (!isLooseObject(file.path)) return;
  if (openLooseObject(file.path, content, 8 * STREAMED_SIZE) === 'too-big') bombs.push(file.path);
}

async function rereadBigFile(reread: Reread, file: CopiedFile): Promise<void> {
  const path = nativePath(reread.copy, file.path);
  const handle = await open(path, READ_FLAGS);
  try {
    await hashBigFile(reread, file, handle);
  } finally {
    await handle.close();
  }
  if (isLooseObject(file.path)) await checkBigLooseObject(path, file.path, reread.signal);
}

async function hashBigFile(reread: Reread, file: CopiedFile, handle: FileHandle): Promise<void> {
  const hash = createHash('sha256');
  const trailing = hasTrailingChecksum(file.path)
    ? new TrailingChecksum(reread.copied.format, file.size)
    : null;
  const size = reread.throttle?.chunkBytes(STREAMED_SIZE) ?? STREAMED_SIZE;
  const buffer = Buffer.allocUnsafe(size);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) break;
    await reread.throttle?.take(bytesRead, reread.signal);
    hash.update(buffer.subarray(0, bytesRead));
    trailing?.update(buffer.subarray(0, bytesRead));
    reread.signal.throwIfAborted();
  }
  requireDigest(reread, file.path, hash.digest('hex'));
  if (trailing) requireTrailer(file.path, trailing);
}

function requireDigest(reread: Reread, path: string, digest: string): void {
  if (reread.copied.digests.get(path) !== digest) throw differs(reread, path);
}

function requireTrailer(path: string, trailing: TrailingChecksum): void {
  if (!trailing.isRight()) throw damagedSource(`${displayPath(path)} does not match its checksum`);
}

function differs(reread: Reread, path: string): MoveError {
  return new MoveError(
    `Failed to verify ${reread.label} repository: ${displayPath(path)} differs from its source`,
  );
}

type ObjectFormat = 'sha1' | 'sha256';

const WITH_TRAILER =
  /^objects\/(pack\/(pack-.*\.(pack|idx|rev|bitmap|mtimes)|multi-pack-index.*)|info\/(.*\/)?(commit-graph|graph-.*\.graph))$/;

/** Does git end this file with a checksum over everything before it? */
function hasTrailingChecksum(path: string): boolean {
  return WITH_TRAILER.test(path);
}

/** Checks such a file while its chunks pass by; the file can be of any size. */
class TrailingChecksum {
  private readonly hash: Hash;
  private readonly trailer: Buffer;
  private position = 0;

  constructor(
    format: ObjectFormat,
    private readonly size: number,
  ) {
    this.hash = createHash(format);
    this.trailer = Buffer.alloc(format === 'sha1' ? 20 : 32);
  }

  update(chunk: Buffer): void {
    const bodyLeft = Math.max(0, this.size - this.trailer.length - this.position);
    const body = chunk.subarray(0, bodyLeft);
    this.hash.update(body);
    this.position += body.length;
    const tail = chunk.subarray(body.length);
    const written = this.position - Math.max(0, this.size - this.trailer.length);
    tail.copy(this.trailer, Math.max(0, written));
    this.position += tail.length;
  }

  isRight(): boolean {
    return this.size > this.trailer.length && this.hash.digest().equals(this.trailer);
  }
}

const STALL_MS = 15 * 60 * 1000;

/**
 * Lets git look for missing objects: everything the references need must be there.
 * Throws MoveError with git's first finding. It does not read file contents; the
 * checksums of packs and loose objects are the caller's other half.
 */
export async function requireConnectivity(repository: string, signal: AbortSignal): Promise<void> {
  // --progress: without a sign of life a long check would look stalled.
  const check = ['fsck', '--connectivity-only', '--no-dangling', '--no-reflogs', '--progress'];
  await runCheck({ repository, args: check, signal });
}

/** Lets git unpack every object of the given pack indexes; throws MoveError when one is broken. */
export async function requireSoundPacks(
  repository: string,
  indexes: string[],
  signal: AbortSignal,
): Promise<void> {
  if (indexes.length === 0) return;
  await runCheck({ repository, args: ['verify-pack', '--', ...indexes], signal });
}

interface Check {
  repository: string;
  args: string[];
  signal: AbortSignal;
}

async function runCheck({ repository, args, signal }: Check): Promise<void> {
  // Both are caches that can be stale in a sound repository; their checksums are checked anyway.
  const config = { 'core.commitGraph': 'false', 'core.multiPackIndex': 'false' };
  const options = { cwd: repository, signal, stallMs: STALL_MS, config };
  const result = await runGit(['--git-dir=.', ...args], options).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
  if (result.code === 0) return;
  const finding = firstFinding(`${result.stdout.toString()}\n${result.stderr}`);
  throw damagedSource(finding ?? `git ${args[0]} exited with ${result.code}`);
}

function firstFinding(output: string): string | undefined {
  const lines = output.split(/[\r\n]+/).map((line) => line.trim());
  const finding = lines.find((line) => /^(missing|broken|corrupt|error|fatal)/.test(line));
  return finding?.replace(/^(error|fatal): /, '').slice(0, 200);
}
