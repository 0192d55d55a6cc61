import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import { ApiError, ConflictError, UnauthorizedError } from '../../core/errors.js';
import { writeSystemNotes } from '../../workspace/notes/notes.repository.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { IssuableReference } from '../../workspace/spam/request-context.decorator.js';
import { PipelinesRepository } from '../commit-statuses/pipelines.repository.js';
import {
  type PipelineListener,
  PipelineListeners,
  type SucceededPipeline,
} from '../commit-statuses/pipelines.service.js';
import { AutoMergesRepository } from './auto-merges.repository.js';
import { assertMergeable, notAllowed } from './merge-request-access.js';
import { UnmergeableError } from './merge-request-merging.service.js';
import {
  MergeRequestDetailsService,
  type MergeRequestView,
} from './merge-request-details.service.js';
import type { MergeDto } from './merge-request.dto.js';

/** Enables and cancels auto-merge: merges that wait for the pipelines of their heads. */
@Injectable()
export class AutoMerges {
  constructor(
    private readonly autoMerges: AutoMergesRepository,
    private readonly details: MergeRequestDetailsService,
    private readonly activity: Activity,
    private readonly pipelines: PipelinesRepository,
  ) {}

  /**
   * Enables auto-merge while the head's pipeline is unfinished or announced; returns false when it
   * has succeeded. Throws 404; 401 without the right to push to the target branch; 412; 405 for
   * drafts, merge requests that are not open, and a failed or missing pipeline; 409 when the head
   * is not the expected commit; 422 for conflicts.
   */
  async enable(
    { project, dto }: { project: ProjectRow; dto: MergeDto },
    { viewer, iid, preconditions }: Omit<IssuableReference, 'auth' | 'sender'>,
    { isPipelineExpected = false } = {},
  ): Promise<boolean> {
    const view = await this.details.find({ project, viewer, iid });
    const { row, mergeability, mayMerge } = view;
    if (!mayMerge) throw new UnauthorizedError();
    preconditions.check(row.updatedAt);
    assertMergeable(row);
    if (dto.sha) assertHead(row, dto.sha);
    if (view.pipeline === null && !isPipelineExpected) throw notAllowed();
    if (mergeability.mergeStatus === 'cannot_be_merged') {
      throw new UnmergeableError('there are conflicts');
    }
    return this.autoMerges.manager.transaction((tx) =>
      this.wait(tx, { view, dto, userId: viewer.id, isPipelineExpected }),
    );
  }

  /**
   * Throws 404; 401 for users who can neither merge nor are the author; 405 for merge requests that
   * are not open; 406 without auto-merge.
   */
  async cancel(
    project: ProjectRow,
    { viewer, iid }: Pick<IssuableReference, 'viewer' | 'iid'>,
  ): Promise<void> {
    const { row, mayMerge } = await this.details.find({ project, viewer, iid });
    if (!mayMerge && row.author.id !== viewer.id) throw new UnauthorizedError();
    if (row.state !== 'opened') throw notAllowed();
    const note = { authorId: viewer.id, body: 'canceled the automatic merge' };
    const isDisabled = await this.autoMerges.manager.transaction((tx) =>
      this.autoMerges.disable(tx, row.id, note),
    );
    if (!isDisabled) throw new ApiError(406, { message: "Can't cancel the automatic merge" });
  }

  private async wait(tx: EntityManager, request: AutoMergeRequest): Promise<boolean> {
    const { row } = request.view;
    await this.pipelines.lockCommit(tx, row.projectId, row.headSha);
    const locked = await this.autoMerges.lock(tx, row.id);
    if (locked?.state !== 'opened') throw notAllowed();
    assertHead(locked, row.headSha);
    const { status, isWaiting } = locked;
    if (status === null && !request.isPipelineExpected) throw notAllowed();
    if (status === 'success' || status === 'skipped') return false;
    if (status === 'failed' || status === 'canceled') throw notAllowed();
    await this.record(tx, request, isWaiting);
    return true;
  }

  /** Notifies no one again when the message or the user of an auto-merge changes. */
  private async record(
    tx: EntityManager,
    { view: { row }, dto, userId }: AutoMergeRequest,
    isWaiting: boolean,
  ): Promise<void> {
    const { id, projectId, headSha } = row;
    const message = dto.merge_commit_message || null;
    const removesSource = dto.should_remove_source_branch ?? null;
    await this.autoMerges.enable(tx, id, { userId, message, removesSource });
    if (isWaiting) return;
    const body = `enabled an automatic merge when the pipeline for ${headSha.slice(0, 8)} succeeds`;
    const notes = [{ mergeRequestId: id, authorId: userId, body }];
    await writeSystemNotes((text, values) => tx.query(text, values), notes);
    const target = { type: 'merge_request', id } as const;
    const kind = 'merge_when_pipeline_succeeds';
    await this.activity.notify(tx, [{ kind, projectId, actorId: userId, target }]);
  }
}

/** A request to merge when the pipeline succeeds. */
interface AutoMergeRequest {
  view: MergeRequestView;
  dto: MergeDto;
  userId: number;
  isPipelineExpected: boolean;
}

function assertHead({ headSha }: { headSha: string }, wanted: string): void {
  if (headSha === wanted) return;
  throw new ConflictError(`SHA does not match HEAD of source branch: ${headSha}`);
}

/** Hands merges that waited for a pipeline to the worker when it succeeds. */
@Injectable()
export class AutoMergeTrigger implements PipelineListener, OnModuleInit {
  constructor(
    private readonly jobs: JobQueue,
    private readonly listeners: PipelineListeners,
    private readonly autoMerges: AutoMergesRepository,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  /** Marks the auto-merges of the commit as due and wakes the worker after the commit. */
  async onSuccess(tx: EntityManager, pipeline: SucceededPipeline): Promise<void> {
    await this.autoMerges.markDue(tx, pipeline);
    this.jobs.notifyAfterCommit(tx, QUEUES.autoMerges);
  }
}
