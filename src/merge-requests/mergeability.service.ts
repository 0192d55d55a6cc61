import { Injectable, Logger } from '@nestjs/common';
import { ApiError } from '../core/errors.js';
import { Sql } from '../core/sql/sql.service.js';
import { branchTips } from '../git/branch-tips.js';
import { GitProcessError } from '../git/git-process.js';
import { tryMergeTrees } from '../git/merge-trees.js';
import { mergeBase } from '../git/reading/merge-bases.js';
import { type OpenRepository, RepositoryReader } from '../git/reading/repository-reader.service.js';
import { knownMergeability, type Mergeability, mergeabilityOf } from './mergeability.js';
import type { MergeRequestRow } from './merge-request-row.js';
import type { MergeStatus } from './merge-request.entity.js';

/** Limit of a check within a page request; a later request tries again. */
const LIMIT_MS = 5_000;

/** Leaves `updated_at` alone: looking is no change. What was pushed meanwhile is not overwritten. */
const REMEMBER_SQL = `
  UPDATE merge_requests
  SET merge_status = $4, checked_head_sha = $2, checked_target_sha = $3, base_sha = $5
  WHERE id = $1 AND state = 'opened' AND head_sha = $2`;

interface Tips {
  head: string;
  target: string;
}

/** Finds out whether open merge requests can be merged, and remembers it with the tips. */
@Injectable()
export class MergeabilityService {
  private readonly logger = new Logger(MergeabilityService.name);

  constructor(
    private readonly reader: RepositoryReader,
    private readonly sql: Sql,
  ) {}

  /** Never fails for the repository's sake: then it is not known. */
  async look(row: MergeRequestRow): Promise<Mergeability> {
    if (row.state !== 'opened') return knownMergeability(row);
    return this.reading(row, (repository) => this.check(repository, row)).catch((error: unknown) =>
      this.unknown(row, error),
    );
  }

  /** Paths that both branches changed in ways that exclude each other; empty when not known. */
  async conflicts(row: MergeRequestRow): Promise<string[]> {
    return this.reading(row, async (repository) => {
      const tips = await tipsOf(repository, row);
      if (tips === null || (await mergeBase(repository, [tips.head, tips.target])) === null)
        return [];
      const sides = { into: tips.target, from: tips.head };
      const merged = await tryMergeTrees(repository.path, sides, LIMIT_MS);
      return 'conflicts' in merged ? merged.conflicts : [];
    }).catch((error: unknown) => {
      this.unknown(row, error);
      return [];
    });
  }

  private reading<T>(
    { projectId }: MergeRequestRow,
    work: (repository: OpenRepository) => Promise<T>,
  ): Promise<T> {
    return this.reader.read({ kind: 'project', containerId: projectId }, work);
  }

  private async check(repository: OpenRepository, row: MergeRequestRow): Promise<Mergeability> {
    const tips = await tipsOf(repository, row);
    if (tips === null) return withoutBranch(row);
    const isKnown = row.checkedHeadSha === tips.head && row.checkedTargetSha === tips.target;
    if (isKnown && row.mergeStatus !== 'unchecked') return knownMergeability(row);
    const base = await mergeBase(repository, [tips.head, tips.target]);
    // Without commits of its own; if it had some, it has just been merged elsewhere.
    if (base === tips.head) return withNothingToMerge(row);
    const status = base === null ? 'cannot_be_merged' : await tryToMerge(repository, tips);
    await this.remember(row, tips, { status, base: base ?? row.baseSha });
    return mergeabilityOf(row, status);
  }

  private async remember(
    { id }: MergeRequestRow,
    { head, target }: Tips,
    { status, base }: { status: MergeStatus; base: string },
  ): Promise<void> {
    await this.sql.rows(REMEMBER_SQL, [id, head, target, status, base]);
  }

  private unknown(row: MergeRequestRow, error: unknown): Mergeability {
    if (!(error instanceof GitProcessError) && !(error instanceof ApiError)) throw error;
    this.logger.warn(`Merge request ${row.id} could not be looked at: ${String(error)}`);
    return mergeabilityOf(row, 'checking');
  }
}

async function tryToMerge(
  repository: OpenRepository,
  { head, target }: Tips,
): Promise<MergeStatus> {
  const sides = { into: target, from: head };
  const merged = await tryMergeTrees(repository.path, sides, LIMIT_MS);
  return 'tree' in merged ? 'can_be_merged' : 'cannot_be_merged';
}

/** null when one of the branches is gone. */
async function tipsOf(
  { path }: OpenRepository,
  { sourceBranch, targetBranch }: MergeRequestRow,
): Promise<Tips | null> {
  const tips = await branchTips(path, [sourceBranch, targetBranch]);
  const head = tips.get(sourceBranch);
  const target = tips.get(targetBranch);
  return head === undefined || target === undefined ? null : { head, target };
}

function withoutBranch(row: MergeRequestRow): Mergeability {
  const known = mergeabilityOf(row, 'unchecked');
  return known.detailed === 'unchecked' ? { ...known, detailed: 'broken_status' } : known;
}

function withNothingToMerge(row: MergeRequestRow): Mergeability {
  const known = mergeabilityOf(row, 'can_be_merged');
  const isEmpty = known.detailed === 'mergeable' && row.baseSha === row.headSha;
  return isEmpty ? { ...known, detailed: 'commits_status' } : known;
}
