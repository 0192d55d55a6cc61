import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { RunEvery } from '../../core/durable-work/periodic-task.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import { moveJob, type MoveRef } from '../move-kinds.js';
import { BulkMoveScheduler, MAX_WAITING } from './bulk-move-scheduler.service.js';
import type { DueMove } from './move-leases.repository.js';
import { MoveLeases } from './move-leases.service.js';

const POLL_MS = 2_000;
/** A move whose job no worker has taken so long after it was added is run without it. */
const OVERDUE_MS = 1_500;
/** Leases after which the next moves are scheduled in advance. */
const SCHEDULE_AFTER = MAX_WAITING / 2;

/** Runs moves in this worker without a job. */
interface LocalRunner {
  run(move: MoveRef): void;
  hasSlot(): boolean;
}

/** Sees to it that every move that can run has a job, and runs those that Redis has no job for. */
@Injectable()
export class MoveDispatcher {
  private readonly logger = new Logger(MoveDispatcher.name);
  /** When jobs were added of moves that have not begun, by the jobs' IDs. */
  private addedAt = new Map<string, number>();
  /** Moves that workers have looked at since the last selection. */
  private readonly used = new Set<string>();
  private runner: LocalRunner | null = null;
  private dispatching: Promise<void> | null = null;
  private scheduling: Promise<number> | null = null;
  private leasesSinceScheduling = 0;
  private isWoken = false;
  private isStopping = false;

  constructor(
    private readonly leases: MoveLeases,
    private readonly bulkMoves: BulkMoveScheduler,
    private readonly jobs: JobQueue,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Gives moves without a job to the runner from now on. */
  start(runner: LocalRunner): void {
    this.runner = runner;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.dispatching;
    await this.scheduling;
  }

  /** Adds all jobs again: Redis may have lost them. */
  readdJobs(): void {
    this.addedAt.clear();
    this.wake();
  }

  /** Looks for moves that can run. Returns at once. */
  @RunEvery({ ms: POLL_MS })
  wake(): void {
    this.isWoken = true;
    if (this.dispatching !== null || this.isStopping) return;
    this.dispatching = this.dispatchWhileWoken().finally(() => {
      this.dispatching = null;
    });
  }

  /** A slot for a move is free: wakes when few moves have a job. */
  refill(): void {
    if (this.addedAt.size <= this.config.workerConcurrency / 2) this.wake();
  }

  /** A worker has looked at the move of a job, which is used up. */
  noteUsed(move: MoveRef, isLeased: boolean): void {
    this.used.add(keyOf(move));
    for (const jobId of this.addedAt.keys()) {
      if (jobId.startsWith(`${keyOf(move)}-`)) this.addedAt.delete(jobId);
    }
    if (!isLeased) return;
    this.leasesSinceScheduling += 1;
    if (this.leasesSinceScheduling >= SCHEDULE_AFTER) void this.scheduleBulkMoves();
  }

  private async dispatchWhileWoken(): Promise<void> {
    try {
      while (this.isWoken && !this.isStopping) {
        this.isWoken = false;
        await this.dispatch();
      }
    } catch (error) {
      // The database is away; the next look is never far.
      this.logger.warn(`Moves could not be dispatched: ${String(error)}`);
    }
  }

  private async dispatch(): Promise<void> {
    this.used.clear();
    const due = (await this.leases.listDue()).filter((move) => !this.used.has(keyOf(move)));
    const now = performance.now();
    const before = this.addedAt;
    const fresh = due.filter((move) => !before.has(moveJob(move).jobId));
    const overdue = due.filter(
      (move) => now - (before.get(moveJob(move).jobId) ?? now) > OVERDUE_MS,
    );
    this.addedAt = new Map(
      due.map((move) => [moveJob(move).jobId, before.get(moveJob(move).jobId) ?? now]),
    );
    const isTaken = await this.jobs.enqueueAll(QUEUES.storageMoves, fresh.map(moveJob));
    if (!isTaken) this.runAll(fresh);
    else if (this.runner?.hasSlot() === true) this.runAll(overdue);
    // Only when there is nothing else: containers that wait for a bulk request stay writable.
    if (fresh.length === 0 && (await this.scheduleBulkMoves()) > 0) this.wake();
  }

  private runAll(moves: readonly DueMove[]): void {
    for (const move of moves) this.runner?.run(move);
  }

  private scheduleBulkMoves(): Promise<number> {
    this.leasesSinceScheduling = 0;
    this.scheduling ??= this.bulkMoves
      .scheduleDue()
      .catch((error: unknown) => {
        this.logger.warn(`Bulk requests could not be continued: ${String(error)}`);
        return 0;
      })
      .finally(() => {
        this.scheduling = null;
      });
    return this.scheduling;
  }
}

function keyOf({ kind, id }: MoveRef): string {
  return `${kind}-${id}`;
}
