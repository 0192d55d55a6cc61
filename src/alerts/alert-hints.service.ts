import { setTimeout as delay } from 'node:timers/promises';
import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bull';
import { QUEUES } from '../core/queue/queues.js';

/** Name of the job that tells a worker to look at `alert_reactions`. */
export const ALERT_REACTIONS_JOB = 'alert-reactions';

/** How long a process that ends waits for a hint that is on its way. */
const LAST_WAIT_MS = 1_000;

/** Tells the workers that something is to be done about alerts; call it after the commit. */
@Injectable()
export class AlertHints implements OnModuleDestroy {
  private readonly logger = new Logger(AlertHints.name);
  private waking: Promise<void> | null = null;
  private isWanted = false;

  constructor(@InjectQueue(QUEUES.alerts) private readonly queue: Queue) {}

  /** Not awaited by requests: while Redis is away nothing is lost, the worker looks by itself. */
  wake(): void {
    this.isWanted = true;
    this.waking ??= this.hint().finally(() => {
      this.waking = null;
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.race([this.waking, delay(LAST_WAIT_MS, undefined, { ref: false })]);
  }

  private async hint(): Promise<void> {
    try {
      while (this.isWanted) {
        this.isWanted = false;
        await this.queue.add(ALERT_REACTIONS_JOB, {});
      }
    } catch (error) {
      this.logger.warn(`Reactions to alerts wait for the worker to look: ${String(error)}`);
    }
  }
}
