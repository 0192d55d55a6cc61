import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { ActiveMove, ShuttingDownError } from './active-move.js';
import { ActiveMoves } from './active-moves.service.js';
import { BulkMoveScheduler, MAX_WAITING } from './bulk-move-scheduler.service.js';
import { MoveLeases } from './move-leases.service.js';
import { RepositoryMove } from './repository-move.service.js';

/** Without any job: rows are the truth, and Redis may have lost its hints. */
const POLL_MS = 2_000;
const REPORT_MS = 1_000;
const RENEW_MS = 10_000;
/** After so many claims the next moves are made, while there are others to go on with. */
const FEED_AFTER = MAX_WAITING / 2;

/** Keeps as many moves running as this worker may; woken by jobs, by its own clock, and by itself. */
@Injectable()
export class MoveWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MoveWorker.name);
  private readonly running = new Set<Promise<void>>();
  private timers: NodeJS.Timeout[] = [];
  private filling: Promise<void> | null = null;
  private feeding: Promise<number> | null = null;
  private claimsSinceFeed = 0;
  private isWoken = false;
  private isStopping = false;

  constructor(
    private readonly leases: MoveLeases,
    private readonly feeder: BulkMoveScheduler,
    private readonly active: ActiveMoves,
    private readonly repositoryMove: RepositoryMove,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.timers = [
      setInterval(() => this.wake(), POLL_MS),
      setInterval(() => void this.active.report(), REPORT_MS),
      setInterval(() => void this.active.renew(), RENEW_MS),
    ];
    this.wake();
  }

  /** Stops claiming, releases all moves, and waits until none is running. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.filling;
    await this.feeding;
    this.active.stopAll(new ShuttingDownError());
    await Promise.all(this.running);
  }

  /** Checks for moves to claim. Returns immediately. */
  wake(): void {
    this.isWoken = true;
    if (this.filling !== null || this.isStopping) return;
    this.filling = this.fill().finally(() => {
      this.filling = null;
    });
  }

  private async fill(): Promise<void> {
    try {
      while (this.isWoken && !this.isStopping) {
        this.isWoken = false;
        await this.claimAll();
      }
    } catch (error) {
      // The database is away; the next look is never far.
      this.logger.warn(`Moves could not be claimed: ${String(error)}`);
    }
  }

  private async claimAll(): Promise<void> {
    while (!this.isStopping) {
      const { workerConcurrency } = this.config;
      const free = workerConcurrency - this.active.placesTaken(workerConcurrency);
      if (free <= 0) return;
      const claimedAt = performance.now();
      const claims = await this.leases.lease(free);
      for (const claim of claims) this.start(new ActiveMove(claim, claimedAt));
      // One look for several free places may have met only moves of a storage at its limit.
      if (claims.length === 0 && (await this.feed()) === 0) return;
      this.claimsSinceFeed += claims.length;
      if (this.claimsSinceFeed >= FEED_AFTER) void this.feed();
    }
  }

  private feed(): Promise<number> {
    this.claimsSinceFeed = 0;
    this.feeding ??= this.feeder
      .feed()
      .catch((error: unknown) => {
        this.logger.warn(`Bulk requests could not be continued: ${String(error)}`);
        return 0;
      })
      .finally(() => {
        this.feeding = null;
      });
    return this.feeding;
  }

  private start(move: ActiveMove): void {
    this.active.add(move);
    const run = this.repositoryMove
      .run(move, () => this.wake())
      .finally(() => {
        this.active.remove(move);
        this.running.delete(run);
        this.wake();
      });
    this.running.add(run);
  }
}
