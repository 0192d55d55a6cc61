import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuthContext } from '../core/access/auth-context.js';
import { AuditLog, type AuditActor, type AuditEntry } from '../core/audit/audit.service.js';
import { JobQueue } from '../core/durable-work/job-queue.service.js';
import { QUEUES } from '../core/durable-work/queues.js';
import {
  ConflictError,
  InvalidParamsError,
  ValidationFailedError,
  type ValidationMessages,
} from '../core/errors.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { RepositoryMover } from '../workspace/projects/project-repositories.service.js';
import { trailOf } from '../workspace/snippets/snippet-access.js';
import { moveErrorMessage } from './engine/move-error.js';
import { MOVE_KINDS, moveJob, type MoveKind } from './move-kinds.js';
import { StorageMoveBatch } from './storage-move.entity.js';
import { StorageMovesRepository, type NewMove } from './storage-moves.repository.js';

export interface MoveRequest {
  kind: MoveKind;
  containerId: number;
  /** Drawn by weight without a value. */
  destination?: string | null;
}

export interface BatchRequest {
  kind: MoveKind;
  source?: string | null;
  destination?: string | null;
}

/** Validated bulk request. */
interface CheckedBatch {
  kind: MoveKind;
  source: string;
  destination: string | null;
}

const UNIQUE_VIOLATION = '23505';

