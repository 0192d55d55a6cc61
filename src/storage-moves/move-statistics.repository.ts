import { Injectable } from '@nestjs/common';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import type { NamedCount } from '../core/sql/counts.js';
import { Sql } from '../core/sql/sql.service.js';
import {
  ALL_MOVE_KINDS,
  MOVE_KINDS,
  MOVE_STATES,
  type MoveKind,
  type MoveState,
} from './move-kinds.js';
import {
  moveConditions,
  movesSql,
  type AnyMoveRow,
  type MoveListFilter,
  type MoveRows,
} from './sql/move-rows.js';
import {
  BATCHES_SQL,
  containerCountsSql,
  DAYS_SQL,
  MOVE_COUNTS_SQL,
  OPEN_SQL,
  POSITIONS_SQL,
  PROGRESS_SQL,
  THROUGHPUT_SQL,
} from './sql/move-statistics.js';

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

/** Remaining work over all kinds. */
export interface MoveProgress {
  /** Containers that a bulk request has yet to reach. */
  unscheduled: number;
  waiting: number;
  running: number;
  finished: number;
  failed: number;
}

/** Selects moves of all kinds. */
interface OverviewFilter {
  states?: MoveState[];
  /** Only moves that have ended since then. */
  endedSince?: Date;
  kind?: MoveKind;
  limit: number;
}

/** A request to drain a storage, with its progress. */
export interface ListedBatch {
  id: number;
  kind: MoveKind;
  source: string;
  /** null = chosen by weight for each container. */
  destination: string | null;
  scheduled: number;
  skipped: number;
  /** Containers that it has yet to reach. */
  unscheduled: number;
  /** Scheduled ones that are not over. Moves of deleted containers do not count anywhere. */
  moving: number;
  finished: number;
  failed: number;
  createdAt: Date;
  /** When the last move was scheduled. */
  finishedAt: Date | null;
  /** Seconds since it was requested. */
  age: number;
}

/** Moves that ended on one day. */
export interface MovesOfDay {
  day: string;
  finished: number;
  failed: number;
  /** In any state. */
  counted: number;
}

/** Moves that are not over. */
export interface OpenMoves {
  waiting: number;
  running: number;
}

/** Moves of one route and state. */
export interface MoveCount {
  source: string;
  destination: string;
  state: MoveState;
  count: number;
  bytesLeft: number;
}

interface MovesInState {
  name: MoveState;
  count: number;
  routes: Omit<MoveCount, 'state'>[];
}

/** Containers of one kind on a storage. */
export interface ContainerCount {
  storage: string;
  kind: MoveKind;
  count: number;
}

/** Owns the statements that read moves of all kinds together. */
@Injectable()
export class MoveStatisticsRepository {
  constructor(private readonly queries: Sql) {}

  /** Returns one page of moves, of all kinds or one, with their containers, newest first; uncounted. */
  async listAll(
    { kind: wanted, ...filter }: MoveListFilter & { kind?: MoveKind | null | undefined },
    { offset, perPage }: Pick<Paging, 'offset' | 'perPage'>,
  ): Promise<Page<AnyMoveRow>> {
    const where = moveConditions(filter);
    const limit = where.value(offset + perPage + 1);
    const kinds = ALL_MOVE_KINDS.filter(({ kind }) => (wanted ?? kind) === kind);
    const newest = kinds.map(
      ({ kind, table }) => `(SELECT '${kind}' AS kind, m.id, m.created_at FROM ${table} m
        WHERE ${where.toString()} ORDER BY m.created_at DESC, m.id DESC LIMIT ${limit})`,
    );
    const found = await this.queries.rows<{ kind: MoveKind; id: number }>(
      `SELECT kind, id FROM (${newest.join(' UNION ALL ')}) moves
       ORDER BY created_at DESC, id DESC LIMIT ${where.value(perPage + 1)} OFFSET ${where.value(offset)}`,
      where.values,
    );
    const shown = found.slice(0, perPage);
    const rows = await Promise.all(
      MOVE_KINDS.map(async (kind) => {
        const ids = shown.filter((move) => move.kind === kind).map(({ id }) => id);
        return ids.length === 0 ? [] : this.findAll(kind, ids);
      }),
    );
    const byRef = new Map(rows.flat().map((move) => [`${move.kind} ${move.row.id}`, move]));
    const items = shown.flatMap(({ kind, id }) => byRef.get(`${kind} ${id}`) ?? []);
    return { items, hasNext: found.length > perPage, total: null };
  }

