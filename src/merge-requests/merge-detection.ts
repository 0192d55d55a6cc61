import { isObjectId } from '../git/reference-name.js';
import { readGit } from '../git/reading/read-git.js';
import type { OpenRepository } from '../git/reading/repository-reader.service.js';

/** Of a longer push only the newest commits are looked at. */
const MAX_COMMITS = 10_000;

/** Parents of commits that a branch has gained, by the id of the commit. */
export type GainedCommits = ReadonlyMap<string, readonly string[]>;

/** Returns the commits that an update adds to a branch, read by one git process. */
export async function gainedCommits(
  repository: OpenRepository,
  { from, to }: { from: string | null; to: string | null },
): Promise<GainedCommits> {
  if (to === null) return new Map();
  return readParents(repository, [], from === null ? `${to}\n` : `${to}\n^${from}\n`);
}

/** Returns the commits of `to` that descend from `from`. */
export function commitsBetween(
  repository: OpenRepository,
  { from, to }: { from: string; to: string },
): Promise<GainedCommits> {
  return readParents(repository, ['--ancestry-path'], `${to}\n^${from}\n`);
}

async function readParents(
  repository: OpenRepository,
  flags: readonly string[],
  revisions: string,
): Promise<GainedCommits> {
  const args = ['rev-list', '--parents', ...flags, `--max-count=${MAX_COMMITS}`, '--stdin'];
  const lines = (await readGit(repository, args, { input: revisions })).split('\n');
  const commits = lines.map((line) => line.split(' ').filter(isObjectId));
  return new Map(commits.flatMap(([id, ...parents]) => (id === undefined ? [] : [[id, parents]])));
}

/** Returns the commit that merged `head` into the branch; null after a fast-forward. */
export function mergeCommitOf(gained: GainedCommits, head: string): string | null {
  for (const [id, parents] of gained) {
    if (parents.length > 1 && parents.includes(head)) return id;
  }
  return null;
}
