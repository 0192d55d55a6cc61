import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import {
  ALL_MOVE_KINDS,
  MOVE_KIND_DESCRIPTIONS,
  type MoveKind,
  type MovePhase,
  type MoveRef,
} from '../move-kinds.js';
import { transactionRows } from '../sql/move-rows.js';
import type { LeasedMove } from './active-move.js';
import {
  CANDIDATES,
  LOCK_DUE,
  makeReadOnlyAgain,
  RUNNING,
  takeLease,
} from './sql/lease-statements.js';
import { HELD } from './move-outcomes.repository.js';
import type { Pair } from './move-leases.service.js';

/** Most clean-ups that one turn retries. */
const CLEAN_UP_BATCH = 20;

/** A move that could run. */
export interface DueMove extends Pair, MoveRef {
  attempt: number;
  /** An attempt has begun; paused storages do not hold it back. */
  begun: boolean;
}

/** Storages that take no further moves: at their limit, or closed. */
export interface FullStorages {
  fullSources: string[];
  fullDestinations: string[];
  closedSources: string[];
  closedDestinations: string[];
}

/** A move that this worker holds. */
export interface HeldRow {
  id: number;
  attempt: number;
  cancelledBy: string | null;
}

/** Progress of a running move. */
interface MoveReport {
  id: number;
  worker: string;
  attempt: number;
  phase: MovePhase;
  bytesTotal: number;
  bytesCopied: number;
  rate: number | null;
}

/** A move whose source could not be removed. */
export type LeftSource = Pick<
  LeasedMove,
  'kind' | 'id' | 'containerId' | 'attempt' | 'source' | 'destination'
>;

/** Owns the statements by which workers lease moves, renew the leases and repair what is left. */
@Injectable()
export class MoveLeasesRepository {
  constructor(private readonly queries: Sql) {}

  /** Counts the moves that copy now, by route. */
  countRunning(
    rows: TransactionRows = (text, values) => this.queries.rows(text, values),
  ): Promise<(Pair & { count: number })[]> {
    return rows<Pair & { count: number }>(RUNNING);
  }

  /** Returns up to `count` moves of each kind that could run, oldest first. */
  listDue(count: number, full: FullStorages): Promise<DueMove[]> {
    return this.queries.rows<DueMove>(CANDIDATES, [
      count,
      full.fullSources,
      full.fullDestinations,
      full.closedSources,
      full.closedDestinations,
    ]);
  }

  /** Locks those of the moves that could run against cancellation, oldest first. */
  lockDue(rows: TransactionRows, moves: readonly MoveRef[]): Promise<DueMove[]> {
    const ids = ALL_MOVE_KINDS.map((description) =>
      moves.filter(({ kind }) => kind === description.kind).map(({ id }) => id),
    );
    return rows<DueMove>(LOCK_DUE, ids);
  }

  /** Takes the leases of moves. */
  lease(
    rows: TransactionRows,
    kind: MoveKind,
    { ids, worker, seconds }: { ids: number[]; worker: string; seconds: number },
  ): Promise<LeasedMove[]> {
    return rows<LeasedMove>(takeLease(MOVE_KIND_DESCRIPTIONS[kind]), [ids, worker, seconds]);
  }

  /** Makes the containers read-only that were writable between two attempts of their moves. */
  async makeReadOnly(rows: TransactionRows, kind: MoveKind, ids: number[]): Promise<void> {
    await rows(makeReadOnlyAgain(MOVE_KIND_DESCRIPTIONS[kind]), [ids]);
  }

  /** Renews leases and returns those that the worker still holds. */
  renew(kind: MoveKind, ids: number[], worker: string, seconds: number): Promise<HeldRow[]> {
    return this.queries.rows<HeldRow>(
      `UPDATE ${MOVE_KIND_DESCRIPTIONS[kind].table}
         SET lease_until = now() + make_interval(secs => $3)
         WHERE id = ANY ($1::bigint[]) AND lease_owner = $2
         RETURNING id, attempt, cancelled_by AS "cancelledBy"`,
      [ids, worker, seconds],
    );
  }

  /** Records the progress of a move if the worker still holds it. */
  report(kind: MoveKind, move: MoveReport): Promise<HeldRow[]> {
    return this.queries.rows<HeldRow>(
      `UPDATE ${MOVE_KIND_DESCRIPTIONS[kind].table} m
       SET phase = $4, bytes_total = greatest($5, m.bytes_total),
           bytes_copied = greatest($6, m.bytes_copied),
           bytes_per_second = coalesce($7, m.bytes_per_second), updated_at = now()
       WHERE ${HELD} AND m.state IN ('started', 'replicated')
       RETURNING m.id, m.attempt, m.cancelled_by AS "cancelledBy"`,
      [
        move.id,
        move.worker,
        move.attempt,
        move.phase,
        move.bytesTotal,
        move.bytesCopied,
        move.rate,
      ],
    );
  }

