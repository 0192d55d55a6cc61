import { Injectable } from '@nestjs/common';
import { ApiError, NotFoundError, ValidationFailedError } from '../core/errors.js';
import { Sql } from '../core/sql/sql.service.js';
import { branchTips } from '../git/branch-tips.js';
import { EMPTY_TREE } from '../git/reading/diffs.js';
import { mergeBase } from '../git/reading/merge-bases.js';
import { RepositoryReader } from '../git/reading/repository-reader.service.js';

const SAME_BRANCH = "You can't use same project/branch for source and target";

/** The two branches of a merge request. */
export interface Branches {
  source: string;
  target: string;
}

/** Where they are, and where they parted. */
export interface BranchState {
  headSha: string;
  targetSha: string;
  /** The empty tree when they have nothing in common. */
  baseSha: string;
}

/** A merge request whose head is on record. */
interface OnRecord {
  projectId: number;
  sourceBranch: string;
  targetBranch: string;
  headSha: string;
}

const CATCH_UP_SQL = `
  UPDATE merge_requests SET head_sha = $4, base_sha = $5, merge_status = 'unchecked'
  WHERE project_id = $1 AND iid = $2 AND head_sha = $3`;

/** Looks up the branches that people want to merge. */
@Injectable()
export class MergeRequestBranches {
  constructor(
    private readonly reader: RepositoryReader,
    private readonly sql: Sql,
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
   * Looks again when the merge request is on record: a push that was recorded since the first look
   * did not find it yet. Answers where its source branch is now.
   */
  async catchUp(row: OnRecord, iid: number): Promise<{ headSha: string }> {
    const { projectId, sourceBranch: source, targetBranch: target, headSha } = row;
    const state = await this.look(projectId, { source, target }).catch(ignoreRefusal);
    if (state === null || state.headSha === headSha) return { headSha };
    await this.sql.rows(CATCH_UP_SQL, [projectId, iid, headSha, state.headSha, state.baseSha]);
    return state;
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
