import { Process, Processor } from '@nestjs/bull';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NOTICES_JOB } from '../../activity/notice-wake-up.js';
import { QUEUES } from '../../core/queue/queues.js';
import { NoticeFanOut } from './notice-fan-out.service.js';

const SWEEP_MS = 5_000;

/** Writes mails about notices: woken by jobs, and by itself for those whose job was lost. */
@Processor(QUEUES.notices)
export class NoticesProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(NoticesProcessor.name);
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(private readonly fanOut: NoticeFanOut) {}

  @Process(NOTICES_JOB)
  handle(): Promise<void> {
    this.working = this.working
      .then(() => this.fanOut.writeDue(() => this.isStopping))
      .catch((error: unknown) => this.logger.error(`Writing mails failed: ${String(error)}`));
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