  private async findAll<K extends MoveKind>(
    kind: K,
    ids: readonly number[],
  ): Promise<AnyMoveRow[]> {
    const rows = await this.queries.rows<MoveRows[K]>(
      `${movesSql(kind)} WHERE m.id = ANY($1::bigint[])`,
      [ids],
    );
    return rows.map((row) => ({ kind, row }) as AnyMoveRow);
  }

  /** Returns moves of all kinds, newest first. */
  listNewest({ states, kind, endedSince, limit }: OverviewFilter): Promise<ListedMove[]> {
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
    return this.queries.rows<ListedMove>(
      `${selects.join(' UNION ALL ')} ORDER BY created_at DESC, id DESC LIMIT $1`,
      [limit, states ?? null, endedSince ?? null],
    );
  }

  /** Counts the work that is left, and the moves that ended since the given moment. */
  async countProgress(since: Date): Promise<MoveProgress> {
    const row = await this.queries.row<MoveProgress>(PROGRESS_SQL, [since]);
    return row ?? { unscheduled: 0, waiting: 0, running: 0, finished: 0, failed: 0 };
  }

  /** Returns the positions of waiting moves in the order of workers, by ID; 1 is next. */
  async findPositions(
    kind: MoveKind,
    moves: readonly { id: number; state: MoveState }[],
  ): Promise<Map<number, number>> {
    const ids = moves.filter(({ state }) => state === 'scheduled').map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const rows = await this.queries.rows<{ id: number; position: number }>(POSITIONS_SQL, [
      kind,
      ids,
    ]);
    return new Map(rows.map(({ id, position }) => [id, position]));
  }

  /** Counts the moves of all kinds that wait and run. */
  async countOpen(): Promise<OpenMoves> {
    return (await this.queries.row<OpenMoves>(OPEN_SQL)) ?? { waiting: 0, running: 0 };
  }

  /** Returns the newest requests to drain a storage. */
  listBatches(limit: number): Promise<ListedBatch[]> {
    return this.queries.rows<ListedBatch>(BATCHES_SQL, [limit]);
  }

  /**
   * Counts the moves that ended on each of the last days, oldest first; large counts as
   * `Sql.countedRows` does.
   */
  countPerDay(days: number): Promise<MovesOfDay[]> {
    return this.queries.countedRows(DAYS_SQL, [days]);
  }

  /** Returns the bytes per second of one move into each storage; a storage without moves is missing. */
  async findThroughput(): Promise<Map<string, number>> {
    const rows = await this.queries.rows<{ storage: string; rate: number | null }>(THROUGHPUT_SQL);
    return new Map(rows.flatMap(({ storage, rate }) => (rate === null ? [] : [[storage, rate]])));
  }

  /** Counts moves by route and state; large counts of a state as `Sql.counts` does. */
  async countMoves(): Promise<MoveCount[]> {
    const states = await this.queries.counts<MovesInState>(MOVE_COUNTS_SQL, [], MOVE_STATES);
    return states.flatMap(({ name: state, routes }) =>
      routes.map((route) => ({ ...route, state })),
    );
  }

  /** Counts the containers on each of the storages by kind; large counts as `Sql.counts` does. */
  async countContainers(storages: readonly string[]): Promise<ContainerCount[]> {
    const counts = ALL_MOVE_KINDS.map(async (description) => {
      const text = containerCountsSql(description);
      const rows = await this.queries.counts<NamedCount & { name: string }>(text, [], storages);
      return rows.map(({ name, count }) => ({ storage: name, kind: description.kind, count }));
    });
    return (await Promise.all(counts)).flat();
  }
}