/** Schedules, retries and cancels moves, for the API, the pages and the CLI. */
@Injectable()
export class StorageMovesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly moves: StorageMovesRepository,
    private readonly storages: StorageRegistry,
    private readonly audit: AuditLog,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Schedules a move and returns its ID. In one transaction the container becomes read-only and the
   * row appears (API doc, "Repository being moved"). Throws NotFoundError, and
   * ValidationFailedError with the messages of all checks: storages that are not configured, a
   * container that is read-only already.
   */
  async schedule(request: MoveRequest, actor: AuditActor): Promise<number> {
    const id = await this.dataSource.transaction((manager) => this.insert(manager, request, actor));
    void this.jobs.enqueueAll(QUEUES.storageMoves, [
      moveJob({ kind: request.kind, id, attempt: 0 }),
    ]);
    return id;
  }

  /** Requests moves of a kind and returns the batch's ID; moves are inserted later, a few at a time. */
  async scheduleAll(request: BatchRequest, actor: AuditActor): Promise<number> {
    const batch = this.checkBatch(request);
    return this.dataSource.transaction((tx) => this.insertBatch(tx, batch, actor));
  }

  /** Requests moves of all containers on a storage: one batch of each kind. */
  async drain(request: Omit<BatchRequest, 'kind'>, actor: AuditActor): Promise<void> {
    const batches = MOVE_KINDS.map((kind) => this.checkBatch({ ...request, kind }));
    await this.dataSource.transaction(async (tx) => {
      for (const batch of batches) await this.insertBatch(tx, batch, actor);
    });
  }

  private async insertBatch(
    tx: EntityManager,
    { kind, source, destination }: CheckedBatch,
    actor: AuditActor,
  ): Promise<number> {
    const inserted = await tx.insert(StorageMoveBatch, {
      kind,
      sourceStorageName: source,
      destinationStorageName: destination,
      createdById: actor.viewer?.id ?? null,
    });
    const { id } = inserted.identifiers[0] as { id: number };
    await this.audit.record(tx, actor, {
      action: 'storage_moves_scheduled',
      targetType: 'StorageMoveBatch',
      targetId: id,
      details: { kind, source, destination },
    });
    this.jobs.notifyAfterCommit(tx, QUEUES.storageMoves);
    return id;
  }

  /**
   * Throws InvalidParamsError for names that are not configured, and ValidationFailedError when no
   * destination is given and none can be drawn.
   */
  checkBatch({ kind, source, destination = null }: BatchRequest): CheckedBatch {
    const problems: string[] = [];
    if (source === undefined || source === null) problems.push('source_storage_name is missing');
    if (!this.storages.has(source ?? '')) {
      problems.push('source_storage_name does not have a valid value');
    }
    if (destination !== null && !this.storages.has(destination)) {
      problems.push('destination_storage_name does not have a valid value');
    }
    if (problems.length > 0) throw new InvalidParamsError(problems);
    const name = source ?? '';
    const drawn = chooseDestination(this.storages, name, destination);
    if (Object.keys(drawn.problems).length > 0) throw new ValidationFailedError(drawn.problems);
    return { kind, source: name, destination };
  }

  /** Schedules a failed move again, as a new row. Throws ConflictError for any other move. */
  async retry(kind: MoveKind, moveId: number, actor: AuditActor): Promise<number> {
    const move = await this.moves.findRoute(kind, moveId);
    if (move.state !== 'failed') throw new ConflictError('Only a failed move can be retried');
    return this.schedule({ kind, ...move }, actor);
  }

  /**
   * Cancels a move before its switch, the point of no return. A move that no worker holds fails at
   * once; a running one notices within a second and cleans up first. Under sudo the administrator
   * behind it is named. Throws NotFoundError, and ConflictError once the container has switched.
   */
  async cancel(kind: MoveKind, moveId: number, actor: AuthContext): Promise<void> {
    const username = (actor.impersonator ?? actor.viewer)?.username ?? 'the system';
    const attempt = await this.dataSource.transaction(async (manager) => {
      const { state, attempt, containerId } = await this.moves.lock(manager, kind, moveId);
      if (state === 'scheduled') {
        const message = moveErrorMessage(`Cancelled by ${username}`);
        await this.moves.failScheduled(manager, kind, { id: moveId, message, username });
      } else if (state === 'started') {
        await this.moves.requestCancellation(manager, kind, { id: moveId, username });
      } else throw new ConflictError(`The move can no longer be cancelled: it is ${state}`);
      await this.audit.record(manager, actor, {
        action: 'storage_move_cancelled',
        ...(await this.auditedContainer(manager, { kind, containerId })),
        details: { move_id: moveId, state },
      });
      return attempt;
    });
    // One that waits for its next attempt ends now.
    void this.jobs.enqueueAll(QUEUES.storageMoves, [moveJob({ kind, id: moveId, attempt })]);
  }

  private async insert(
    manager: EntityManager,
    { kind, containerId, destination: wanted }: MoveRequest,
    actor: AuditActor,
  ): Promise<number> {
    const { storage: source, readOnly } = await this.moves.lockContainer(
      manager,
      kind,
      containerId,
    );
    const { destination, problems } = chooseDestination(this.storages, source, wanted);
    if (readOnly) problems[kind] = ['is read-only'];
    if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
    const move = { containerId, source, destination, createdById: actor.viewer?.id };
    const moveId = await this.addMove(manager, kind, move);
    await this.audit.record(manager, actor, {
      action: 'storage_move_scheduled',
      ...(await this.auditedContainer(manager, { kind, containerId })),
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

  /**
   * Returns the container as the audit log names it, with the entity whose log lists its moves: its
   * own, a snippet's project's, a personal snippet's author's.
   */
  private async auditedContainer(
    manager: EntityManager,
    { kind, containerId: id }: { kind: MoveKind; containerId: number },
  ): Promise<Pick<AuditEntry, 'targetType' | 'targetId' | 'entity'>> {
    if (kind === 'project') return { targetType: 'Project', targetId: id };
    if (kind === 'group') return { targetType: 'Group', targetId: id };
    const snippet = await this.moves.findSnippetOwner(manager, id);
    return { targetType: 'Snippet', targetId: id, ...(snippet && { entity: trailOf(snippet) }) };
  }
}

/** Schedules the move for a change of a project's `repository_storage`. */
@Injectable()
export class ProjectRepositoryMover extends RepositoryMover {
  constructor(private readonly moves: StorageMovesService) {
    super();
  }

  /** Throws as StorageMovesService.schedule does. */
  async schedule(projectId: number, destination: string, actor: AuditActor): Promise<void> {
    await this.moves.schedule({ kind: 'project', containerId: projectId, destination }, actor);
  }
}

const NOT_LISTED = 'is not included in the list';
const BLANK = "can't be blank";

/** The destination of a move, empty if there is none, and the problems of the request. */
interface DestinationChoice {
  destination: string;
  problems: ValidationMessages;
}

/**
 * Returns the requested destination, or one drawn by weight when there is no request. A draw never
 * gives the source: a move to where it is would leave the container on a storage that is being
 * drained.
 */
export function chooseDestination(
  storages: StorageRegistry,
  source: string,
  requested: string | null | undefined,
): DestinationChoice {
  const problems: ValidationMessages = {};
  if (!storages.has(source)) problems['source_storage_name'] = [NOT_LISTED];
  const destination = requested ?? storages.pick([source]);
  if (destination === null) return refusal(problems, [BLANK]);
  if (destination.trim() === '') return refusal(problems, [BLANK, NOT_LISTED]);
  if (!storages.has(destination)) return refusal(problems, [NOT_LISTED]);
  return { destination, problems };
}

function refusal(problems: ValidationMessages, messages: string[]): DestinationChoice {
  return { destination: '', problems: { ...problems, destination_storage_name: messages } };
}
