import { Injectable } from '@nestjs/common';
import { Sql } from '../core/sql/sql.service.js';
import { ALL_MOVE_KINDS } from './move-kinds.js';
import type { MoveKind, MoveState } from './move-states.js';

/** A move of any kind, as an administrator's terminal shows it. */
export interface ListedMove {
  kind: MoveKind;
  id: number;
  container_id: number;
  state: MoveState;
  phase: string;
  source_storage_name: string;
  destination_storage_name: string;
  error_message: string | null;
  bytes_total: number | null;
  bytes_copied: number;
  created_at: Date;
}

/** How much is still to do, over all kinds. */
export interface MoveProgress {
  /** Containers that a bulk request has yet to reach. */
  unscheduled: number;
  waiting: number;
  running: number;
  finished: number;
  failed: number;
}

interface OverviewFilter {
  states?: MoveState[];
  /** Only moves that have ended since then. */
  endedSince?: Date;
  kind?: MoveKind;
  limit: number;
}

const COUNTS = ALL_MOVE_KINDS.map(
  ({ table }) => `SELECT m.state FROM ${table} m
    WHERE m.state IN ('initial', 'scheduled', 'started', 'replicated') OR m.finished_at >= $1`,
).join(' UNION ALL ');

const UNSCHEDULED = ALL_MOVE_KINDS.map(
  ({ kind, containerTable, isAlive }) => `SELECT c.id FROM ${containerTable} c
    WHERE ${isAlive} AND NOT c.repository_read_only AND EXISTS (SELECT 1 FROM storage_move_batches b
      WHERE b.finished_at IS NULL AND b.kind = '${kind}'
        AND b.source_storage_name = c.repository_storage AND c.id > b.cursor_id)`,
).join(' UNION ALL ');

/** Looks at the moves of all kinds together. */
@Injectable()
export class MoveOverview {
  constructor(private readonly sql: Sql) {}

  /** The newest moves first. */
  newest({ states, kind, endedSince, limit }: OverviewFilter): Promise<ListedMove[]> {
    const wanted = ALL_MOVE_KINDS.filter(
      (candidate) => (kind ?? candidate.kind) === candidate.kind,
    );
    const selects = wanted.map(
      (description) => `(SELECT '${description.kind}' AS kind, m.id,
          m.${description.containerColumn} AS container_id, m.state, m.phase,
          m.source_storage_name, m.destination_storage_name, m.error_message, m.bytes_total,
          m.bytes_copied, m.created_at
        FROM ${description.table} m WHERE ($2::text[] IS NULL OR m.state = ANY ($2))
          AND ($3::timestamptz IS NULL OR m.finished_at >= $3)
        ORDER BY m.created_at DESC, m.id DESC LIMIT $1)`,
    );
    return this.sql.rows<ListedMove>(
      `${selects.join(' UNION ALL ')} ORDER BY created_at DESC, id DESC LIMIT $1`,
      [limit, states ?? null, endedSince ?? null],
    );
  }

  /**
   * What is left to do, and what has ended since the given moment. One statement, one look: between
   * two a container that becomes a move would be missed by both.
   */
  async progress(since: Date): Promise<MoveProgress> {
    const row = await this.sql.row<MoveProgress>(
      `SELECT count(*) FILTER (WHERE state IN ('initial', 'scheduled'))::int AS waiting,
              count(*) FILTER (WHERE state IN ('started', 'replicated'))::int AS running,
              count(*) FILTER (WHERE state = 'finished')::int AS finished,
              count(*) FILTER (WHERE state IN ('failed', 'cleanup failed'))::int AS failed,
              (SELECT count(*)::int FROM (${UNSCHEDULED}) containers) AS unscheduled
       FROM (${COUNTS}) moves`,
      [since],
    );
    return row ?? { unscheduled: 0, waiting: 0, running: 0, finished: 0, failed: 0 };
  }
}