  /** Returns whether an attempt runs under a lease. */
  async isRunning(kind: MoveKind, id: number, attempt: number): Promise<boolean> {
    const { table } = MOVE_KIND_DESCRIPTIONS[kind];
    const owner = await this.queries.row(
      `SELECT 1 AS found FROM ${table}
       WHERE id = $1 AND attempt = $2 AND state = 'started' AND lease_until >= now()`,
      [id, attempt],
    );
    return owner !== null;
  }

  /** Returns the workers that hold leases. */
  async listOwners(kind: MoveKind): Promise<string[]> {
    const { table } = MOVE_KIND_DESCRIPTIONS[kind];
    const owners = await this.queries.rows<{ owner: string }>(
      `SELECT DISTINCT lease_owner AS owner FROM ${table}
       WHERE state IN ('started', 'replicated') AND lease_until >= now()`,
    );
    return owners.map(({ owner }) => owner);
  }

  /** Ends the leases of workers. */
  async expire(kind: MoveKind, owners: string[]): Promise<void> {
    await this.queries.rows(
      `UPDATE ${MOVE_KIND_DESCRIPTIONS[kind].table} SET lease_until = now() - interval '1 second'
       WHERE lease_owner = ANY ($1::text[]) AND state IN ('started', 'replicated')`,
      [owners],
    );
  }

  /** Makes containers writable whose move is over or gone and returns their IDs. */
  async freeOrphans(kind: MoveKind): Promise<number[]> {
    const { table, containerTable } = MOVE_KIND_DESCRIPTIONS[kind];
    const freed = await this.queries.rows<{ id: number }>(
      `UPDATE ${containerTable} c SET repository_read_only = false, read_only_move_id = NULL
       WHERE c.repository_read_only AND NOT EXISTS (
         SELECT 1 FROM ${table} m WHERE m.id = c.read_only_move_id
           AND m.state IN ('initial', 'scheduled', 'started'))
       RETURNING c.id`,
    );
    return freed.map(({ id }) => id);
  }

  /** Counts the moves that have waited for over 5 minutes. */
  async countLongWaiting(kind: MoveKind): Promise<number> {
    const row = await this.queries.row<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM ${MOVE_KIND_DESCRIPTIONS[kind].table} m
       WHERE m.state = 'scheduled' AND m.created_at < now() - interval '5 minutes'`,
    );
    return row?.waiting ?? 0;
  }

  /** Takes the failed clean-ups that are due and sets their next turn. */
  async postponeCleanUps(
    manager: EntityManager,
    kind: MoveKind,
    storages: readonly string[],
  ): Promise<number[]> {
    const { table } = MOVE_KIND_DESCRIPTIONS[kind];
    const rows = await transactionRows<{ id: number }>(
      manager,
      `UPDATE ${table} SET retry_at = now() + interval '10 minutes' WHERE id IN (
           SELECT id FROM ${table}
           WHERE state = 'cleanup failed' AND phase = 'cleaning' AND retry_at <= now()
             AND source_storage_name = ANY ($1)
           ORDER BY id LIMIT ${CLEAN_UP_BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING id`,
      [storages],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Locks the container of a failed clean-up, so that no new move of it can begin, and returns the
   * source unless a move is under way. `isBack`: the container lies on the old storage again.
   */
  async lockLeftSource(
    manager: EntityManager,
    kind: MoveKind,
    id: number,
  ): Promise<(LeftSource & { isBack: boolean }) | null> {
    const { table, containerTable, containerColumn } = MOVE_KIND_DESCRIPTIONS[kind];
    const [row] = await transactionRows<LeftSource & { isBack: boolean }>(
      manager,
      `SELECT '${kind}' AS kind, m.id, c.id AS "containerId", m.attempt,
              m.source_storage_name AS source, m.destination_storage_name AS destination,
              c.repository_storage = m.source_storage_name AS "isBack"
       FROM ${table} m JOIN ${containerTable} c ON c.id = m.${containerColumn}
       WHERE m.id = $1 AND NOT c.repository_read_only AND NOT EXISTS (
         SELECT 1 FROM ${table} other WHERE other.${containerColumn} = c.id
           AND other.state IN ('initial', 'scheduled', 'started', 'replicated'))
       FOR NO KEY UPDATE OF c`,
      [id],
    );
    return row ?? null;
  }

  /** Records the late success of a clean-up. */
  async finishCleanUp(manager: EntityManager, kind: MoveKind, id: number): Promise<void> {
    await manager.query(
      `UPDATE ${MOVE_KIND_DESCRIPTIONS[kind].table} SET phase = 'done', updated_at = now() WHERE id = $1`,
      [id],
    );
  }
}
