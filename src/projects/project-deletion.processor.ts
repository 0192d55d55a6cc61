import { Process, Processor } from '@nestjs/bull';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Job } from 'bull';
import { QUEUES, type DeleteContainerJob } from '../core/queue/queues.js';
import { ContainerDeletion } from './container-deletion.service.js';

const SWEEP_MS = 30_000;
const OVERDUE_SECONDS = 60;

/** Deletes what is marked: woken by jobs, and by itself for marks whose job was lost. */
@Processor(QUEUES.deletions)
export class ProjectDeletionProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ProjectDeletionProcessor.name);
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(private readonly deletion: ContainerDeletion) {}

  @Process('delete-container')
  handle(job: Job<DeleteContainerJob>): Promise<void> {
    return this.deletion.carryOut(job.data);
  }

  onApplicationBootstrap(): void {
    this.startSweep();
    this.timer = setInterval(() => this.startSweep(), SWEEP_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Carries out what has been marked for longer than `seconds`; one failure stops no other. */
  async sweep(seconds = OVERDUE_SECONDS): Promise<void> {
    for (const container of await this.deletion.overdue(seconds)) {
      try {
        await this.deletion.carryOut(container);
      } catch (error) {
        this.logger.error(`Deletion of ${container.kind} ${container.id} failed: ${String(error)}`);
      }
    }
  }

  /** One sweep at a time, however long it takes. */
  private startSweep(): void {
    this.sweeping = this.sweeping
      .then(() => this.sweep())
      .catch((error: unknown) => {
        this.logger.error(`Looking for lost deletions failed: ${String(error)}`);
      });
  }
}
