import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { Sql, type TransactionRows } from '../core/sql/sql.service.js';
import {
  ALL_MOVE_KINDS,
  MOVE_KIND_DESCRIPTIONS,
  type MoveKind,
  type MoveKindDescription,
} from './move-kinds.js';
import { StorageMoveBatch } from './storage-move.entity.js';

/** A batch that is not done. */
export interface OpenBatch {
  id: number;
  kind: MoveKind;
  source: string;
  destination: string | null;
  cursor: number;
}

/** The moves that one turn made of a batch. */
export interface BatchTurn {
  scheduled: number;
  skipped: number;
  cursor: number;
  isFinished: boolean;
}

/** A container on the storage that is being drained. */
export interface BatchCandidate {
  id: number;
  isBusy: boolean;
}

/** Batches that are not done, oldest first, without those that another worker has locked. */
const OPEN_BATCHES = (isLocking: boolean): string =>
  `SELECT id, kind, source_storage_name AS source, destination_storage_name AS destination,
          cursor_id AS cursor
   FROM storage_move_batches WHERE finished_at IS NULL ORDER BY id LIMIT 20
   ${isLocking ? 'FOR UPDATE SKIP LOCKED' : ''}`;

/** Waiting moves into $1; when the destination is drawn (NULL), those out of the source $2. */
const COUNT_WAITING = `SELECT count(*)::int AS waiting FROM (${ALL_MOVE_KINDS.map(
  ({ table }) => `SELECT 1 FROM ${table} m WHERE m.state = 'scheduled'
    AND CASE WHEN $1::text IS NULL THEN m.source_storage_name = $2
             ELSE m.destination_storage_name = $1 END`,
).join(' UNION ALL ')}) waiting`;

/** $1 = storage, $2 = last id looked at, $3 = how many. */
function lockContainers(description: MoveKindDescription): string {
  const { containerTable, isAlive, table, containerColumn } = description;
  return `SELECT c.id, c.repository_read_only OR EXISTS (
            SELECT 1 FROM ${table} m WHERE m.${containerColumn} = c.id
              AND m.state IN ('initial', 'scheduled', 'started', 'replicated')) AS "isBusy"
    FROM ${containerTable} c
    WHERE c.repository_storage = $1 AND c.id > $2 AND ${isAlive}
    ORDER BY c.id LIMIT $3 FOR NO KEY UPDATE OF c`;
}

/** $1 = containers, $2 = their destinations, $3 = source, $4 = batch. Rows and flags together. */
function insertMoves(description: MoveKindDescription): string {
  const { table, containerTable, containerColumn } = description;
  return `WITH made AS (
      INSERT INTO ${table} (${containerColumn}, state, source_storage_name,
        destination_storage_name, batch_id, created_by_id)
      SELECT wanted.id, 'scheduled', $3, wanted.destination, $4, b.created_by_id
      FROM unnest($1::bigint[], $2::text[]) AS wanted (id, destination),
           storage_move_batches b
      WHERE b.id = $4
      ON CONFLICT DO NOTHING
      RETURNING id, ${containerColumn} AS container_id
    )
    UPDATE ${containerTable} c SET repository_read_only = true, read_only_move_id = made.id
    FROM made WHERE c.id = made.container_id RETURNING c.id AS "containerId"`;
}

/** Owns every statement about bulk requests for moves. */
@Injectable()
export class StorageMoveBatchesRepository extends Repository<StorageMoveBatch> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(StorageMoveBatch, dataSource.manager);
  }

  async hasOpen(): Promise<boolean> {
    return (await this.queries.rows(OPEN_BATCHES(false))).length > 0;
  }

  /** Locks open batches, oldest first, and skips those of other workers. */
  lockOpen(rows: TransactionRows): Promise<OpenBatch[]> {
    return rows<OpenBatch>(OPEN_BATCHES(true));
  }

  /** Counts waiting moves into the destination; when it is drawn, those out of the source. */
  async countWaiting(
    rows: TransactionRows,
    { source, destination }: Pick<OpenBatch, 'source' | 'destination'>,
  ): Promise<number> {
    const [row] = await rows<{ waiting: number }>(COUNT_WAITING, [destination, source]);
    return row?.waiting ?? 0;
  }

  /** Locks the next containers of a batch. */
  lockContainers(
    rows: TransactionRows,
    { kind, source, cursor }: OpenBatch,
    limit: number,
  ): Promise<BatchCandidate[]> {
    const values = [source, cursor, limit];
    return rows<BatchCandidate>(lockContainers(MOVE_KIND_DESCRIPTIONS[kind]), values);
  }

  /** Schedules moves of a batch and returns the containers that became read-only. */
  async insertMoves(
    rows: TransactionRows,
    { id, kind, source }: OpenBatch,
    routes: readonly { id: number; target: string }[],
  ): Promise<number[]> {
    const made = await rows<{ containerId: number }>(insertMoves(MOVE_KIND_DESCRIPTIONS[kind]), [
      routes.map((route) => route.id),
      routes.map(({ target }) => target),
      source,
      id,
    ]);
    return made.map(({ containerId }) => containerId);
  }

  async recordTurn(rows: TransactionRows, id: number, turn: BatchTurn): Promise<void> {
    await rows(
      `UPDATE storage_move_batches SET cursor_id = $2, scheduled_count = scheduled_count + $3,
         skipped_count = skipped_count + $4, finished_at = CASE WHEN $5 THEN now() END
       WHERE id = $1`,
      [id, turn.cursor, turn.scheduled, turn.skipped, turn.isFinished],
    );
  }
}
