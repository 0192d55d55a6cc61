import { GitProcessError } from '../git-process.js';
import { runGitCached, type GitAnswer } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';

/** The best common ancestor of commits, given by object id; null when they have none. */
export async function mergeBase(
  repository: OpenRepository,
  oids: readonly string[],
): Promise<string | null> {
  const answer = await askMergeBase(repository, oids);
  return answer.code === 0 ? answer.stdout.toString('ascii').trim() : null;
}

/** Returns true if `descendant` contains `ancestor`; a commit contains itself. */
export async function isAncestor(
  repository: OpenRepository,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  if (ancestor === descendant) return true;
  return (await askMergeBase(repository, ['--is-ancestor', ancestor, descendant])).code === 0;
}

/** Exit code 1 is the answer "no". */
async function askMergeBase(
  repository: OpenRepository,
  args: readonly string[],
): Promise<GitAnswer> {
  const answer = await runGitCached(repository, ['merge-base', ...args]);
  if (answer.code <= 1) return answer;
  throw new GitProcessError(`git merge-base exited with ${answer.code}: ${answer.stderr}`);
}
