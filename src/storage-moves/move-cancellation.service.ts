import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { ConflictError, NotFoundError } from '../core/errors.js';
import { auditedContainer } from './audited-container.js';
import { MOVE_KIND_DESCRIPTIONS, type MoveKindDescription } from './move-kinds.js';
import type { MoveKind, MoveState } from './move-states.js';
import { moveErrorMessage } from './move-texts.js';
import { MoveWakeUps } from './move-wake-ups.service.js';
import { transactionRows } from './transaction-rows.js';

/** Why a cancelled move ended. */
function cancellationMessage(cancelledBy: string): string {
  return moveErrorMessage(`Cancelled by ${cancelledBy}`);
}

/** Ends moves before their switch, the only point of no return. */
@Injectable()
export class MoveCancellation {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly wakeUps: MoveWakeUps,
  ) {}

  /**
   * A move that nobody works on fails at once; a running one notices within a second and cleans up
   * first. Throws NotFoundError, and ConflictError once the container has switched.
   */
  async cancel(kind: MoveKind, moveId: number, actor: CancellingActor): Promise<void> {
    const description = MOVE_KIND_DESCRIPTIONS[kind];
    await this.dataSource.transaction(async (tx) => {
      const { state, containerId } = await lockMove(tx, description, moveId);
      if (state === 'scheduled')
        await failScheduled(tx, description, { moveId, by: actor.username });
      else if (state === 'started') await noteWish(tx, description, { moveId, by: actor.username });
      else throw new ConflictError(`The move can no longer be cancelled: it is ${state}`);
      await this.audit.record(tx, actor, {
        action: 'storage_move_cancelled',
        ...(await auditedContainer(tx, kind, containerId)),
        details: { move_id: moveId, state },
      });
    });
    this.wakeUps.send({ kind, moveId });
  }
}

export type CancellingActor = AuditActor & { username: string };

interface Cancellation {
  moveId: number;
  by: string;
}

interface LockedMove {
  state: MoveState;
  containerId: number;
}

async function lockMove(
  tx: EntityManager,
  { table, containerColumn }: MoveKindDescription,
  id: number,
): Promise<LockedMove> {
  const [move] = await transactionRows<LockedMove>(
    tx,
    `SELECT state, ${containerColumn} AS "containerId" FROM ${table} WHERE id = $1 FOR UPDATE`,
    [id],
  );
  if (move === undefined) throw new NotFoundError();
  return move;
}

async function failScheduled(
  tx: EntityManager,
  { table, containerTable, containerColumn }: MoveKindDescription,
  { moveId, by }: Cancellation,
): Promise<void> {
  await tx.query(
    `WITH cancelled AS (
       UPDATE ${table} SET state = 'failed', error_message = $2, cancelled_by = $3, phase = 'done',
         writable_at = now(), finished_at = now(), updated_at = now()
       WHERE id = $1 RETURNING id, ${containerColumn} AS container_id
     )
     UPDATE ${containerTable} c SET repository_read_only = false, read_only_move_id = NULL
     FROM cancelled WHERE c.id = cancelled.container_id AND c.read_only_move_id = cancelled.id`,
    [moveId, cancellationMessage(by), by],
  );
}

async function noteWish(
  tx: EntityManager,
  { table }: MoveKindDescription,
  { moveId, by }: Cancellation,
): Promise<void> {
  await tx.query(
    `UPDATE ${table} SET cancelled_by = coalesce(cancelled_by, $2), updated_at = now()
     WHERE id = $1`,
    [moveId, by],
  );
}
