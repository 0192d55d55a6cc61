import { Process, Processor } from '@nestjs/bull';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NOTICES_JOB } from '../../activity/notice-wake-up.js';
import { QUEUES } from '../../core/queue/queues.js';
import { PeriodicTask } from '../../core/queue/periodic-task.js';
import { NoticeFanOut } from './notice-fan-out.service.js';

const SWEEP_MS = 5_000;

/** Writes mails about notices: woken by jobs, and by itself for those whose job was lost. */
@Processor(QUEUES.notices)
export class NoticesProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(NoticesProcessor.name);
  private readonly rounds = new PeriodicTask(
    SWEEP_MS,
    (isStopping) => this.fanOut.writeDue(isStopping),
    {
      logger: this.logger,
      failureMessage: 'Writing mails failed',
    },
  );

  constructor(private readonly fanOut: NoticeFanOut) {}

  @Process(NOTICES_JOB)
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
