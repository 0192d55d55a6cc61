import { Inject, Injectable } from '@nestjs/common';
import { MOVE_KIND_DESCRIPTIONS, type MoveKindDescription, type MoveState } from '../move-kinds.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Sql } from '../../core/sql/sql.service.js';
import { moveErrorMessage } from '../engine/move-error.js';
import { type ActiveMove, LeaseLostError } from './active-move.js';
import { WorkerIdentity } from './worker-identity.js';

/** True while the lease is ours: $1 = move, $2 = worker, $3 = attempt, in every statement. */
export const HELD = 'm.id = $1 AND m.lease_owner = $2 AND m.attempt = $3';

/** $4 = bytes in total, $5 = bytes copied, $6 = checksum. All or nothing: one statement. */
function switchStatement(description: MoveKindDescription): string {
  const { table, containerTable, containerColumn, touch } = description;
  return `WITH held AS (
      SELECT m.id, m.${containerColumn} AS container_id, m.source_storage_name AS source,
             m.destination_storage_name AS destination
      FROM ${table} m
      WHERE ${HELD} AND m.state = 'started' AND m.cancelled_by IS NULL FOR UPDATE
    ), switched AS (
      UPDATE ${containerTable} c SET repository_storage = held.destination,
        repository_read_only = false, read_only_move_id = NULL${touch}
      FROM held
      WHERE c.id = held.container_id AND c.read_only_move_id = held.id
        AND c.repository_storage = held.source
      RETURNING held.id
    )
    UPDATE ${table} m SET state = 'replicated', phase = 'cleaning', bytes_total = $4,
      bytes_copied = $5, checksum = $6, error_message = NULL, writable_at = now(),
      updated_at = now()
    FROM switched WHERE m.id = switched.id RETURNING m.id`;
}

/** $4 = paths in the trash of the source, $5 = why they are there, $6 = hours to keep them. */
function finishStatement({ table }: MoveKindDescription): string {
  return `WITH finished AS (
      UPDATE ${table} m SET state = 'finished', phase = 'done', lease_owner = NULL,
        lease_until = NULL, finished_at = now(), updated_at = now()
      WHERE ${HELD} AND m.state = 'replicated' RETURNING m.id, m.source_storage_name AS storage
    ), discarded AS (
      INSERT INTO repository_trash (storage, path, reason, delete_after)
      SELECT finished.storage, trash.path, $5, now() + make_interval(hours => $6)
      FROM finished, unnest($4::text[]) AS trash (path)
      ON CONFLICT (storage, path) DO NOTHING
    )
    SELECT id FROM finished`;
}

/** $4 = message. */
function failStatement(description: MoveKindDescription): string {
  const { table, containerTable, containerColumn } = description;
  return `WITH failed AS (
      UPDATE ${table} m SET state = 'failed', phase = 'done', error_message = $4,
        lease_owner = NULL, lease_until = NULL, writable_at = now(), finished_at = now(),
        updated_at = now()
      WHERE ${HELD} AND m.state = 'started' RETURNING m.id, m.${containerColumn} AS container_id
    ), freed AS (
      UPDATE ${containerTable} c SET repository_read_only = false, read_only_move_id = NULL
      FROM failed WHERE c.id = failed.container_id AND c.read_only_move_id = failed.id
    )
    SELECT id FROM failed`;
}

/** $4 = retries to add, $5 = seconds to wait or NULL. The state stays as it is. */
function releaseStatement(description: MoveKindDescription, keepReadOnly: boolean): string {
  const { table, containerTable, containerColumn } = description;
  const freed = `, freed AS (
      UPDATE ${containerTable} c SET repository_read_only = false, read_only_move_id = NULL
      FROM released WHERE c.id = released.container_id AND c.read_only_move_id = released.id
    )`;
  return `WITH released AS (
      UPDATE ${table} m SET retries = m.retries + $4::int, lease_owner = NULL, lease_until = NULL,
        retry_at = now() + make_interval(secs => $5::int), phase = 'queued', updated_at = now()
      WHERE ${HELD} AND m.state IN ('started', 'replicated')
      RETURNING m.id, m.${containerColumn} AS container_id
    )${keepReadOnly ? '' : freed}
    SELECT id FROM released`;
}

