import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type PipelineListener,
  PipelineListeners,
  type SucceededPipeline,
} from '../commit-statuses/pipeline-listeners.service.js';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import { AutoMergesRepository } from './auto-merges.repository.js';

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
