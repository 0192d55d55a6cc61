import { Injectable } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';
import { ALL_MOVE_KINDS } from '../move-kinds.js';
import type { MoveKind, MoveState } from '../move-states.js';

/** A request to empty a storage, with what became of it so far. */
export interface ListedBatch {
  id: number;
  kind: MoveKind;
  source: string;
  /** null = drawn by weight for each container. */
  destination: string | null;
  scheduled: number;
  skipped: number;
  /** Scheduled ones that are not over. Those whose container was deleted are nowhere any more. */
  moving: number;
  finished: number;
  failed: number;
  createdAt: Date;
  /** When the last move was scheduled. */
  finishedAt: Date | null;
}

/** Moves that ended on one day. */
export interface MovesOfDay {
  day: string;
  finished: number;
  failed: number;
}

/** Moves that are not over, by what becomes of them. */
export interface OpenMoves {
  waiting: number;
  running: number;
}

const OPEN_STATES = `('initial', 'scheduled', 'started', 'replicated')`;

function ofAllKinds(select: (table: string, kind: MoveKind) => string): string {
  return ALL_MOVE_KINDS.map(({ table, kind }) => select(table, kind)).join(' UNION ALL ');
}

const POSITIONS_SQL = `
  SELECT id, position::int FROM (
    SELECT kind, id, row_number() OVER (ORDER BY created_at, id) AS position
    FROM (${ofAllKinds(
      (table, kind) =>
        `SELECT '${kind}' AS kind, id, created_at FROM ${table} WHERE state = 'scheduled'`,
    )}) waiting
  ) placed WHERE kind = $1 AND id = ANY ($2::bigint[])`;

const OPEN_SQL = `
  SELECT count(*) FILTER (WHERE state IN ('initial', 'scheduled'))::int AS waiting,
         count(*) FILTER (WHERE state IN ('started', 'replicated'))::int AS running
  FROM (${ofAllKinds((table) => `SELECT state FROM ${table} WHERE state IN ${OPEN_STATES}`)}) moves`;

/** Moves of a batch are younger than it: an index finds them by their age. */
const BATCHES_SQL = `
  WITH batches AS (SELECT * FROM storage_move_batches ORDER BY id DESC LIMIT $1)
  SELECT b.id, b.kind, b.source_storage_name AS source, b.destination_storage_name AS destination,
         b.scheduled_count AS scheduled, b.skipped_count AS skipped, b.created_at AS "createdAt",
         b.finished_at AS "finishedAt", coalesce(m.moving, 0) AS moving,
         coalesce(m.finished, 0) AS finished, coalesce(m.failed, 0) AS failed
  FROM batches b LEFT JOIN (
    SELECT batch_id, count(*) FILTER (WHERE state = 'finished')::int AS finished,
           count(*) FILTER (WHERE state IN ${OPEN_STATES})::int AS moving,
           count(*) FILTER (WHERE state IN ('failed', 'cleanup failed'))::int AS failed
    FROM (${ofAllKinds(
      (table) => `SELECT batch_id, state FROM ${table}
        WHERE created_at >= (SELECT min(created_at) FROM batches) AND batch_id IS NOT NULL`,
    )}) moves GROUP BY batch_id
  ) m ON m.batch_id = b.id
  ORDER BY b.id DESC`;

/** Who waited longer than a month for its end is missing: an index finds moves by their age. */
const DAYS_SQL = `
  SELECT to_char(d.day, 'YYYY-MM-DD') AS day,
         count(*) FILTER (WHERE m.state = 'finished')::int AS finished,
         count(*) FILTER (WHERE m.state IN ('failed', 'cleanup failed'))::int AS failed
  FROM generate_series((now() AT TIME ZONE 'UTC')::date - ($1::int - 1),
                       (now() AT TIME ZONE 'UTC')::date, interval '1 day') AS d(day)
  LEFT JOIN (${ofAllKinds(
    (table) => `SELECT state, (finished_at AT TIME ZONE 'UTC')::date AS day FROM ${table}
      WHERE created_at >= now() - interval '45 days' AND finished_at IS NOT NULL`,
  )}) m ON m.day = d.day::date
  GROUP BY d.day ORDER BY d.day`;

/** What the pages tell about all moves together. */
@Injectable()
export class MoveQueue {
  constructor(private readonly sql: Sql) {}

  /** Places of waiting moves in the order in which workers look at them, by id; 1 is next. */
  async positions(
    kind: MoveKind,
    moves: readonly { id: number; state: MoveState }[],
  ): Promise<Map<number, number>> {
    const ids = moves.filter(({ state }) => state === 'scheduled').map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const rows = await this.sql.rows<{ id: number; position: number }>(POSITIONS_SQL, [kind, ids]);
    return new Map(rows.map(({ id, position }) => [id, position]));
  }

  /** How many wait and run, over all kinds. */
  async open(): Promise<OpenMoves> {
    return (await this.sql.row<OpenMoves>(OPEN_SQL)) ?? { waiting: 0, running: 0 };
  }

  /** The newest requests to empty a storage. */
  batches(limit: number): Promise<ListedBatch[]> {
    return this.sql.rows<ListedBatch>(BATCHES_SQL, [limit]);
  }

  /** How the moves of the last days ended, a row for each day, the oldest first. */
  perDay(days: number): Promise<MovesOfDay[]> {
    return this.sql.rows<MovesOfDay>(DAYS_SQL, [days]);
  }
}
