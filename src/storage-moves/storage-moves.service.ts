import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuthContext } from '../core/access/auth-context.js';
import { AuditLog, type AuditActor, type AuditEntry } from '../core/audit/audit.service.js';
import { ConflictError, ValidationFailedError } from '../core/errors.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { RepositoryMover } from '../workspace/projects/project-storage-choice.service.js';
import { trailOf } from '../workspace/snippets/snippet-access.js';
import { chooseDestination } from './destination-choice.js';
import { moveErrorMessage } from './engine/move-error.js';
import type { MoveKind } from './move-kinds.js';
import { MoveQueue } from './move-queue.service.js';
import { StorageMovesRepository, type NewMove } from './storage-moves.repository.js';

export interface MoveRequest {
  kind: MoveKind;
  containerId: number;
  /** undefined or null = drawn by weight. */
  destination?: string | null;
}

const UNIQUE_VIOLATION = '23505';

/** Schedules, retries and cancels moves of single containers, for the API, the pages and the CLI. */
@Injectable()
export class StorageMovesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly moves: StorageMovesRepository,
    private readonly storages: StorageRegistry,
    private readonly audit: AuditLog,
    private readonly queue: MoveQueue,
  ) {}

  /**
   * Schedules a move and returns its ID. In one transaction the container becomes read-only and the
   * row appears (API doc, "Repository being moved"). Throws NotFoundError, and
   * ValidationFailedError with the messages of all checks: storages that are not configured, a
   * container that is read-only already.
   */
  async schedule(request: MoveRequest, actor: AuditActor): Promise<number> {
    const id = await this.dataSource.transaction((manager) => this.insert(manager, request, actor));
    this.queue.enqueue({ kind: request.kind, id, attempt: 0 });
    return id;
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
    this.queue.enqueue({ kind, id: moveId, attempt });
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
