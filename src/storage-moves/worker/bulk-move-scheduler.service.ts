import { Injectable, Logger } from '@nestjs/common';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import {
  type BatchCandidate,
  type BatchTurn,
  type OpenBatch,
  StorageMoveBatchesRepository,
} from '../storage-move-batches.repository.js';
import { StorageSettings } from '../storage-settings.service.js';
import { failpoint, type Failpoint } from '../engine/failpoints.js';
import { StorageConcurrency } from './move-leases.service.js';

/** Most moves that wait into one destination; everything beyond stays writable without a row. */
export const MAX_WAITING = 50;

/**
 * Schedules the moves of bulk requests, a few at a time. A storage that takes no moves gets none, so
 * that no container waits read-only for it.
 */
@Injectable()
export class BulkMoveScheduler {
  private readonly logger = new Logger(BulkMoveScheduler.name);
  /** A field, so that a test can hold one worker. */
  private readonly failpoint: Failpoint = failpoint;

  constructor(
    private readonly sql: Sql,
    private readonly batches: StorageMoveBatchesRepository,
    private readonly storages: StorageRegistry,
    private readonly settings: StorageSettings,
  ) {}

  /**
   * Returns how many containers were looked at. Workers can call it side by side; each batch has
   * one scheduler.
   */
  async scheduleDue(): Promise<number> {
    if (!(await this.batches.hasOpen())) return 0;
    const load = new StorageConcurrency(await this.settings.all(), []);
    const looked = await this.sql.transaction(async (rows) => {
      const batches = await this.batches.lockOpen(rows);
      let sum = 0;
      for (const batch of batches) sum += await this.scheduleBatch(rows, batch, load);
      await this.failpoint('schedule.before-commit');
      return sum;
    });
    await this.failpoint('schedule.after-commit');
    return looked;
  }

  private async scheduleBatch(
    rows: TransactionRows,
    batch: OpenBatch,
    load: StorageConcurrency,
  ): Promise<number> {
    const closed = load.closedDestinations();
    if (load.closedSources().includes(batch.source) || this.mustWait(batch, closed)) return 0;
    const room = await this.roomFor(rows, batch);
    if (room === 0) return 0;
    const turn = await this.schedule(rows, batch, { room, closed });
    await this.batches.recordTurn(rows, batch.id, turn);
    return turn.scheduled + turn.skipped;
  }

  /** Returns true if the batch's destination, or every possible one, takes no moves now. */
  private mustWait({ source, destination }: OpenBatch, closed: string[]): boolean {
    if (destination !== null) return closed.includes(destination);
    const couldBeDrawn = this.storages.pick([source]) !== null;
    return couldBeDrawn && this.storages.pick([source, ...closed]) === null;
  }

  private async schedule(
    rows: TransactionRows,
    batch: OpenBatch,
    { room, closed }: { room: number; closed: string[] },
  ): Promise<BatchTurn> {
    const { source, destination } = batch;
    const found = await this.batches.lockContainers(rows, batch, room);
    const free = found.filter(({ isBusy }) => !isBusy);
    const routes = free.flatMap(({ id }) => {
      const target = destination ?? this.storages.pick([source, ...closed]);
      return target === null ? [] : [{ id, target }];
    });
    const made = await this.batches.insertMoves(rows, batch, routes);
    this.logSkipped(batch, found, new Set(made));
    return {
      scheduled: made.length,
      skipped: found.length - made.length,
      cursor: found.at(-1)?.id ?? batch.cursor,
      isFinished: found.length < room,
    };
  }

  private logSkipped({ kind, id }: OpenBatch, found: BatchCandidate[], made: Set<number>): void {
    for (const container of found) {
      if (made.has(container.id)) continue;
      this.logger.log(
        `Batch ${id}: ${kind} ${container.id} was skipped: it is read-only or has no destination`,
      );
    }
  }

  /** Returns how many containers of the batch can be looked at now. */
  private async roomFor(rows: TransactionRows, batch: OpenBatch): Promise<number> {
    const room = MAX_WAITING - (await this.batches.countWaiting(rows, batch));
    // In batches: one statement inserts fifty rows as fast as one.
    return room < MAX_WAITING / 2 ? 0 : room;
  }
}
