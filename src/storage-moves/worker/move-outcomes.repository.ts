import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Sql } from '../../core/sql/sql.service.js';
import { MOVE_KIND_DESCRIPTIONS, type MoveKindDescription } from '../move-kinds.js';
import type { MoveState } from '../move-states.js';
import { moveErrorMessage } from '../move-texts.js';
import { LeaseLostError, type ActiveMove } from './active-move.js';
import {
  failStatement,
  finishStatement,
  HELD,
  releaseStatement,
  switchStatement,
} from './sql/outcome-statements.js';
import { WorkerIdentity } from './worker-identity.js';

export interface CurrentMove {
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

  /** Clean-up is over; the trash entries get their rows. */
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

  /** The same attempt may succeed later; for a long wait the container becomes writable. */
  async retryLater(move: ActiveMove, waitSeconds: number, keepReadOnly: boolean): Promise<void> {
    const statement = releaseStatement(this.kindOf(move), keepReadOnly);
    await this.write(move, statement, [1, waitSeconds]);
  }

  /** This worker stops; another one may start at once, and it does not count as a failure. */
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
  async hasFailed({ claim }: ActiveMove): Promise<boolean> {
    const { table } = MOVE_KIND_DESCRIPTIONS[claim.kind];
    const text = `SELECT id FROM ${table} WHERE id = $1 AND state = 'failed'`;
    return (await this.queries.row(text, [claim.id])) !== null;
  }

  private async write(move: ActiveMove, text: string, values: unknown[]): Promise<void> {
    const rows = await this.queries.rows(text, [...this.held(move), ...values]);
    if (rows.length === 0) throw new LeaseLostError();
  }

  private held({ claim }: ActiveMove): unknown[] {
    return [claim.id, this.identity.name, claim.attempt];
  }

  private kindOf({ claim }: ActiveMove): MoveKindDescription {
    return MOVE_KIND_DESCRIPTIONS[claim.kind];
  }
}
