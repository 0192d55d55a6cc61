import { Process, Processor } from '@nestjs/bull';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { PeriodicTask } from '../core/queue/periodic-task.js';
import { MAIL_JOB } from './mail-cipher.js';
import { MailDelivery } from './mail-delivery.service.js';
import { OutgoingMailsRepository } from './outgoing-mails.repository.js';

const SWEEP_MS = 5_000;
const PURGE_MS = 3_600_000;
const KEPT_DAYS = 30;

/** Sends mails: woken by jobs, and by itself for retries and for mails whose job was lost. */
@Processor(QUEUES.mails)
export class MailsProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MailsProcessor.name);
  private readonly sending = new PeriodicTask(
    SWEEP_MS,
    (isStopping) => this.delivery.sendDue(isStopping),
    { logger: this.logger, failureMessage: 'Sending mails failed' },
  );
  private readonly forgetting = new PeriodicTask(PURGE_MS, () => this.mails.purge(KEPT_DAYS), {
    logger: this.logger,
    failureMessage: 'Forgetting mails failed',
  });

  constructor(
    private readonly delivery: MailDelivery,
    private readonly mails: OutgoingMailsRepository,
  ) {}

  @Process(MAIL_JOB)
  handle(): Promise<void> {
    return this.sending.run();
  }

  onApplicationBootstrap(): void {
    this.sending.start();
    this.forgetting.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.sending.stop(), this.forgetting.stop()]);
  }
}
