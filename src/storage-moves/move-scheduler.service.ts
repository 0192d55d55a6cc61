import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { ConflictError, ValidationFailedError } from '../core/errors.js';
import { auditedContainer } from './audited-container.js';
import { DestinationChooser } from './destination-choice.service.js';
import { MoveWakeUps } from './move-wake-ups.service.js';
import type { MoveKind } from './move-states.js';
import { StorageMovesRepository, type NewMove } from './storage-moves.repository.js';

export interface MoveRequest {
  kind: MoveKind;
  containerId: number;
  /** undefined or null = drawn by weight. */
  destination?: string | null;
}

const UNIQUE_VIOLATION = '23505';

/**
 * Schedules the move of one container. In one transaction the container becomes read-only and the
 * row appears (API doc, "Repository being moved"); only after its commit is a worker told.
 */
@Injectable()
export class MoveScheduler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly moves: StorageMovesRepository,
    private readonly destinations: DestinationChooser,
    private readonly audit: AuditTrail,
    private readonly wakeUps: MoveWakeUps,
  ) {}

  /**
   * Answers the new move's id. Throws NotFoundError, and ValidationFailedError with the messages of
   * all checks: storages that are not configured, a container that is read-only already.
   */
  async schedule(request: MoveRequest, actor: AuditActor): Promise<number> {
    const moveId = await this.dataSource.transaction((manager) =>
      this.insert(manager, request, actor),
    );
    this.wakeUps.send({ kind: request.kind, moveId });
    return moveId;
  }

  /** Schedules a failed move again, as a new row. Throws ConflictError for any other move. */
  async retry(kind: MoveKind, moveId: number, actor: AuditActor): Promise<number> {
    const move = await this.moves.findRoute(kind, moveId);
    if (move.state !== 'failed') throw new ConflictError('Only a failed move can be retried');
    return this.schedule({ kind, ...move }, actor);
  }

  private async insert(
    manager: EntityManager,
    { kind, containerId, destination: wanted }: MoveRequest,
    actor: AuditActor,
  ): Promise<number> {
    const { storage, readOnly } = await this.moves.lockContainer(manager, kind, containerId);
    const { destination, problems } = this.destinations.choose(storage, wanted);
    if (readOnly) problems[kind] = ['is read-only'];
    if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
    const source = storage;
    const move = { containerId, source, destination, createdById: actor.viewer?.id };
    const moveId = await this.addMove(manager, kind, move);
    await this.audit.record(manager, actor, {
      action: 'storage_move_scheduled',
      ...(await auditedContainer(this.moves, manager, { kind, containerId })),
      details: { move_id: moveId, source, destination },
    });
    return moveId;
  }

  private async addMove(manager: EntityManager, kind: MoveKind, move: NewMove): Promise<number> {
    try {
      return await this.moves.schedule(manager, kind, move);
    } catch (error) {
      // A move that has switched already but still cleans up; or one that waits for its retry.
      if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
      throw new ValidationFailedError({ [kind]: ['Repository already read-only'] });
    }
  }
}
