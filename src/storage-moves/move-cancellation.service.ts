import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { ConflictError } from '../core/errors.js';
import { auditedContainer } from './audited-container.js';
import type { MoveKind } from './move-states.js';
import { moveErrorMessage } from './move-texts.js';
import { MoveWakeUps } from './move-wake-ups.service.js';
import { StorageMovesRepository } from './storage-moves.repository.js';

/** Ends moves before their switch, the only point of no return. */
@Injectable()
export class MoveCancellation {
  constructor(
    private readonly dataSource: DataSource,
    private readonly moves: StorageMovesRepository,
    private readonly audit: AuditTrail,
    private readonly wakeUps: MoveWakeUps,
  ) {}

  /**
   * A move that no worker holds fails at once; a running one notices within a second and cleans up
   * first. Throws NotFoundError, and ConflictError once the container has switched.
   */
  async cancel(kind: MoveKind, moveId: number, actor: CancellingActor): Promise<void> {
    const { username } = actor;
    await this.dataSource.transaction(async (manager) => {
      const { state, containerId } = await this.moves.lock(manager, kind, moveId);
      if (state === 'scheduled') {
        const message = moveErrorMessage(`Cancelled by ${username}`);
        await this.moves.failScheduled(manager, kind, { id: moveId, message, username });
      } else if (state === 'started') {
        await this.moves.requestCancellation(manager, kind, { id: moveId, username });
      } else throw new ConflictError(`The move can no longer be cancelled: it is ${state}`);
      await this.audit.record(manager, actor, {
        action: 'storage_move_cancelled',
        ...(await auditedContainer(this.moves, manager, { kind, containerId })),
        details: { move_id: moveId, state },
      });
    });
    this.wakeUps.send({ kind, moveId });
  }
}

export type CancellingActor = AuditActor & { username: string };
