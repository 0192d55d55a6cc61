import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';
import { AbandonedWrites } from '../../git/abandoned-writes.service.js';
import { ALL_MOVE_KINDS, type MoveKindDescription } from '../move-kinds.js';
import { MoveWorker } from './move-worker.service.js';
import { WorkerIdentity } from './worker-identity.js';

const SWEEP_MS = 30_000;

/**
 * Puts right what a crash may have left in the database. Moves without a live worker are taken up
 * by the ordinary claim; here are the flags and writes that no move speaks for.
 */
@Injectable()
export class MoveSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MoveSweeper.name);
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | null = null;

  constructor(
    private readonly sql: Sql,
    private readonly abandonedWrites: AbandonedWrites,
    private readonly worker: MoveWorker,
    private readonly identity: WorkerIdentity,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweepOnce(), SWEEP_MS);
    void this.sweepOnce();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** One sweep; runs every 30 seconds by itself. */
  async sweep(): Promise<void> {
    for (const description of ALL_MOVE_KINDS) {
      await this.endDeadLeases(description);
      await this.freeOrphans(description);
      await this.reportForgotten(description);
    }
    await this.abandonedWrites.recover();
    this.worker.wake();
  }

  private sweepOnce(): Promise<void> {
    this.sweeping ??= this.sweep()
      .catch((error: unknown) => this.logger.warn(`Sweep ended early: ${String(error)}`))
      .finally(() => {
        this.sweeping = null;
      });
    return this.sweeping;
  }

  /** A worker that was killed beside this one need not be waited for until its lease ends. */
  private async endDeadLeases({ kind, table }: MoveKindDescription): Promise<void> {
    const owners = await this.sql.rows<{ owner: string }>(
      `SELECT DISTINCT lease_owner AS owner FROM ${table}
       WHERE state IN ('started', 'replicated') AND lease_until >= now()`,
    );
    const dead = owners.map(({ owner }) => owner).filter((owner) => this.identity.isDead(owner));
    if (dead.length === 0) return;
    this.logger.warn(`Moves of kind ${kind} are taken over from ${dead.join(', ')}`);
    await this.sql.rows(
      `UPDATE ${table} SET lease_until = now() - interval '1 second'
       WHERE lease_owner = ANY ($1::text[]) AND state IN ('started', 'replicated')`,
      [dead],
    );
  }

  /** Read-only containers whose move is over or gone. */
  private async freeOrphans({ kind, table, containerTable }: MoveKindDescription): Promise<void> {
    const freed = await this.sql.rows<{ id: number }>(
      `UPDATE ${containerTable} c SET repository_read_only = false, read_only_move_id = NULL
       WHERE c.repository_read_only AND NOT EXISTS (
         SELECT 1 FROM ${table} m WHERE m.id = c.read_only_move_id
           AND m.state IN ('initial', 'scheduled', 'started'))
       RETURNING c.id`,
    );
    for (const { id } of freed) {
      this.logger.warn(`The ${kind} ${id} was read-only without a move and is writable again`);
    }
  }

  private async reportForgotten({ kind, table }: MoveKindDescription): Promise<void> {
    const row = await this.sql.row<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM ${table} m
       WHERE m.state = 'scheduled' AND m.created_at < now() - interval '5 minutes'`,
    );
    if (row !== null && row.waiting > 0) {
      this.logger.debug(`${row.waiting} moves of kind ${kind} have waited for over 5 minutes`);
    }
  }
}
