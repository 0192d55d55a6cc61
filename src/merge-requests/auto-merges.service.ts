import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Activity } from '../activity/activity.service.js';
import type { CommitState } from '../code/commit-states.js';
import { PipelinesRepository } from '../commit-statuses/pipelines.repository.js';
import { ApiError, ConflictError, UnauthorizedError } from '../core/errors.js';
import { writeSystemNotes } from '../notes/notes.repository.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { endWish } from './auto-merge-wishes.js';
import type { MergeDto } from './merge-request.dto.js';
import { HEAD_PIPELINE } from './head-pipelines.service.js';
import { UnmergeableError } from './merge-attempt.js';
import type { MergeRequestIidChange } from './merge-request-change.decorator.js';
import { assertMergeable, notAllowed } from './merge-refusals.js';
import { type MergeRequestView, MergeRequestViews } from './merge-request-views.service.js';

type Locked = Pick<MergeRequestView['row'], 'id' | 'headSha' | 'state'> & {
  status: CommitState | null;
  isWaiting: boolean;
};

const LOCK_SQL = `
  SELECT r.id, r.head_sha AS "headSha", r.state, (SELECT l.status ${HEAD_PIPELINE}) AS status,
    r.auto_merge_user_id IS NOT NULL AND r.auto_merge_sha = r.head_sha AS "isWaiting"
  FROM merge_requests r WHERE r.id = $1 FOR UPDATE OF r`;

const WAIT_SQL = `
  UPDATE merge_requests SET auto_merge_user_id = $2, auto_merge_sha = head_sha,
    auto_merge_message = $3, auto_merge_due = false, updated_at = now(),
    remove_source_branch = coalesce($4, remove_source_branch)
  WHERE id = $1`;

/** Lets merges wait for the pipelines of their heads. */
@Injectable()
export class AutoMerges {
  constructor(
    private readonly views: MergeRequestViews,
    private readonly activity: Activity,
    private readonly dataSource: DataSource,
    private readonly pipelines: PipelinesRepository,
  ) {}

  /**
   * Enables auto-merge while the head's pipeline is unfinished or announced; returns false when it
   * has succeeded. Throws 404; 401 without the right to push to the target branch; 412; 405 for
   * drafts, merge requests that are not open, and a failed or missing pipeline; 409 when the head is
   * not the expected commit; 422 for conflicts.
   */
  async arrange(
    { project, dto }: { project: ProjectRow; dto: MergeDto },
    { viewer, iid, preconditions }: Omit<MergeRequestIidChange, 'auth' | 'sender'>,
    { isPipelineToCome = false } = {},
  ): Promise<boolean> {
    const view = await this.views.show({ project, viewer, iid });
    const { row, mergeability, mayMerge } = view;
    if (!mayMerge) throw new UnauthorizedError();
    preconditions.check(row.updatedAt);
    assertMergeable(row);
    if (dto.sha) assertHead(row, dto.sha);
    if (view.pipeline === null && !isPipelineToCome) throw notAllowed();
    if (mergeability.mergeStatus === 'cannot_be_merged') {
      throw new UnmergeableError('there are conflicts');
    }
    return this.dataSource.transaction((tx) =>
      this.wait(tx, { view, dto, userId: viewer.id, isPipelineToCome }),
    );
  }

  /**
   * Throws 404; 401 for who may neither merge nor is its author; 405 for what is not open; 406 when
   * it waits for nothing.
   */
  async cancel(
    project: ProjectRow,
    { viewer, iid }: Pick<MergeRequestIidChange, 'viewer' | 'iid'>,
  ): Promise<void> {
    const { row, mayMerge } = await this.views.show({ project, viewer, iid });
    if (!mayMerge && row.author.id !== viewer.id) throw new UnauthorizedError();
    if (row.state !== 'opened') throw notAllowed();
    const note = { authorId: viewer.id, body: 'canceled the automatic merge' };
    const isEnded = await this.dataSource.transaction((tx) => endWish(tx, row.id, note));
    if (!isEnded) throw new ApiError(406, { message: "Can't cancel the automatic merge" });
  }

  private async wait(tx: EntityManager, wish: Wish): Promise<boolean> {
    const { row } = wish.view;
    await this.pipelines.lockCommit(tx, row.projectId, row.headSha);
    const [locked] = await tx.query<Locked[]>(LOCK_SQL, [row.id]);
    if (locked?.state !== 'opened') throw notAllowed();
    assertHead(locked, row.headSha);
    const { status, isWaiting } = locked;
    if (status === null && !wish.isPipelineToCome) throw notAllowed();
    if (status === 'success' || status === 'skipped') return false;
    if (status === 'failed' || status === 'canceled') throw notAllowed();
    await this.record(tx, wish, isWaiting);
    return true;
  }

  /** Skips the notification if only the message or the author of the auto-merge changed. */
  private async record(
    tx: EntityManager,
    { view: { row }, dto, userId }: Wish,
    isWaiting: boolean,
  ): Promise<void> {
    const { id, projectId, headSha } = row;
    const { merge_commit_message: message, should_remove_source_branch: isRemoved } = dto;
    await tx.query(WAIT_SQL, [id, userId, message || null, isRemoved ?? null]);
    if (isWaiting) return;
    const body = `enabled an automatic merge when the pipeline for ${headSha.slice(0, 8)} succeeds`;
    const notes = [{ mergeRequestId: id, authorId: userId, body }];
    await writeSystemNotes((text, values) => tx.query(text, values), notes);
    const target = { type: 'merge_request', id } as const;
    const kind = 'merge_when_pipeline_succeeds';
    await this.activity.notify(tx, [{ kind, projectId, actorId: userId, target }]);
  }
}

/** A merge that is to wait, and whose wish that is. */
interface Wish {
  view: MergeRequestView;
  dto: MergeDto;
  userId: number;
  isPipelineToCome: boolean;
}

function assertHead({ headSha }: { headSha: string }, wanted: string): void {
  if (headSha === wanted) return;
  throw new ConflictError(`SHA does not match HEAD of source branch: ${headSha}`);
}
