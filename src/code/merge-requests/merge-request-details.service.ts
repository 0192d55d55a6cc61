import { Injectable, Logger } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { ApiError } from '../../core/errors.js';
import { GitProcessError } from '../../git/git-process.js';
import { tryMergeTrees } from '../../git/merge-trees.js';
import { mergeBase } from '../../git/reading/commits.js';
import {
  type OpenRepository,
  RepositoryReader,
} from '../../git/reading/repository-reader.service.js';
import { branchTips } from '../../git/reference-reader.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { AutoMergesRepository } from './auto-merges.repository.js';
import { mayMerge } from './merge-request-access.js';
import type { MergeStatus } from './merge-request.entity.js';
import {
  knownMergeability,
  type Mergeability,
  mergeabilityOf,
  type MergeRequestDetails,
} from './merge-request.presenter.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import type { FoundMergeRequest, MergeRequestRow } from './sql/merge-requests.js';

/** Longer merge checks are given up; the next request tries again. */
const LIMIT_MS = 5_000;

interface Tips {
  head: string;
  target: string;
}

/** A single merge request with its details. */
export interface MergeRequestView extends MergeRequestDetails {
  row: FoundMergeRequest;
}

/** A merge request with what its page shows of the repository. */
export interface InspectedMergeRequest<T> {
  view: MergeRequestView;
  conflicts: string[];
  /** Result of the caller's reading; null while the repository cannot be read. */
  content: T | null;
}

/** A merge request by its number in a project, and its viewer. */
export interface ViewedMergeRequest {
  project: ProjectRow;
  viewer: Viewer | null;
  iid: number;
}

/** Finds single merge requests, and checks their mergeability once for each pair of tips. */
@Injectable()
export class MergeRequestDetailsService {
  private readonly logger = new Logger(MergeRequestDetailsService.name);

  constructor(
    private readonly requests: MergeRequestsRepository,
    private readonly autoMerges: AutoMergesRepository,
    private readonly reader: RepositoryReader,
  ) {}

  /** Throws 404 for a merge request that is unknown or hidden from the viewer. */
  async find({ project, viewer, iid }: ViewedMergeRequest): Promise<MergeRequestView> {
    const row = await this.requests.findVisible(viewer, project.id, iid);
    const [mergeability, pipeline] = await Promise.all([
      this.mergeability(row),
      this.autoMerges.findHeadPipeline(row.id),
    ]);
    return { row, mergeability, pipeline, mayMerge: mayMerge(row, project, viewer) };
  }

  /**
   * As `find`, with the paths that conflict and the result of `read`, all in one reading. Throws 404
   * as `find`.
   */
  async inspect<T>(
    { project, viewer, iid }: ViewedMergeRequest,
    read: (repository: OpenRepository, row: FoundMergeRequest) => Promise<T>,
  ): Promise<InspectedMergeRequest<T>> {
    const row = await this.requests.findVisible(viewer, project.id, iid);
    const inspecting = this.reading(row, async (repository) => {
      const [merging, content] = await Promise.all([
        this.mergingIn(repository, row),
        orNull(read(repository, row), this.logger),
      ]);
      return { ...merging, content };
    }).catch((error: unknown) => ({
      mergeability: this.unknown(row, error),
      conflicts: [],
      content: null,
    }));
    const [{ mergeability, conflicts, content }, pipeline] = await Promise.all([
      inspecting,
      this.autoMerges.findHeadPipeline(row.id),
    ]);
    const view = { row, mergeability, pipeline, mayMerge: mayMerge(row, project, viewer) };
    return { view, conflicts, content };
  }

  /** Returns `checking` while the repository cannot be read. */
  private async mergeability(row: MergeRequestRow): Promise<Mergeability> {
    if (row.state !== 'opened') return knownMergeability(row);
    return this.reading(row, (repository) => this.check(repository, row)).catch((error: unknown) =>
      this.unknown(row, error),
    );
  }

  private async mergingIn(
    repository: OpenRepository,
    row: MergeRequestRow,
  ): Promise<{ mergeability: Mergeability; conflicts: string[] }> {
    if (row.state !== 'opened') return { mergeability: knownMergeability(row), conflicts: [] };
    try {
      const mergeability = await this.check(repository, row);
      const hasConflicts = mergeability.mergeStatus === 'cannot_be_merged';
      return { mergeability, conflicts: hasConflicts ? await conflictsIn(repository, row) : [] };
    } catch (error) {
      return { mergeability: this.unknown(row, error), conflicts: [] };
    }
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
    await this.requests.saveCheck(row.id, {
      headSha: tips.head,
      targetSha: tips.target,
      mergeStatus: status,
      baseSha: base ?? row.baseSha,
    });
    return mergeabilityOf(row, status);
  }

  private unknown(row: MergeRequestRow, error: unknown): Mergeability {
    if (!(error instanceof GitProcessError) && !(error instanceof ApiError)) throw error;
    this.logger.warn(`Merge request ${row.id} could not be looked at: ${String(error)}`);
    return row.state === 'opened' ? mergeabilityOf(row, 'checking') : knownMergeability(row);
  }
}

/** The paths that conflict. */
async function conflictsIn(repository: OpenRepository, row: MergeRequestRow): Promise<string[]> {
  const tips = await tipsOf(repository, row);
  if (tips === null || (await mergeBase(repository, [tips.head, tips.target])) === null) return [];
  const sides = { into: tips.target, from: tips.head };
  const merged = await tryMergeTrees(repository.path, sides, LIMIT_MS);
  return 'conflicts' in merged ? merged.conflicts : [];
}

/**
 * Returns what is read from a repository, or null if it is unreadable: the rest of a page does not
 * depend on it.
 */
export async function orNull<T>(reading: Promise<T>, logger: Logger): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof GitProcessError) && !(error instanceof ApiError)) throw error;
    logger.warn(`A repository could not be read: ${error.message}`);
    return null;
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
