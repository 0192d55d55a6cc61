import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { ConflictError, NotFoundError, ValidationFailedError } from '../core/errors.js';
import { auditedContainer } from './audited-container.js';
import { DestinationChooser } from './destination-choice.service.js';
import { MOVE_KIND_DESCRIPTIONS, type MoveKindDescription } from './move-kinds.js';
import { MoveWakeUps } from './move-wake-ups.service.js';
import type { MoveKind, MoveState } from './move-states.js';
import { transactionRows } from './transaction-rows.js';

export interface MoveRequest {
  kind: MoveKind;
  containerId: number;
  /** undefined or null = drawn by weight. */
  destination?: string | null;
}

interface LockedContainer {
  storage: string;
  readOnly: boolean;
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
    private readonly destinations: DestinationChooser,
    private readonly audit: AuditTrail,
    private readonly wakeUps: MoveWakeUps,
  ) {}

  /**
   * Answers the new move's id. Throws NotFoundError, and ValidationFailedError with the messages of
   * all checks: storages that are not configured, a container that is read-only already.
   */
  async schedule(request: MoveRequest, actor: AuditActor): Promise<number> {
    const moveId = await this.dataSource.transaction((tx) => this.insert(tx, request, actor));
    this.wakeUps.send({ kind: request.kind, moveId });
    return moveId;
  }

  /** A failed move's wish once more, as a new row. Throws ConflictError for any other move. */
  async retry(kind: MoveKind, moveId: number, actor: AuditActor): Promise<number> {
    const { table, containerColumn } = MOVE_KIND_DESCRIPTIONS[kind];
    const [move] = await this.dataSource.query<
      { state: MoveState; containerId: number; destination: string }[]
    >(
      `SELECT state, ${containerColumn} AS "containerId", destination_storage_name AS destination
       FROM ${table} WHERE id = $1`,
      [moveId],
    );
    if (move === undefined) throw new NotFoundError();
    if (move.state !== 'failed') throw new ConflictError('Only a failed move can be retried');
    return this.schedule({ kind, ...move }, actor);
  }

  private async insert(
    tx: EntityManager,
    { kind, containerId, destination: wish }: MoveRequest,
    actor: AuditActor,
  ): Promise<number> {
    const description = MOVE_KIND_DESCRIPTIONS[kind];
    const { storage, readOnly } = await lockContainer(tx, description, containerId);
    const { destination, problems } = this.destinations.choose(storage, wish);
    if (readOnly) problems[kind] = ['is read-only'];
    if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
    const source = storage;
    const move = { containerId, source, destination, createdById: actor.viewer?.id };
    const moveId = await insertMove(tx, description, move);
    await this.audit.record(tx, actor, {
      action: 'storage_move_scheduled',
      ...(await auditedContainer(tx, kind, containerId)),
      details: { move_id: moveId, source, destination },
    });
    return moveId;
  }
}

async function lockContainer(
  tx: EntityManager,
  { containerTable, isAlive, noun }: MoveKindDescription,
  id: number,
): Promise<LockedContainer> {
  const [container] = await transactionRows<LockedContainer>(
    tx,
    `SELECT c.repository_storage AS storage, c.repository_read_only AS "readOnly"
     FROM ${containerTable} c WHERE c.id = $1 AND ${isAlive} FOR NO KEY UPDATE`,
    [id],
  );
  if (container === undefined) throw new NotFoundError(noun);
  return container;
}

interface NewMove {
  containerId: number;
  source: string;
  destination: string;
  createdById: number | undefined;
}

async function insertMove(
  tx: EntityManager,
  { kind, table, containerTable, containerColumn }: MoveKindDescription,
  { containerId, source, destination, createdById }: NewMove,
): Promise<number> {
  try {
    const [row] = await transactionRows<{ id: number }>(
      tx,
      `WITH move AS (
         INSERT INTO ${table} (${containerColumn}, state, source_storage_name,
           destination_storage_name, created_by_id)
         VALUES ($1, 'scheduled', $2, $3, $4) RETURNING id
       )
       UPDATE ${containerTable} c SET repository_read_only = true, read_only_move_id = move.id
       FROM move WHERE c.id = $1 RETURNING move.id`,
      [containerId, source, destination, createdById ?? null],
    );
    if (row === undefined) throw new Error(`No row for the move of ${kind} ${containerId}`);
    return row.id;
  } catch (error) {
    // A move that has switched already but still cleans up; or one that waits for its retry.
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    throw new ValidationFailedError({ [kind]: ['Repository already read-only'] });
  }
}