interface CurrentMove {
  state: MoveState;
  cancelledBy: string | null;
}

/**
 * Owns the statements by which a worker records the outcome of a move. Each is one transaction and
 * holds only while this worker has the lease for this attempt; throws LeaseLostError otherwise.
 */
@Injectable()
export class MoveOutcomesRepository {
  constructor(
    private readonly queries: Sql,
    private readonly identity: WorkerIdentity,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The point of no return: the container is on its new storage and writable. Throws
   * LeaseLostError also when the move was cancelled a moment before (see `current`).
   */
  async switch(move: ActiveMove, checksum: string | null): Promise<void> {
    await this.write(move, switchStatement(this.kindOf(move)), [
      move.bytesTotal,
      move.bytesCopied,
      checksum,
    ]);
  }

  /** Records the end of the clean-up and the trash entries. */
  async finish(move: ActiveMove, trashPaths: readonly string[]): Promise<void> {
    await this.write(move, finishStatement(this.kindOf(move)), [
      trashPaths,
      `${move.label} moved`,
      this.config.trashHours,
    ]);
  }

  /** Before the switch: the container stays where it is and is writable again. */
  async fail(move: ActiveMove, message: string): Promise<void> {
    await this.write(move, failStatement(this.kindOf(move)), [moveErrorMessage(message)]);
  }

  /** After the switch: the source is still there and the janitor retries. */
  async failCleanUp(move: ActiveMove, message: string): Promise<void> {
    const { table } = this.kindOf(move);
    await this.write(
      move,
      `UPDATE ${table} m SET state = 'cleanup failed', error_message = $4, lease_owner = NULL,
         lease_until = NULL, retry_at = now() + interval '1 minute', finished_at = now(),
         updated_at = now()
       WHERE ${HELD} AND m.state = 'replicated' RETURNING m.id`,
      [moveErrorMessage(message)],
    );
  }

  /** The same attempt can succeed later; for a long wait the container becomes writable. */
  async retryLater(move: ActiveMove, waitSeconds: number, keepReadOnly: boolean): Promise<void> {
    const statement = releaseStatement(this.kindOf(move), keepReadOnly);
    await this.write(move, statement, [1, waitSeconds]);
  }

  /** This worker stops; another one can start immediately, and it does not count as a failure. */
  async handBack(move: ActiveMove): Promise<void> {
    await this.write(move, releaseStatement(this.kindOf(move), true), [0, null]);
  }

  /** Returns the row as it is now, after a write with an unknown outcome; null when it is not ours. */
  current(move: ActiveMove): Promise<CurrentMove | null> {
    const { table } = this.kindOf(move);
    return this.queries.row<CurrentMove>(
      `SELECT m.state, m.cancelled_by AS "cancelledBy" FROM ${table} m WHERE ${HELD}`,
      this.held(move),
    );
  }

  /** Returns whether the move failed under any worker, and so its container did not move. */
  async hasFailed({ lease }: ActiveMove): Promise<boolean> {
    const { table } = MOVE_KIND_DESCRIPTIONS[lease.kind];
    const text = `SELECT id FROM ${table} WHERE id = $1 AND state = 'failed'`;
    return (await this.queries.row(text, [lease.id])) !== null;
  }

  private async write(move: ActiveMove, text: string, values: unknown[]): Promise<void> {
    const rows = await this.queries.rows(text, [...this.held(move), ...values]);
    if (rows.length === 0) throw new LeaseLostError();
  }

  private held({ lease }: ActiveMove): unknown[] {
    return [lease.id, this.identity.name, lease.attempt];
  }

  private kindOf({ lease }: ActiveMove): MoveKindDescription {
    return MOVE_KIND_DESCRIPTIONS[lease.kind];
  }
}
