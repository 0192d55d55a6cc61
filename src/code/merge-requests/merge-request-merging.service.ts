import { Injectable, Logger } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { ApiError, ConflictError, UnauthorizedError } from '../../core/errors.js';
import { branchTips } from '../../git/reference-reader.js';
import { ObjectWriter, type Signature } from '../../git/git-objects.js';
import { GitProcessError } from '../../git/git-process.js';
import { headBranch } from '../../git/git-repository.js';
import { mergeFromBase, type MergedTree } from '../../git/merge-trees.js';
import { BRANCH_PREFIX } from '../../git/reference-name.js';
import {
  ReferenceMovedError,
  updateReferences,
  type RefCommand,
} from '../../git/reference-updates.js';
import { type ActiveWrite, RepositoryWriter } from '../../git/repository-writer.service.js';
import { READ_ONLY_MESSAGE, RepositoryReadOnlyError } from '../../git/write-lease.service.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { IssuableReference } from '../../workspace/spam/request-context.decorator.js';
import { MergeRecords } from './merge-records.service.js';
import { assertMergeable, mayMerge, mayPushTo } from './merge-request-access.js';
import { headCommand } from './merge-request-branches.service.js';
import { MergeRequestPushesRepository } from './merge-request-pushes.repository.js';
import type { MergeDto } from './merge-request.dto.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import { commitsBetween, mergeCommitOf } from './push-reader.js';
import type { FoundMergeRequest, MergeRequestRow } from './sql/merge-requests.js';

const ATTEMPTS = 8;

/** Options of a merge. */
interface MergePlan {
  row: MergeRequestRow;
  /** Tip that the source branch must have; null = any. */
  sha: string | null;
  author: Signature;
  message: string;
  /** Deletes the source branch, unless HEAD names it. */
  removesSource: boolean;
}

/** Result of an attempt: moved refs, or the target contained the commits already. */
type MergeAttempt = { moved: RefCommand[] } | { containedIn: string; headSha: string };

interface Tips {
  source: string;
  target: string;
}

/** 422 with the reason, as v4 words it. */
export class UnmergeableError extends ApiError {
  constructor(reason: string) {
    super(422, { message: `Branch cannot be merged: ${reason}` });
  }
}

/** The project, actor and time of a merge. */
interface Merging {
  project: ProjectRow;
  viewer: Viewer;
  date: Date;
}

/**
 * Merges merge requests. It only moves refs: MergeRequestPushListener records the merge like any
 * other.
 */
@Injectable()
export class MergeRequestMerging {
  private readonly logger = new Logger(MergeRequestMerging.name);

  constructor(
    private readonly requests: MergeRequestsRepository,
    private readonly pushes: MergeRequestPushesRepository,
    private readonly writer: RepositoryWriter,
    private readonly records: MergeRecords,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws 404; 401 without the right to push to the target branch; 412; 405 for drafts and what is
   * not open; 409 when the source is not at the wanted commit or the branches keep moving; 422 for
   * what cannot be merged, also during a move; 503 when too many merges wait.
   */
  async merge(
    { project, dto }: { project: ProjectRow; dto: MergeDto },
    { viewer, iid, preconditions }: Omit<IssuableReference, 'auth' | 'sender'>,
  ): Promise<void> {
    const row = await this.requests.findVisible(viewer, project.id, iid);
    if (!mayMerge(row, project, viewer)) throw new UnauthorizedError();
    preconditions.check(row.updatedAt);
    assertMergeable(row);
    const plan = planOf(row, dto, { project, viewer, date: this.clock.now() });
    await this.write(plan, viewer.id);
  }

  private async write(plan: MergePlan, userId: number): Promise<void> {
    const request = { kind: 'project', containerId: plan.row.projectId, userId } as const;
    try {
      await this.writer.write(request, (open) => this.mergeWithin(open, plan, userId));
    } catch (error) {
      if (error instanceof RepositoryReadOnlyError) {
        throw new ApiError(422, { message: READ_ONLY_MESSAGE });
      }
      throw error;
    }
  }

  private async mergeWithin(
    open: ActiveWrite,
    plan: MergePlan,
    userId: number,
  ): Promise<RefCommand[]> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        const result = await attemptMerge(open, plan);
        if ('moved' in result) return result.moved;
        await this.recordElsewhere(open, plan.row, { ...result, userId });
        return [];
      } catch (error) {
        if (!(error instanceof ReferenceMovedError)) throw this.refusalOf(open, error);
        open.settle();
      }
    }
    throw new ConflictError('409 Conflict: Resource lock');
  }

  /** Git refuses to merge what is broken or takes too long; refs have not moved then. */
  private refusalOf(open: ActiveWrite, error: unknown): unknown {
    if (!(error instanceof GitProcessError) || !open.isOutcomeKnown) return error;
    this.logger.warn(`${open.path} could not be merged in: ${error.message}`);
    return new UnmergeableError('git could not do it');
  }

  /** Records a merge whose commits reached the target unnoticed. */
  private async recordElsewhere(
    open: ActiveWrite,
    { id, projectId, iid }: MergeRequestRow,
    found: { containedIn: string; headSha: string; userId: number },
  ): Promise<void> {
    const { containedIn: to, headSha, userId } = found;
    const mergeCommitSha = mergeCommitOf(
      await commitsBetween(open, { from: headSha, to }),
      headSha,
    );
    await this.pushes.manager.transaction(async (tx) => {
      const locked = await this.pushes.lock(tx, projectId, { ids: [id], iid });
      const merged = locked.map(() => ({ id, projectId, headSha, mergeCommitSha }));
      await this.records.recordMerged(tx, merged, userId);
    });
  }
}

