import { InjectQueue } from '@nestjs/bull';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bull';
import type { EntityManager } from 'typeorm';
import {
  type PipelineListener,
  PipelineListeners,
  type SucceededPipeline,
} from '../commit-statuses/pipeline-listeners.service.js';
import { QUEUES } from '../core/queue/queues.js';
import { WakeUp } from '../core/queue/wake-up.js';
import { markDue } from './auto-merge-wishes.js';

/** `merge-due`: merges that waited for their pipelines are due. */
export const DUE_MERGES_JOB = 'merge-due';

/** Hears of pipelines that succeed, and tells the worker what is to be merged. */
@Injectable()
export class AutoMergeHints implements PipelineListener, OnModuleInit, OnModuleDestroy {
  private readonly wakeUp: WakeUp;

  constructor(
    @InjectQueue(QUEUES.autoMerges) queue: Queue,
    private readonly listeners: PipelineListeners,
  ) {
    this.wakeUp = new WakeUp(queue, DUE_MERGES_JOB);
  }

  onModuleInit(): void {
    this.listeners.add(this);
  }

  onSuccess(tx: EntityManager, pipeline: SucceededPipeline): Promise<void> {
    return markDue(tx, pipeline);
  }

  afterSuccess(): void {
    this.wakeUp.now();
  }

  onModuleDestroy(): Promise<void> {
    return this.wakeUp.settle();
  }
}
