import { BRANCH_PREFIX, isValidReferenceName } from '../reference-name.js';
import { type CommitRecord, readCommits } from './commits.js';
import { readGit } from './read-git.js';
import { pageOf, referenceNames, type ReferenceSelection } from './reference-names.js';
import type { OpenRepository } from './repository-reader.service.js';

export interface BranchRecord {
  name: string;
  commit: CommitRecord;
}

/** A page of branches and how many the selection has in all. */
export async function listBranches(
  repository: OpenRepository,
  selection: ReferenceSelection = {},
): Promise<{ branches: BranchRecord[]; total: number }> {
  const names = await referenceNames(repository, BRANCH_PREFIX, selection);
  const branches = await readBranches(repository, pageOf(names, selection));
  return { branches, total: names.length };
}

/** A branch by its exact name; null when there is none. */
export async function findBranch(
  repository: OpenRepository,
  name: string,
): Promise<BranchRecord | null> {
  if (!isValidReferenceName(`${BRANCH_PREFIX}${name}`)) return null;
  return (await readBranches(repository, [name]))[0] ?? null;
}

/** Those of the named branches whose commits are all in `into`, an object id. */
export async function mergedBranches(
  repository: OpenRepository,
  names: readonly string[],
  into: string,
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const refs = names.map((name) => `${BRANCH_PREFIX}${name}`);
  const args = ['for-each-ref', `--merged=${into}`, '--format=%(refname)', ...refs];
  const lines = (await readGit(repository, args)).split('\n');
  return new Set(lines.map((line) => line.slice(BRANCH_PREFIX.length)));
}

/** In the order of the names; those that are gone are missing. */
async function readBranches(
  repository: OpenRepository,
  names: readonly string[],
): Promise<BranchRecord[]> {
  if (names.length === 0) return [];
  const refs = names.map((name) => `${BRANCH_PREFIX}${name}\n`).join('');
  const output = await readGit(repository, ['cat-file', '--batch-check=%(objectname)'], {
    input: refs,
  });
  const oids = output.split('\n');
  const commits = await readCommits(repository, oids);
  return names.flatMap((name, at) => {
    const commit = commits.get(oids[at] ?? '');
    return commit === undefined ? [] : [{ name, commit }];
  });
}
