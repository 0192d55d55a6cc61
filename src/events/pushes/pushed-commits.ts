import { BRANCH_PREFIX, isZeroOid } from '../../git/reference-name.js';
import type { RefCommand } from '../../git/inflight-write.entity.js';
import { readGit, streamGit } from '../../git/reading/read-git.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { toCommitTitle } from './commit-title.js';

/** Of a message; its first line may be as long as its author likes. */
const READ_BYTES = 4_096;

/**
 * Returns the number of commits that an update added: those that its ref did not reach before or,
 * for a new branch, those that the default branch lacks (reference, push rules).
 */
export async function countPushedCommits(
  repository: OpenRepository,
  { ref, oldOid, newOid }: RefCommand,
  defaultBranch: string | null,
): Promise<number> {
  if (!isZeroOid(oldOid)) return count(repository, [newOid, `^${oldOid}`]);
  if (!ref.startsWith(BRANCH_PREFIX)) return 1;
  const beside = defaultBranch === null ? null : `${BRANCH_PREFIX}${defaultBranch}`;
  if (beside === null || beside === ref) return count(repository, [newOid]);
  // The default branch may not exist yet, although HEAD names it.
  return count(repository, ['--ignore-missing', newOid, `^${beside}`]);
}

/** First line of a commit, or of the one a tag names; null when that is no commit. */
export async function readCommitTitle(
  repository: OpenRepository,
  oid: string,
): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  await streamGit(repository, {
    args: ['log', '--max-count=1', '--format=%B', '--no-show-signature', oid, '--'],
    take: (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      return size < READ_BYTES;
    },
  });
  return size === 0 ? null : toCommitTitle(Buffer.concat(chunks).toString('utf8'));
}

async function count(repository: OpenRepository, revisions: readonly string[]): Promise<number> {
  return Number(await readGit(repository, ['rev-list', '--count', ...revisions, '--']));
}
