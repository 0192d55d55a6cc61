import { Injectable, Logger } from '@nestjs/common';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { MOVE_KIND_DESCRIPTIONS } from '../move-kinds.js';
import type { MoveKind } from '../move-states.js';
import { StorageSettings } from '../storage-settings.service.js';
import {
  COUNT_WAITING,
  insertMoves,
  lockContainers,
  OPEN_BATCHES,
  type Candidate,
} from './feed-statements.js';
import { MoveCheckpoints } from './move-checkpoints.service.js';
import { StorageLoad } from './storage-load.js';

/** Moves that may wait into one destination; everything beyond stays writable without a row. */
export const MAX_WAITING = 50;

interface OpenBatch {
  id: number;
  kind: MoveKind;
  source: string;
  destination: string | null;
  cursor: number;
}

interface Fed {
  scheduled: number;
  skipped: number;
  cursor: number;
  isFinished: boolean;
}

/**
 * Turns bulk requests into moves, a few at a time. While a storage takes no moves none are made, so
 * that nothing waits read-only for it.
 */
@Injectable()
export class BatchFeeder {
  private readonly logger = new Logger(BatchFeeder.name);

  constructor(
    private readonly sql: Sql,
    private readonly storages: StorageRegistry,
    private readonly settings: StorageSettings,
    private readonly checkpoints: MoveCheckpoints,
  ) {}

  /** Answers how many containers were looked at. Workers may call it side by side; each batch has one feeder. */
  async feed(): Promise<number> {
    const open = await this.sql.rows(OPEN_BATCHES(false));
    if (open.length === 0) return 0;
    const load = new StorageLoad(await this.settings.all(), []);
    const looked = await this.sql.transaction(async (rows) => {
      const batches = await rows<OpenBatch>(OPEN_BATCHES(true));
      let sum = 0;
      for (const batch of batches) sum += await this.feedOne(rows, batch, load);
      await this.checkpoints.reach('feed.before-commit');
      return sum;
    });
    await this.checkpoints.reach('feed.after-commit');
    return looked;
  }

  private async feedOne(
    rows: TransactionRows,
    batch: OpenBatch,
    load: StorageLoad,
  ): Promise<number> {
    const closed = load.closedDestinations();
    if (load.closedSources().includes(batch.source) || this.mustWait(batch, closed)) return 0;
    const room = await roomFor(rows, batch);
    if (room === 0) return 0;
    const fed = await this.schedule(rows, batch, { room, closed });
    await rows(
      `UPDATE storage_move_batches SET cursor_id = $2, scheduled_count = scheduled_count + $3,
         skipped_count = skipped_count + $4, finished_at = CASE WHEN $5 THEN now() END
       WHERE id = $1`,
      [batch.id, fed.cursor, fed.scheduled, fed.skipped, fed.isFinished],
    );
    return fed.scheduled + fed.skipped;
  }

  /** Whether the batch's destination, or every one that could be drawn, takes no moves now. */
  private mustWait({ source, destination }: OpenBatch, closed: string[]): boolean {
    if (destination !== null) return closed.includes(destination);
    const couldBeDrawn = this.storages.pick([source]) !== null;
    return couldBeDrawn && this.storages.pick([source, ...closed]) === null;
  }

  private async schedule(
    rows: TransactionRows,
    batch: OpenBatch,
    { room, closed }: { room: number; closed: string[] },
  ): Promise<Fed> {
    const { kind, source, destination } = batch;
    const description = MOVE_KIND_DESCRIPTIONS[kind];
    const values = [source, batch.cursor, room];
    const found = await rows<Candidate>(lockContainers(description), values);
    const free = found.filter(({ isBusy }) => !isBusy);
    const routes = free.flatMap(({ id }) => {
      const target = destination ?? this.storages.pick([source, ...closed]);
      return target === null ? [] : [{ id, target }];
    });
    const made = await rows<{ containerId: number }>(insertMoves(description), [
      routes.map(({ id }) => id),
      routes.map(({ target }) => target),
      source,
      batch.id,
    ]);
    this.logSkipped(batch, found, new Set(made.map(({ containerId }) => containerId)));
    return {
      scheduled: made.length,
      skipped: found.length - made.length,
      cursor: found.at(-1)?.id ?? batch.cursor,
      isFinished: found.length < room,
    };
  }

  private logSkipped({ kind, id }: OpenBatch, found: Candidate[], made: Set<number>): void {
    for (const container of found) {
      if (made.has(container.id)) continue;
      this.logger.log(
        `Batch ${id}: ${kind} ${container.id} was skipped: it is read-only or has no destination`,
      );
    }
  }
}

/** How many containers of the batch may be looked at now. */
async function roomFor(rows: TransactionRows, { source, destination }: OpenBatch): Promise<number> {
  const [row] = await rows<{ waiting: number }>(COUNT_WAITING, [destination, source]);
  const room = MAX_WAITING - (row?.waiting ?? 0);
  // In portions: one statement makes fifty rows as fast as one.
  return room < MAX_WAITING / 2 ? 0 : room;
}
