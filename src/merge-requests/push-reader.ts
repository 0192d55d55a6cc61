import { GitProcessError } from '../git/git-process.js';
import { headBranch } from '../git/git-repository.js';
import { ReferenceClashError, ReferenceMovedError } from '../git/reference-updates.js';
import { type CommitRecord, listCommits } from '../git/reading/commits.js';
import { ApiError } from '../core/errors.js';
import type { OpenRepository } from '../git/reading/repository-reader.service.js';
import type { BranchUpdate, WriteContent } from './branch-updates.js';
import type { OpenOne } from './concerned-merge-requests.js';
import { setHeads } from './merge-request-refs.service.js';
import { type GainedCommits, gainedCommits } from './merge-detection.js';
import { readSourceMove, type SourceMove } from './source-moves.js';

/** Of a longer push only the newest messages are read. */
const MAX_MESSAGES = 100;
/** More merge requests from one push's branches only learn the new head. */
const MAX_MOVES = 100;

/** Data of the repository about a write that moved branches. */
export interface PushFacts {
  defaultBranch: string | null;
  /** By the id of the merge request whose source branch it is. */
  moves: ReadonlyMap<number, SourceMove>;
  /** By the name of the branch, where open merge requests want to go. */
  gained: ReadonlyMap<string, GainedCommits>;
  /** Messages of commits that have reached the default branch. */
  messages: string[];
}

/** Reads a write's repository; what git cannot tell is left out and said to `complain`. */
export class PushReader {
  private readonly repository: OpenRepository;

  constructor(
    path: string,
    private readonly complain: (text: string) => void,
  ) {
    this.repository = { path };
  }

  async read(content: WriteContent, open: readonly OpenOne[]): Promise<PushFacts> {
    const { branches, merging } = content;
    const defaultBranch = await headBranch(this.repository.path);
    const others = open.filter(({ iid }) => iid !== merging?.iid);
    const targets = new Set(others.map(({ targetBranch }) => targetBranch));
    const onDefault = branches.find(({ name }) => name === defaultBranch);
    const newest = onDefault && (await this.ask(() => this.newestOf(onDefault)));
    const gained = new Map<string, GainedCommits>();
    for (const update of branches.filter(({ name }) => targets.has(name))) {
      const isKnown = update === onDefault && newest && newest.length < MAX_MESSAGES;
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
    open: readonly OpenOne[],
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

  /** Fewer than MAX_MESSAGES are all that the branch has gained. */
  private async newestOf({ from, to }: BranchUpdate): Promise<CommitRecord[]> {
    if (to === null) return [];
    const exclude = from === null ? [] : [from];
    return listCommits(this.repository, { revision: to, exclude, skip: 0, limit: MAX_MESSAGES });
  }

  /** Recording must not fail for want of an answer (see RefUpdateListener). */
  private async ask<T>(question: () => Promise<T>): Promise<T | null> {
    try {
      return await question();
    } catch (error) {
      const isGit = error instanceof GitProcessError || error instanceof ApiError;
      if (!isGit && !isReferenceError(error)) throw error;
      this.complain(`${this.repository.path} could not tell about a write: ${String(error)}`);
      return null;
    }
  }
}

function isReferenceError(error: unknown): boolean {
  return error instanceof ReferenceMovedError || error instanceof ReferenceClashError;
}