/** Returns the options of a requested merge. */
function planOf(row: FoundMergeRequest, dto: MergeDto, merging: Merging): MergePlan {
  const { name, email } = merging.viewer;
  const isRemoved = dto.should_remove_source_branch ?? row.removeSourceBranch;
  return {
    row,
    sha: dto.sha ? dto.sha : null,
    author: { name, email, date: merging.date },
    message: messageOf(row, dto),
    removesSource: isRemoved && mayRemoveSource(row, merging),
  };
}

/** The default branch is never removed. */
function mayRemoveSource(
  { sourceBranch: branch, accessLevel }: FoundMergeRequest,
  { project: { defaultBranch }, viewer }: Merging,
): boolean {
  return branch !== defaultBranch && mayPushTo({ branch, defaultBranch, accessLevel, viewer });
}

function messageOf(row: MergeRequestRow, { merge_commit_message: given }: MergeDto): string {
  if (given && given.trim() !== '') return given.replaceAll('\r\n', '\n');
  const { sourceBranch, targetBranch, title, projectFullPath, iid } = row;
  const subject = `Merge branch '${sourceBranch}' into '${targetBranch}'`;
  return `${subject}\n\n${title}\n\nSee merge request ${projectFullPath}!${iid}\n`;
}

/**
 * Merges the branches as they are now. Throws 409 when the source is not where it was wanted, 422
 * for what cannot be merged, ReferenceMovedError when someone was faster.
 */
async function attemptMerge(open: ActiveWrite, plan: MergePlan): Promise<MergeAttempt> {
  const { row, sha } = plan;
  const tips = await tipsOf(open.path, row);
  if (sha !== null && sha !== tips.source) {
    throw new ConflictError(`SHA does not match HEAD of source branch: ${tips.source}`);
  }
  const { base, merged } = await mergeFromBase(open.path, { into: tips.target, from: tips.source });
  if (base === null) throw new UnmergeableError('the branches have no common history');
  if (base === tips.source) {
    // A branch without commits of its own has nothing to merge; others were merged by someone else.
    if (row.baseSha === row.headSha) throw new UnmergeableError('there is nothing to merge');
    return { containedIn: tips.target, headSha: tips.source };
  }
  const commands = await commandsOf(open.path, plan, { ...tips, tree: treeOf(merged) });
  await open.confirm(commands);
  await updateReferences(open.path, commands);
  return { moved: commands };
}

function treeOf(merged: PromiseSettledResult<MergedTree>): string {
  if (merged.status === 'rejected') throw merged.reason;
  if ('conflicts' in merged.value) throw new UnmergeableError('there are conflicts');
  return merged.value.tree;
}

async function tipsOf(
  path: string,
  { sourceBranch, targetBranch }: MergeRequestRow,
): Promise<Tips> {
  const tips = await branchTips(path, [sourceBranch, targetBranch]);
  const source = tips.get(sourceBranch);
  const target = tips.get(targetBranch);
  if (source === undefined) throw new UnmergeableError('the source branch does not exist');
  if (target === undefined) throw new UnmergeableError('the target branch does not exist');
  return { source, target };
}

/** Writes the merge commit; the merge request's own ref records the merged head. */
async function commandsOf(
  path: string,
  { row, author, message, removesSource }: MergePlan,
  { source, target, tree }: Tips & { tree: string },
): Promise<RefCommand[]> {
  const writer = new ObjectWriter(path);
  const parents = [target, source];
  const newOid = writer.addCommit({ tree, parents, author, message });
  await writer.flush();
  const commands = [
    { ref: BRANCH_PREFIX + row.targetBranch, oldOid: target, newOid },
    await headCommand(path, { iid: row.iid, headSha: source }),
  ];
  const isKept = !removesSource || (await headBranch(path)) === row.sourceBranch;
  if (isKept) return commands;
  const nothing = '0'.repeat(source.length);
  return [...commands, { ref: BRANCH_PREFIX + row.sourceBranch, oldOid: source, newOid: nothing }];
}
