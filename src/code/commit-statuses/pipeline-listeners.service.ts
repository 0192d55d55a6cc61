import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

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

/** Tells features above what becomes of pipelines. */
@Injectable()
export class PipelineListeners {
  private readonly listeners: PipelineListener[] = [];

  add(listener: PipelineListener): void {
    this.listeners.push(listener);
  }

  async tell(tx: EntityManager, pipeline: SucceededPipeline): Promise<void> {
    for (const listener of this.listeners) await listener.onSuccess(tx, pipeline);
  }
}
