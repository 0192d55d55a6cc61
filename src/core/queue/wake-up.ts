import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Queue } from 'bull';

/** Maximum wait of an ending process for a job that is being added. */
const LAST_WAIT_MS = 1_000;

/**
 * Adds a job that tells workers about waiting rows. Coalesces concurrent calls, and no caller waits
 * for Redis: without it nothing is lost, as workers poll.
 */
export class WakeUp {
  private readonly logger = new Logger(WakeUp.name);
  private waking: Promise<void> | null = null;
  private isWanted = false;

  constructor(
    private readonly queue: Queue,
    private readonly job: string,
  ) {}

  /** Call it after the commit. */
  now(): void {
    this.isWanted = true;
    this.waking ??= this.hint().finally(() => {
      this.waking = null;
    });
  }

  /** Lets a hint leave before the process ends. */
  async settle(): Promise<void> {
    await Promise.race([this.waking, delay(LAST_WAIT_MS, undefined, { ref: false })]);
  }

  private async hint(): Promise<void> {
    try {
      while (this.isWanted) {
        this.isWanted = false;
        await this.queue.add(this.job, {});
      }
    } catch (error) {
      this.logger.warn(`${this.job}: waits for the worker to look: ${String(error)}`);
    }
  }
}
