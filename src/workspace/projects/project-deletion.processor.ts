import { Process, Processor } from '@nestjs/bull';
import { Logger } from '@nestjs/common';
import type { Job } from 'bull';
import { JOB_NAMES, QUEUES, type DeleteContainerJob } from '../../core/durable-work/queues.js';
import { RunEvery } from '../../core/durable-work/run-every.decorator.js';
import { ContainerDeletion } from './container-deletion.service.js';

const OVERDUE_SECONDS = 60;

/** Deletes containers that are marked for it: named by jobs, and by a sweep when a job was lost. */
@Processor(QUEUES.deletions)
export class ProjectDeletionProcessor {
  private readonly logger = new Logger(ProjectDeletionProcessor.name);

  constructor(private readonly deletion: ContainerDeletion) {}

  @Process(JOB_NAMES[QUEUES.deletions])
  handle(job: Job<DeleteContainerJob>): Promise<void> {
    return this.deletion.carryOut(job.data);
  }

  /** Deletes containers that have been marked for a minute; one failure stops no other. */
  @RunEvery({ ms: 30_000, failureMessage: 'Looking for lost deletions failed' })
  async sweep(): Promise<void> {
    for (const container of await this.deletion.overdue(OVERDUE_SECONDS)) {
      try {
        await this.deletion.carryOut(container);
      } catch (error) {
        this.logger.error(`Deletion of ${container.kind} ${container.id} failed: ${String(error)}`);
      }
    }
  }
}
