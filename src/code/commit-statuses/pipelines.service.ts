import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import type { NotificationKind } from '../../core/activity/notifications.repository.js';
import {
  type PushOptionsListener,
  PushOptionsListeners,
  type PushWithOptions,
} from '../../git/push-recorder.service.js';
import { BRANCH_PREFIX, isZeroOid } from '../../git/reference-name.js';
import {
  type OpenPipeline,
  type Outcome,
  PipelinesRepository,
  pipelineStatus,
} from './pipelines.repository.js';

/** A commit of which a pipeline has succeeded. */
export interface SucceededPipeline {
  projectId: number;
  sha: string;
}

/** Someone who waits for pipelines. */
export interface PipelineListener {
  /** In the transaction in which it succeeds; what it throws undoes the report. */
  onSuccess(tx: EntityManager, pipeline: SucceededPipeline): Promise<void>;
}

/** Notifies features above of succeeded pipelines. */
@Injectable()
export class PipelineListeners {
  private readonly listeners: PipelineListener[] = [];

  add(listener: PipelineListener): void {
    this.listeners.push(listener);
  }

  async notify(tx: EntityManager, pipeline: SucceededPipeline): Promise<void> {
    for (const listener of this.listeners) await listener.onSuccess(tx, pipeline);
  }
}

/** Derives the status of pipelines from their statuses and announces their ends. */
@Injectable()
export class PipelinesService {
  constructor(
    private readonly activity: Activity,
    private readonly listeners: PipelineListeners,
    private readonly pipelines: PipelinesRepository,
  ) {}

  /** Updates a pipeline after a change of its statuses. */
  async settle(tx: EntityManager, pipeline: OpenPipeline): Promise<void> {
    const { id, projectId, sha } = pipeline;
    const status = pipelineStatus(await this.pipelines.countedStates(tx, id));
    if (status === pipeline.status) return;
    const outcome = status === 'success' || status === 'failed' ? status : null;
    await this.pipelines.settle(tx, id, { status, outcome });
    if (outcome === null) return;
    const kind = await this.notificationOf(tx, pipeline, outcome);
    const target = { type: 'pipeline', id } as const;
    await this.activity.notify(tx, [{ kind, projectId, actorId: null, target }]);
    if (outcome === 'success') await this.listeners.notify(tx, { projectId, sha });
  }

  /** The first success after a failure fixes it: of the pipeline itself, or of the one before. */
  private async notificationOf(
    tx: EntityManager,
    pipeline: OpenPipeline,
    outcome: Outcome,
  ): Promise<NotificationKind> {
    if (outcome === 'failed') return 'failed_pipeline';
    const last = pipeline.outcome ?? (await this.pipelines.findOutcomeBefore(tx, pipeline));
    return last === 'failed' ? 'fixed_pipeline' : 'success_pipeline';
  }
}

/** Handles `git push -o ci.skip`: marks the pipelines of the pushed branches as skipped. */
@Injectable()
export class SkippedPipelines implements PushOptionsListener, OnModuleInit {
  constructor(
    private readonly listeners: PushOptionsListeners,
    private readonly dataSource: DataSource,
    private readonly pipelines: PipelinesRepository,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  async follow({ projectId, viewer, options, updates }: PushWithOptions): Promise<string[]> {
    if (!options.includes('ci.skip')) return [];
    for (const { ref, newOid } of updates) {
      if (!ref.startsWith(BRANCH_PREFIX) || isZeroOid(newOid)) continue;
      await this.dataSource.transaction(async (tx) => {
        await this.pipelines.lockCommit(tx, projectId, newOid);
        const pipeline = { projectId, sha: newOid, ref: ref.slice(BRANCH_PREFIX.length) };
        await this.pipelines.addSkipped(tx, pipeline, viewer.id);
      });
    }
    return [];
  }
}
