import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { ConflictError } from '../core/errors.js';
import { DeletionQueue } from '../groups/deletion-queue.service.js';
import { fullPathOf, type ProjectRow } from './project-row.js';

const ACTIVE = `state IN ('initial', 'scheduled', 'started', 'replicated')`;

/** Accepts the deletion of projects; the worker carries it out. */
@Injectable()
export class ProjectDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly queue: DeletionQueue,
  ) {}

  /** Hides the project at once. Throws 409 while its repositories or snippets are being moved. */
  async request(project: ProjectRow, actor: AuditActor): Promise<void> {
    const { id } = project;
    await this.dataSource.transaction(async (tx) => {
      // Marking locks the row that scheduling a move locks, so it is either seen below or refused.
      await tx.query(
        'UPDATE projects SET pending_delete = true, updated_at = now() WHERE id = $1',
        [id],
      );
      await assertNothingMoves(tx, id);
      await this.audit.record(tx, actor, {
        action: 'project_deletion_requested',
        targetType: 'Project',
        targetId: id,
        details: { path: fullPathOf(project) },
      });
    });
    this.queue.wake({ kind: 'project', id });
  }
}

async function assertNothingMoves(tx: EntityManager, projectId: number): Promise<void> {
  const rows: { project: boolean; snippets: boolean }[] = await tx.query(
    `SELECT EXISTS (SELECT 1 FROM project_repository_storage_moves
                    WHERE project_id = $1 AND ${ACTIVE}) AS project,
       EXISTS (SELECT 1 FROM snippet_repository_storage_moves JOIN snippets s ON s.id = snippet_id
               WHERE s.project_id = $1 AND ${ACTIVE}) AS snippets`,
    [projectId],
  );
  const [moving] = rows;
  if (!moving?.project && !moving?.snippets) return;
  const noun = moving.project ? 'project' : 'related snippet';
  throw new ConflictError(
    `Couldn't remove the project. A ${noun} repository storage move is in progress. Try again when it's complete.`,
  );
}
