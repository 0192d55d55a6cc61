import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { BadRequestError } from '../core/errors.js';
import { killGroup } from './forked-process.js';
import { collectStderr, GitProcessError, startGit } from './git-process.js';
import { isOutOfMemory, MEMORY } from './memory-limit.js';
import { isObjectId } from './reference-name.js';

/** Git holds smaller files in memory whole: a few megabytes for each client that waits. */
const CONFIG = { 'core.bigFileThreshold': '16m' };

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
  return open(repository, `${commit}:${path}`);
}

/** The same for a blob that is known by its id. */
export async function openBlobById(repository: string, oid: string): Promise<Readable | null> {
  return isObjectId(oid) ? open(repository, oid) : null;
}

async function open(repository: string, object: string): Promise<Readable | null> {
  const options = { cwd: repository, config: CONFIG, memory: MEMORY.reading };
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
