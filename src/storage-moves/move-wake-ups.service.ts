import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { QUEUES, type MoveRepositoryJob } from '../core/queue/queues.js';

export const MOVE_JOB = 'move-repository';

/**
 * Tells the workers that there are moves to claim. Only a hint: workers also look by themselves,
 * so a request neither waits for Redis nor fails with it, and many calls become one job.
 */
@Injectable()
export class MoveWakeUps {
  private readonly logger = new Logger(MoveWakeUps.name);
  private isSending = false;
  private next: MoveRepositoryJob | null = null;

  constructor(@InjectQueue(QUEUES.storageMoves) private readonly queue: Queue) {}

  /** Call it after the commit that made the work visible. */
  send(job: MoveRepositoryJob): void {
    this.next = job;
    if (!this.isSending) void this.sendPending();
  }

  private async sendPending(): Promise<void> {
    this.isSending = true;
    try {
      while (this.next !== null) {
        const job = this.next;
        this.next = null;
        await this.queue.add(MOVE_JOB, job);
      }
    } catch (error) {
      this.logger.warn(`Workers could not be told about moves: ${String(error)}`);
    } finally {
      this.isSending = false;
    }
  }
}
