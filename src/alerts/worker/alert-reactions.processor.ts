import { Process, Processor } from '@nestjs/bull';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { QUEUES } from '../../core/queue/queues.js';
import { ALERT_REACTIONS_JOB } from '../alert-hints.service.js';
import { AlertReactions } from './alert-reactions.service.js';

const SWEEP_MS = 5_000;

/** Reacts to alerts: woken by jobs, and by itself for retries and for rows whose job was lost. */
@Processor(QUEUES.alerts)
export class AlertReactionsProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AlertReactionsProcessor.name);
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(private readonly reactions: AlertReactions) {}

  @Process(ALERT_REACTIONS_JOB)
  handle(): Promise<void> {
    this.working = this.working
      .then(() => this.reactions.reactDue(() => this.isStopping))
      .catch((error: unknown) => this.logger.error(`Reacting to alerts failed: ${String(error)}`));
    return this.working;
  }

  onApplicationBootstrap(): void {
    void this.handle();
    this.timer = setInterval(() => void this.handle(), SWEEP_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.working;
  }
}
