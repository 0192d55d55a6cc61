import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import type { NotificationKind } from '../../core/activity/notification-kinds.js';
import { PipelineListeners } from './pipeline-listeners.service.js';
import { pipelineStatus } from './pipeline-status.js';
import { PipelinesRepository, type OpenPipeline, type Outcome } from './pipelines.repository.js';

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
    if (outcome === 'success') await this.listeners.tell(tx, { projectId, sha });
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
