import { ApiError, ConflictError } from '../core/errors.js';
import { branchTips } from '../git/branch-tips.js';
import { type Signature, ObjectWriter } from '../git/git-objects.js';
import { headBranch } from '../git/git-repository.js';
import type { RefCommand } from '../git/inflight-write.entity.js';
import { mergeTrees } from '../git/merge-trees.js';
import { mergeBase } from '../git/reading/merge-bases.js';
import { BRANCH_PREFIX } from '../git/reference-name.js';
import { updateReferences } from '../git/reference-updates.js';
import type { ActiveWrite } from '../git/repository-writer.service.js';
import { headCommand } from './merge-request-branches.service.js';
import type { MergeRequestRow } from './sql/merge-request-columns.js';

/** Options of a merge. */
export interface MergePlan {
  row: MergeRequestRow;
  /** Tip that the source branch must have; null = any. */
  sha: string | null;
  author: Signature;
  message: string;
  /** The source branch goes, unless HEAD names it. */
  removesSource: boolean;
}

/** Result of an attempt: moved refs, or the target contained the commits already. */
export type MergeAttempt = { moved: RefCommand[] } | { containedIn: string; headSha: string };

interface Tips {
  source: string;
  target: string;
}

/** 422 in the words of v4, with the reason. */
export class UnmergeableError extends ApiError {
  constructor(reason: string) {
    super(422, { message: `Branch cannot be merged: ${reason}` });
  }
}

/**
 * Merges the branches as they are now. Throws 409 when the source is not where it was wanted, 422
 * for what cannot be merged, ReferenceMovedError when someone was faster.
 */
export async function attemptMerge(open: ActiveWrite, plan: MergePlan): Promise<MergeAttempt> {
  const { row, sha } = plan;
  const tips = await tipsOf(open.path, row);
  if (sha !== null && sha !== tips.source) {
    throw new ConflictError(`SHA does not match HEAD of source branch: ${tips.source}`);
  }
  const base = await mergeBase(open, [tips.source, tips.target]);
  if (base === null) throw new UnmergeableError('the branches have no common history');
  if (base === tips.source) {
    // A branch without commits of its own has nothing to merge; others were merged by someone else.
    if (row.baseSha === row.headSha) throw new UnmergeableError('there is nothing to merge');
    return { containedIn: tips.target, headSha: tips.source };
  }
  const commands = await commandsOf(open.path, plan, tips);
  await open.confirm(commands);
  await updateReferences(open.path, commands);
  return { moved: commands };
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

/** Writes the merge commit; the merge request's own ref tells what was merged. */
async function commandsOf(
  path: string,
  { row, author, message, removesSource }: MergePlan,
  { source, target }: Tips,
): Promise<RefCommand[]> {
  const merged = await mergeTrees(path, { into: target, from: source });
  if ('conflicts' in merged) throw new UnmergeableError('there are conflicts');
  const writer = new ObjectWriter(path);
  const parents = [target, source];
  const newOid = writer.addCommit({ tree: merged.tree, parents, author, message });
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
