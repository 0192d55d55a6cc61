import { Process, Processor } from '@nestjs/bull';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { MAIL_JOB } from './mail-box.js';
import { MailClaims } from './mail-claims.service.js';
import { MailDelivery } from './mail-delivery.service.js';

const SWEEP_MS = 5_000;
const PURGE_MS = 3_600_000;
const KEPT_DAYS = 30;

/** Sends mails: woken by jobs, and by itself for retries and for mails whose job was lost. */
@Processor(QUEUES.mails)
export class MailsProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MailsProcessor.name);
  private timers: NodeJS.Timeout[] = [];
  private working: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly delivery: MailDelivery,
    private readonly claims: MailClaims,
  ) {}

  @Process(MAIL_JOB)
  handle(): Promise<void> {
    return this.run('Sending mails', () => this.delivery.sendDue(() => this.isStopping));
  }

  onApplicationBootstrap(): void {
    const purge = (): void => void this.run('Forgetting mails', () => this.claims.purge(KEPT_DAYS));
    void this.handle();
    purge();
    this.timers = [setInterval(() => void this.handle(), SWEEP_MS), setInterval(purge, PURGE_MS)];
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.working;
  }

  /** One after the other; what fails is told, and tried again with the next round. */
  private run(what: string, work: () => Promise<void>): Promise<void> {
    this.working = this.working
      .then(() => (this.isStopping ? undefined : work()))
      .catch((error: unknown) => this.logger.error(`${what} failed: ${String(error)}`));
    return this.working;
  }
}
