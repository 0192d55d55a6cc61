import { Process, Processor } from '@nestjs/bull';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { QUEUES } from '../../core/queue/queues.js';
import { PeriodicTask } from '../../core/queue/periodic-task.js';
import { DUE_MERGES_JOB } from '../auto-merge-hints.service.js';
import { DueMerges } from './due-merges.service.js';

const SWEEP_MS = 10_000;

/** Merges what has waited: woken by jobs, and by the clock for what could not be merged before. */
@Processor(QUEUES.autoMerges)
export class DueMergesProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DueMergesProcessor.name);
  private readonly rounds = new PeriodicTask(
    SWEEP_MS,
    (isStopping) => this.merges.run(isStopping),
    {
      logger: this.logger,
      failureMessage: 'Merging what is due failed',
    },
  );

  constructor(private readonly merges: DueMerges) {}

  @Process(DUE_MERGES_JOB)
  handle(): Promise<void> {
    return this.rounds.run();
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }
}
