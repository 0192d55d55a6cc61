import { Process, Processor } from '@nestjs/bull';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { Rounds, type IsStopping } from '../core/queue/rounds.js';
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
  private readonly sending = this.rounds('Sending mails', SWEEP_MS, (isStopping) =>
    this.delivery.sendDue(isStopping),
  );
  private readonly forgetting = this.rounds('Forgetting mails', PURGE_MS, () =>
    this.claims.purge(KEPT_DAYS),
  );

  constructor(
    private readonly delivery: MailDelivery,
    private readonly claims: MailClaims,
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

  private rounds(
    what: string,
    everyMs: number,
    work: (isStopping: IsStopping) => Promise<void>,
  ): Rounds {
    return new Rounds(everyMs, work, (error) => {
      this.logger.error(`${what} failed: ${String(error)}`);
    });
  }
}
