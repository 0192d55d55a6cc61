import { setTimeout as delay } from 'node:timers/promises';
import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bull';
import { QUEUES, type MoveRepositoryJob } from '../core/durable-work/queues.js';

export const MOVE_JOB = 'move-repository';

/** Maximum wait of an ending process for a job that is being added. */
const LAST_WAIT_MS = 1_000;

/**
 * Tells the workers that there are moves to claim. Only a hint: workers also look by themselves,
 * so a request neither waits for Redis nor fails with it, and many calls become one job.
 */
@Injectable()
export class MoveWakeUps implements OnModuleDestroy {
  private readonly logger = new Logger(MoveWakeUps.name);
  private sending: Promise<void> | null = null;
  private next: MoveRepositoryJob | null = null;

  constructor(@InjectQueue(QUEUES.storageMoves) private readonly queue: Queue) {}

  /** Call it after the commit that made the work visible. */
  send(job: MoveRepositoryJob): void {
    this.next = job;
    this.sending ??= this.sendPending().finally(() => {
      this.sending = null;
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.race([this.sending, delay(LAST_WAIT_MS, undefined, { ref: false })]);
  }

  private async sendPending(): Promise<void> {
    try {
      while (this.next !== null) {
        const job = this.next;
        this.next = null;
        await this.queue.add(MOVE_JOB, job);
      }
    } catch (error) {
      this.logger.warn(`Workers could not be told about moves: ${String(error)}`);
    }
  }
}
