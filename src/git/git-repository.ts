import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import type { TreeFile } from './git-objects.js';
import { gitOutput, runGit, collectStderr, GitProcessError, startGit } from './git-process.js';
import { BRANCH_PREFIX, isObjectId, isValidBranchName } from './reference-name.js';
import { makeDirectoryDurably, syncPath, writeNewFile } from './durable-file.js';
import { BadRequestError } from '../core/errors.js';
import { killGroup } from './forked-process.js';
import { isOutOfMemory, MEMORY } from './memory-limit.js';

export interface Reference {
  name: string;
  oid: string;
}

/** All refs but HEAD, sorted by name. */
export async function listReferences(repository: string): Promise<Reference[]> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)'];
  const output = await gitOutput(args, { cwd: repository });
  return output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const space = line.indexOf(' ');
      return { oid: line.slice(0, space), name: line.slice(space + 1) };
    });
}

/** The branch that HEAD names, whether or not it exists; null when HEAD names a commit. */
export async function headBranch(repository: string): Promise<string | null> {
  const head = await readFile(join(repository, 'HEAD'), 'utf8');
  const match = /^ref:\s*refs\/heads\/(.+)$/.exec(head.trimEnd());
  return match?.[1] ?? null;
}

/** Lets HEAD name a branch. */
export async function setHeadBranch(repository: string, branch: string): Promise<void> {
  if (!isValidBranchName(branch)) throw new RangeError(`Bad branch name: ${branch}`);
  await gitOutput(['symbolic-ref', 'HEAD', `${BRANCH_PREFIX}${branch}`], { cwd: repository });
}

/** Object id of a branch, tag, full ref or object id, as a commit; null when there is none. */
export async function resolveCommit(repository: string, revision: string): Promise<string | null> {
  if (revision === '' || revision.startsWith('-') || revision.includes('\0')) return null;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { code, stdout } = await runGit(args, { cwd: repository });
  return code === 0 ? stdout.toString('ascii').trim() : null;
}

/** Every file below a commit or tree, in git's order; submodules are left out. */
export async function listFiles(
  repository: string,
  oid: string,
  env?: Record<string, string>,
): Promise<TreeFile[]> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', oid];
  const output = await gitOutput(args, { cwd: repository, env });
  return output
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const match = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line);
      if (match === null) return [];
      const [, mode = '', blob = '', path = ''] = match;
      return [{ mode, oid: blob, path }];
    });
}

/** Content of a file at a commit; null when the commit has no such file. */
export async function readBlob(
  repository: string,
  oid: string,
  path: string,
): Promise<Buffer | null> {
  if (!isObjectId(oid) || path.includes('\0')) return null;
  const { code, stdout } = await runGit(['cat-file', 'blob', `${oid}:${path}`], {
    cwd: repository,
  });
  return code === 0 ? stdout : null;
}

/** Git holds smaller files in memory whole: a few megabytes for each client that waits. */
const STREAM_CONFIG = { 'core.bigFileThreshold': '16m' };

/**
 * Returns a stream of a file's content at a commit, for files of any size, or null when there is no
 * such file. Throws 400 when git runs out of memory reassembling it from deltas. Destroying the
 * stream ends git, and a failure of git midway destroys the stream.
 */
export async function openBlob(
  repository: string,
  commit: string,
  path: string,
): Promise<Readable | null> {
  if (!isObjectId(commit) || path.includes('\0')) return null;
  return openObject(repository, `${commit}:${path}`);
}

/** The same for a blob that is known by its id. */
export async function openBlobById(repository: string, oid: string): Promise<Readable | null> {
  return isObjectId(oid) ? openObject(repository, oid) : null;
}

async function openObject(repository: string, object: string): Promise<Readable | null> {
  const options = { cwd: repository, config: STREAM_CONFIG, memory: MEMORY.reading };
  const child = await startGit(['cat-file', 'blob', object], options);
  child.stdin.end();
  const stderr = collectStderr(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const content = new PassThrough();
  child.stdout.pipe(content, { end: false });
  content.once('close', () => {
    killGroup(child, 'SIGKILL');
    child.stdout.resume();
  });
  const isOpen = await Promise.race([
    once(content, 'readable').then(() => true),
    closed.then(([code]) => code === 0),
  ]);
  if (!isOpen && isOutOfMemory(stderr())) {
    throw new BadRequestError('file is too large, clone the repository');
  }
  if (!isOpen) return null;
  closed.then(
    ([code]) => {
      if (code === 0) content.end();
      else content.destroy(new GitProcessError(`git cat-file exited with ${code}: ${stderr()}`));
    },
    (error: Error) => content.destroy(error),
  );
  return content;
}

const NEW_CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';
const DESCRIPTION = 'Unnamed repository; edit this file to name the repository.\n';
const DIRECTORIES = [
  'info',
  'objects',
  'objects/info',
  'objects/pack',
  'refs',
  'refs/heads',
  'refs/tags',
];

interface NewRepository {
  /** Root of the storage; the repository is built in its directory for temporary files. */
  storageRoot: string;
  path: string;
  defaultBranch: string;
  /** Fills the repository before anyone can see it, such as with a first commit. */
  fill?(temporaryPath: string): Promise<void>;
}

/**
 * Makes a bare repository without a git process (init costs 8 ms): built aside, flushed, renamed
 * into place, so that half a repository is never seen. Throws EEXIST when something is there.
 */
export async function createBareRepository(repository: NewRepository): Promise<void> {
  const { storageRoot, path, defaultBranch } = repository;
  if (!isValidBranchName(defaultBranch)) throw new RangeError(`Bad branch name: ${defaultBranch}`);
  const name = `new-${randomBytes(12).toString('hex')}`;
  const temporary = join(storageRoot, '+svc', 'tmp', name);
  try {
    await writeSkeleton(temporary, defaultBranch);
    await repository.fill?.(temporary);
    await publish(temporary, path);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** Returns true if a repository exists at the path; false also when the storage is unavailable. */
export async function bareRepositoryExists(path: string): Promise<boolean> {
  try {
    return (await lstat(join(path, 'HEAD'))).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function writeSkeleton(directory: string, defaultBranch: string): Promise<void> {
  await mkdir(directory);
  for (const inner of DIRECTORIES) await mkdir(join(directory, inner));
  await Promise.all([
    writeNewFile(join(directory, 'HEAD'), `ref: ${BRANCH_PREFIX}${defaultBranch}\n`),
    writeNewFile(join(directory, 'config'), NEW_CONFIG),
    writeNewFile(join(directory, 'description'), DESCRIPTION),
    writeNewFile(join(directory, 'info', 'exclude'), ''),
  ]);
  await Promise.all([...DIRECTORIES, '.'].map((inner) => syncPath(join(directory, inner))));
}

async function publish(temporary: string, path: string): Promise<void> {
  const parent = dirname(path);
  await makeDirectoryDurably(parent);
  try {
    await rename(temporary, path);
  } catch (error) {
    // Renaming over a full directory fails with ENOTEMPTY; to the caller it already exists.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    throw Object.assign(new Error(`Repository exists: ${path}`), { code: 'EEXIST' });
  }
  await syncPath(parent);
}
