import { Process, Processor } from '@nestjs/bull';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { QUEUES } from '../../core/queue/queues.js';
import { PeriodicTask } from '../../core/queue/periodic-task.js';
import { ALERT_REACTIONS_JOB } from '../alert-hints.service.js';
import { AlertMails } from './alert-mails.service.js';
import { AlertReactions } from './alert-reactions.service.js';

const SWEEP_MS = 5_000;

/**
 * Processes alert reactions on each job. A sweep retries failed ones, picks up rows of lost jobs
 * and sends emails when their window ends.
 */
@Processor(QUEUES.alerts)
export class AlertReactionsProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AlertReactionsProcessor.name);
  private readonly rounds = new PeriodicTask(
    SWEEP_MS,
    async (isStopping) => {
      await this.reactions.reactDue(isStopping);
      await this.mails.writeDue(isStopping);
    },
    { logger: this.logger, failureMessage: 'Reacting to alerts failed' },
  );

  constructor(
    private readonly reactions: AlertReactions,
    private readonly mails: AlertMails,
  ) {}

  @Process(ALERT_REACTIONS_JOB)
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
