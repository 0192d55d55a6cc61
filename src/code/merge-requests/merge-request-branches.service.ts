import { Injectable, Logger } from '@nestjs/common';
import { ApiError, NotFoundError, ValidationFailedError } from '../../core/errors.js';
import { branchTips, referenceTips } from '../../git/reference-reader.js';
import { EMPTY_TREE } from '../../git/reading/diffs.js';
import { mergeBase } from '../../git/reading/commits.js';
import { RepositoryReader } from '../../git/reading/repository-reader.service.js';
import { updateReferences, type RefCommand } from '../../git/reference-updates.js';
import { RepositoryWriter } from '../../git/repository-writer.service.js';
import { RepositoryReadOnlyError } from '../../git/write-lease.service.js';
import type { MergeRequest } from './merge-request.entity.js';
import { MergeRequestsRepository, type BranchPair } from './merge-requests.repository.js';

const SAME_BRANCH = "You can't use same project/branch for source and target";

/** The two branches of a merge request. */
export interface Branches {
  source: string;
  target: string;
}

/** The tips of two branches and their merge base. */
export interface BranchState {
  headSha: string;
  targetSha: string;
  /** The empty tree when they have nothing in common. */
  baseSha: string;
}

/** The number and head of a merge request. */
export type Head = Pick<MergeRequest, 'iid' | 'headSha'>;

/** Looks up the branches of merge requests and keeps their heads. */
@Injectable()
export class MergeRequestBranches {
  private readonly logger = new Logger(MergeRequestBranches.name);

  constructor(
    private readonly reader: RepositoryReader,
    private readonly writer: RepositoryWriter,
    private readonly requests: MergeRequestsRepository,
  ) {}

  /** Throws 422 for one and the same branch, 400 in the words of v4 for one that is missing. */
  async look(projectId: number, branches: Branches): Promise<BranchState> {
    const { source, target } = branches;
    if (source === target) throw new ApiError(422, { message: { base: [SAME_BRANCH] } });
    try {
      const address = { kind: 'project', containerId: projectId } as const;
      return await this.reader.read(address, async (repository) => {
        const tips = await branchTips(repository.path, [source, target]);
        const headSha = tips.get(source);
        const targetSha = tips.get(target);
        if (headSha === undefined || targetSha === undefined) throw missing(branches, tips);
        const baseSha = (await mergeBase(repository, [headSha, targetSha])) ?? EMPTY_TREE;
        return { headSha, targetSha, baseSha };
      });
    } catch (error) {
      // A project into which nothing was pushed yet has no repository.
      if (error instanceof NotFoundError) throw missing(branches, new Map());
      throw error;
    }
  }

  /**
   * Sets the ref of a merge request that is on record to the tip of its source branch. Reads the
   * tip again: a push that was recorded since the first look did not find the merge request yet. If
   * the ref cannot be set, as during a move, the next push of the source branch or the merge sets
   * it.
   */
  async keepHead(request: BranchPair & Head, userId: number): Promise<void> {
    const { projectId, iid } = request;
    const head = { iid, headSha: await this.catchUp(request) };
    const write = { kind: 'project', containerId: projectId, userId } as const;
    try {
      await this.writer.write(write, async ({ path }) => {
        await setHeads(path, [head]);
        return [];
      });
    } catch (error) {
      if (error instanceof RepositoryReadOnlyError) return;
      this.logger.warn(`${headReference(iid)} of project ${projectId}: ${String(error)}`);
    }
  }

  private async catchUp(request: BranchPair & Head): Promise<string> {
    const { projectId, sourceBranch: source, targetBranch: target, headSha } = request;
    const state = await this.look(projectId, { source, target }).catch(ignoreRefusal);
    if (state === null || state.headSha === headSha) return headSha;
    await this.requests.replaceHead(request, state);
    return state.headSha;
  }
}

/** The branches may have gone in the meantime; the merge request stays as it is then. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}

function missing({ source, target }: Branches, tips: ReadonlyMap<string, string>): ApiError {
  return new ValidationFailedError({
    ...(!tips.has(source) && { source_branch: [`"${source}" does not exist`] }),
    ...(!tips.has(target) && { target_branch: [`"${target}" does not exist`] }),
  });
}

const NO_COMMIT = '0'.repeat(40);

/** Returns the ref that keeps the commits of a merge request after its source branch is gone. */
function headReference(iid: number): string {
  return `refs/merge-requests/${iid}/head`;
}

/** Returns the number of the merge request whose commits a ref keeps; null for other refs. */
export function numberOfHead(ref: string): number | null {
  const [, iid] = /^refs\/merge-requests\/(\d{1,15})\/head$/.exec(ref) ?? [];
  return iid === undefined ? null : Number(iid);
}

/** Returns the command that sets the ref to this commit, also when it is there already. */
export async function headCommand(
  repository: string,
  { iid, headSha: newOid }: Head,
): Promise<RefCommand> {
  const ref = headReference(iid);
  const oldOid = (await referenceTips(repository, [ref])).get(ref) ?? NO_COMMIT;
  return { ref, oldOid, newOid };
}

/** Sets the refs of merge requests, without a record: only while someone holds a write lease. */
export async function setHeads(repository: string, heads: readonly Head[]): Promise<void> {
  const commands = await Promise.all(heads.map((head) => headCommand(repository, head)));
  const moved = commands.filter(({ oldOid, newOid }) => oldOid !== newOid);
  await updateReferences(repository, moved);
}
