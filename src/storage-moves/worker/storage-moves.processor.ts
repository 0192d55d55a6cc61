import { InjectQueue } from '@nestjs/bull';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Job, Queue } from 'bull';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import {
  processJobs,
  type StopsWithTasks,
} from '../../core/durable-work/durable-worker.service.js';
import { QUEUES, RetryLaterError } from '../../core/durable-work/queues.js';
import type { MoveRef } from '../move-kinds.js';
import { ShuttingDownError, type ActiveMove } from './active-move.js';
import { ActiveMoves } from './active-moves.service.js';
import { MoveDispatcher } from './move-dispatcher.service.js';
import { MoveLeases } from './move-leases.service.js';
import { RepositoryMove, type MoveOutcome } from './repository-move.service.js';

const REPORT_MS = 1_000;
const RENEW_MS = 10_000;
/** A job whose move finds no capacity is given up after this time; the dispatcher adds another. */
const MAX_WAIT_MS = 1_000;

/** Names a move; without data some move is ready that has no job. */
type MoveJob = Job<MoveRef | Record<string, never>>;

/**
 * Processes storage moves. A job names a move; the row in the database decides by its lease which
 * worker runs it, so a job that comes twice or late does nothing.
 */
@Injectable()
export class StorageMovesProcessor implements OnApplicationBootstrap, StopsWithTasks {
  private readonly logger = new Logger(StorageMovesProcessor.name);
  private readonly running = new Set<Promise<MoveOutcome | null>>();
  /** Moves without a lease that this worker has at hand. */
  private readonly atHand = new Set<string>();
  private readonly waiting = new Set<() => void>();
  private timers: NodeJS.Timeout[] = [];
  private leasing = 0;
  private isStopping = false;

  constructor(
    @InjectQueue(QUEUES.storageMoves) private readonly queue: Queue,
    private readonly dispatcher: MoveDispatcher,
    private readonly leases: MoveLeases,
    private readonly active: ActiveMoves,
    private readonly repositoryMove: RepositoryMove,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Not by `@Process`, whose concurrency is a constant. One third of the jobs copies, one cleans up,
   * and one waits for a slot, so that the next move is at hand when one has switched.
   */
  onApplicationBootstrap(): void {
    this.dispatcher.start({
      run: (move) => void this.run(move),
      hasSlot: () => this.hasSlot(),
    });
    this.queue.client.on('ready', () => this.dispatcher.readdJobs());
    const concurrency = 3 * this.config.workerConcurrency;
    processJobs(this.queue, concurrency, (job: MoveJob) => this.process(job));
    this.timers = [
      setInterval(() => void this.active.report(), REPORT_MS),
      setInterval(() => void this.active.renew(), RENEW_MS),
    ];
  }

  /** Takes no more jobs, hands all moves back, and waits until none is running. */
  async stopWithTasks(): Promise<void> {
    this.isStopping = true;
    const closing = this.queue.close();
    for (const timer of this.timers) clearInterval(timer);
    await this.dispatcher.stop();
    this.announceCapacity();
    this.active.stopAll(new ShuttingDownError());
    await Promise.all([closing, ...this.running]);
  }

  /** Runs a move to its end. Throws RetryLaterError for another attempt, and when the move fails. */
  private async process(job: MoveJob): Promise<void> {
    const { kind, id } = job.data;
    if (kind === undefined) {
      this.dispatcher.wake();
      return;
    }
    const outcome = await this.run({ kind, id }, (percent) => {
      // Without Redis the call would wait for it.
      if (this.queue.client.status === 'ready') job.progress(percent).catch(() => undefined);
    });
    if (outcome === null) return;
    if (outcome.retryAfter !== undefined) {
      throw new RetryLaterError(outcome.message, outcome.retryAfter * 1000);
    }
    await job.discard();
    throw new Error(outcome.message);
  }

  /** Runs a move unless this worker has it at hand. Never throws. */
  private async run(
    ref: MoveRef,
    onProgress: ActiveMove['onProgress'] = null,
  ): Promise<MoveOutcome | null> {
    const key = `${ref.kind}-${ref.id}`;
    if (this.isStopping || this.atHand.has(key)) return null;
    this.atHand.add(key);
    const run = this.leaseAndRun(ref, key, onProgress);
    this.running.add(run);
    try {
      return await run;
    } finally {
      this.running.delete(run);
    }
  }

  private async leaseAndRun(
    ref: MoveRef,
    key: string,
    onProgress: ActiveMove['onProgress'],
  ): Promise<MoveOutcome | null> {
    let move: ActiveMove | null = null;
    try {
      move = await this.lease(ref);
    } catch (error) {
      // The database is away; the dispatcher adds another job.
      this.logger.warn(`Move ${key} could not be leased: ${String(error)}`);
    }
    this.atHand.delete(key);
    this.dispatcher.noteUsed(ref, move !== null);
    if (move === null) return null;
    move.onProgress = onProgress;
    try {
      return await this.repositoryMove.run(move, () => this.announceCapacity());
    } finally {
      this.active.remove(move);
      this.announceCapacity();
    }
  }

  /** Waits a moment for a slot in this worker and for capacity on the storages. */
  private async lease(ref: MoveRef): Promise<ActiveMove | null> {
    const deadline = performance.now() + MAX_WAIT_MS;
    while (!this.isStopping) {
      const result = this.hasSlot() ? await this.tryLease(ref) : 'busy';
      if (result !== 'busy') return result;
      const left = deadline - performance.now();
      if (left <= 0) return null;
      await this.capacityWithin(left);
    }
    return null;
  }

  private async tryLease(ref: MoveRef): Promise<ActiveMove | 'busy' | null> {
    this.leasing += 1;
    try {
      const move = await this.leases.lease(ref);
      if (move === null || move === 'busy') return move;
      this.active.add(move);
      // Its lease was under way when the worker stopped all others.
      if (this.isStopping) move.stop(new ShuttingDownError());
      return move;
    } finally {
      this.leasing -= 1;
    }
  }

  private hasSlot(): boolean {
    const { workerConcurrency } = this.config;
    return this.active.slotsTaken(workerConcurrency) + this.leasing < workerConcurrency;
  }

  private capacityWithin(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const resume = (): void => {
        clearTimeout(timer);
        this.waiting.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, milliseconds);
      this.waiting.add(resume);
    });
  }

  private announceCapacity(): void {
    if (this.hasSlot() || this.isStopping) for (const resume of [...this.waiting]) resume();
    this.dispatcher.refill();
  }
}
