import { ApiError } from '../../core/errors.js';
import { branchTips } from '../../git/reference-reader.js';
import { GitProcessError } from '../../git/git-process.js';
import { headBranch } from '../../git/git-repository.js';
import {
  type CommitRecord,
  countCommits,
  mergeBase,
  NEWEST_COMMITS,
  newestCommits,
} from '../../git/reading/commits.js';
import { EMPTY_TREE } from '../../git/reading/diffs.js';
import { readGit } from '../../git/reading/read-git.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { BRANCH_PREFIX, isObjectId, isZeroOid } from '../../git/reference-name.js';
import {
  ReferenceClashError,
  ReferenceMovedError,
  type RefCommand,
} from '../../git/reference-updates.js';
import { numberOfHead, setHeads } from './merge-request-branches.service.js';
import type { OpenMergeRequest } from './merge-request-pushes.repository.js';

/** Further commits of a push are not counted. */
export const MAX_COUNTED = 10_000;
/** More merge requests from one push's branches only learn the new head. */
const MAX_MOVES = 100;

/** A branch that was moved, made or deleted. */
interface BranchUpdate {
  name: string;
  /** null = it was made. */
  from: string | null;
  /** null = it was deleted. */
  to: string | null;
}

/** Content of a write that merge requests depend on. */
export interface WriteContent {
  branches: BranchUpdate[];
  /** Number and commit of the merge request that the write merges; pushes never name one. */
  merging: { iid: number; headSha: string } | null;
}

/** Change of a merge request's source branch by a push. */
export interface SourceMove {
  update: BranchUpdate;
  /** Commits that it added; null when they could not be counted. */
  added: number | null;
  /** Current merge base of the branches; null when it could not be read. */
  baseSha: string | null;
}

/** Data of the repository about a write that moved branches. */
export interface PushFacts {
  defaultBranch: string | null;
  /** By the id of the merge request whose source branch it is. */
  moves: ReadonlyMap<number, SourceMove>;
  /** By branch name, for the targets of open merge requests. */
  gained: ReadonlyMap<string, GainedCommits>;
  /** Messages of commits that have reached the default branch. */
  messages: string[];
}

/** Reads a write's repository; facts that Git cannot read are left out and reported to `complain`. */
export class PushReader {
  private readonly repository: OpenRepository;

  constructor(
    path: string,
    private readonly complain: (text: string) => void,
  ) {
    this.repository = { path };
  }

  /** Reads the facts of a write, and keeps the new heads of open merge requests by their refs. */
  async read(content: WriteContent, open: readonly OpenMergeRequest[]): Promise<PushFacts> {
    const { branches, merging } = content;
    const defaultBranch = await headBranch(this.repository.path);
    const others = open.filter(({ iid }) => iid !== merging?.iid);
    const targets = new Set(others.map(({ targetBranch }) => targetBranch));
    const onDefault = branches.find(({ name }) => name === defaultBranch);
    const newest = onDefault && (await this.ask(() => this.newestOf(onDefault)));
    const gained = new Map<string, GainedCommits>();
    for (const update of branches.filter(({ name }) => targets.has(name))) {
      const isKnown = update === onDefault && newest && newest.length < NEWEST_COMMITS;
      const commits = isKnown
        ? new Map(newest.map(({ id, parentIds }) => [id, parentIds]))
        : await this.ask(() => gainedCommits(this.repository, update));
      if (commits !== null) gained.set(update.name, commits);
    }
    const moves = await this.moves(branches, open);
    const messages = newest?.map(({ message }) => message) ?? [];
    return { defaultBranch, moves, gained, messages };
  }

  private async moves(
    branches: readonly BranchUpdate[],
    open: readonly OpenMergeRequest[],
  ): Promise<Map<number, SourceMove>> {
    const updates = new Map(branches.map((update) => [update.name, update]));
    const moved = open.filter(({ sourceBranch }) => updates.has(sourceBranch));
    const moves = new Map<number, SourceMove>();
    for (const [position, request] of moved.entries()) {
      const update = updates.get(request.sourceBranch);
      if (update === undefined) continue;
      const read = (): Promise<SourceMove> => readSourceMove(this.repository, update, request);
      const move = position < MAX_MOVES ? await this.ask(read) : null;
      moves.set(request.id, move ?? { update, added: null, baseSha: null });
    }
    const heads = moved.map(({ id, iid, headSha }) => {
      return { iid, headSha: moves.get(id)?.update.to ?? headSha };
    });
    await this.ask(() => setHeads(this.repository.path, heads));
    return moves;
  }

  private async newestOf({ from, to }: BranchUpdate): Promise<CommitRecord[]> {
    return to === null ? [] : newestCommits(this.repository, { from, to });
  }

  /** Recording must not fail because of a failed read (see RefUpdateListener). */
  private async ask<T>(question: () => Promise<T>): Promise<T | null> {
    try {
      return await question();
    } catch (error) {
      const isGit = error instanceof GitProcessError || error instanceof ApiError;
      if (!isGit && !isReferenceError(error)) throw error;
      this.complain(`${this.repository.path} could not be read for a write: ${String(error)}`);
      return null;
    }
  }
}

function isReferenceError(error: unknown): boolean {
  return error instanceof ReferenceMovedError || error instanceof ReferenceClashError;
}

/** Reads the updates of one write. Who merges moves the merge request's own ref, too. */
export function contentOf(updates: readonly RefCommand[]): WriteContent {
  const branches = updates
    .filter(({ ref }) => ref.startsWith(BRANCH_PREFIX))
    .map(({ ref, oldOid, newOid }) => ({
      name: ref.slice(BRANCH_PREFIX.length),
      from: isZeroOid(oldOid) ? null : oldOid,
      to: isZeroOid(newOid) ? null : newOid,
    }));
  for (const { ref, newOid } of updates) {
    const iid = numberOfHead(ref);
    if (iid !== null) return { branches, merging: { iid, headSha: newOid } };
  }
  return { branches, merging: null };
}

/** Reads what the move of its source branch means for an open merge request. */
async function readSourceMove(
  repository: OpenRepository,
  update: BranchUpdate,
  { targetBranch, headSha }: OpenMergeRequest,
): Promise<SourceMove> {
  const { from, to } = update;
  if (to === null) return { update, added: null, baseSha: null };
  const target = (await branchTips(repository.path, [targetBranch])).get(targetBranch);
  const [added, base] = await Promise.all([
    countCommits(repository, { include: [to], exclude: [from ?? headSha] }, MAX_COUNTED),
    target === undefined ? null : mergeBase(repository, [to, target]),
  ]);
  return { update, added, baseSha: target === undefined ? null : (base ?? EMPTY_TREE) };
}

/** Of a longer push only the newest commits are looked at. */
const MAX_COMMITS = 10_000;

/** Parents of commits that a branch has gained, by the id of the commit. */
type GainedCommits = ReadonlyMap<string, readonly string[]>;

/** Returns the commits that an update adds to a branch, read by one git process. */
async function gainedCommits(
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
