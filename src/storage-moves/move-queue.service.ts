import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Job, JobOptions, Queue } from 'bull';
import { ALL_QUEUES } from '../core/durable-work/job-queue.service.js';
import {
  BACKOFF_BY_ERROR,
  JOB_NAMES,
  QUEUES,
  type MoveRepositoryJob,
} from '../core/durable-work/queues.js';

/** A move by its kind and ID; ids of different kinds are unrelated. */
export type MoveRef = MoveRepositoryJob;

/** A move with the number of the attempts that have begun. */
export interface QueuedMove extends MoveRef {
  attempt: number;
}

/** Handles a job; without data some move is ready that has no job. */
export type MoveHandler = (job: Job<MoveRef | Record<string, never>>) => Promise<void>;

/** A worker runs the moves itself when Redis has not taken their jobs by then. */
const PATIENCE_MS = 1_000;

/** Attempts of one job; the row counts all attempts of a move and ends them earlier. */
const ATTEMPTS = 10;

/** Jobs of storage moves in Bull. A job names its row, which decides whether there is work. */
@Injectable()
export class MoveQueue implements OnModuleDestroy {
  private readonly logger = new Logger(MoveQueue.name);
  private readonly queue: Queue;
  private readonly sending = new Set<Promise<unknown>>();

  constructor(@Inject(ALL_QUEUES) queues: readonly Queue[]) {
    const queue = queues.find(({ name }) => name === QUEUES.storageMoves);
    if (queue === undefined) throw new Error('No queue for storage moves');
    this.queue = queue;
  }

  /** Adds the job of a move after its commit, without waiting: workers also find the row. */
  enqueue(move: QueuedMove): void {
    const sending = this.enqueueAll([move]).finally(() => this.sending.delete(sending));
    this.sending.add(sending);
  }

  /**
   * Adds jobs in one round trip; moves that have one keep it. Returns false when Redis does not
   * take them now.
   */
  async enqueueAll(moves: readonly QueuedMove[]): Promise<boolean> {
    if (moves.length === 0) return true;
    if (!this.isReachable()) return false;
    const jobs = moves.map(({ kind, id, attempt }) => ({
      name: JOB_NAMES[QUEUES.storageMoves],
      data: { kind, id },
      opts: jobOptions({ kind, id, attempt }),
    }));
    const adding = this.queue.addBulk(jobs).then(
      (added) => added.every(({ id }) => id != null),
      (error: unknown) => {
        this.logger.warn(`No jobs were added for moves: ${String(error)}`);
        return false;
      },
    );
    return Promise.race([adding, delay(PATIENCE_MS, false, { ref: false })]);
  }

  /** Starts to process jobs, up to `concurrency` at a time. */
  process(concurrency: number, handler: MoveHandler): void {
    // Ends with the queue, whose closing reports what went wrong.
    void this.queue.process(JOB_NAMES[QUEUES.storageMoves], concurrency, handler);
  }

  /** Calls back when Redis is there again, which may have lost jobs. */
  onReconnect(callback: () => void): void {
    this.queue.client.on('ready', callback);
  }

  /** Shows the progress of a job on the queue page, while Redis is there. */
  reportProgress(job: Job, percent: number): void {
    if (this.isReachable()) job.progress(percent).catch(() => undefined);
  }

  /** Stops to process jobs; resolves when all handlers have returned. */
  async close(): Promise<void> {
    await this.queue.close();
  }

  /** Lets jobs leave before the process ends. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.sending);
  }

  private isReachable(): boolean {
    return this.queue.client.status === 'ready';
  }
}

/** Returns the ID of the job for the next attempt of a move: a dead worker's job is another. */
export function jobIdOf({ kind, id, attempt }: QueuedMove): string {
  return `${kind}-${id}-${attempt + 1}`;
}

function jobOptions(move: QueuedMove): JobOptions {
  return { jobId: jobIdOf(move), attempts: ATTEMPTS, backoff: { type: BACKOFF_BY_ERROR } };
}
