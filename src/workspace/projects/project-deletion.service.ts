import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import { ConflictError } from '../../core/errors.js';
import { ContainerDeletionsRepository } from './container-deletions.repository.js';
import { fullPathOf, type ProjectRow } from './projects.repository.js';

/** Accepts the deletion of projects; the worker carries it out. */
@Injectable()
export class ProjectDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly jobs: JobQueue,
    private readonly containers: ContainerDeletionsRepository,
  ) {}

  /**
   * Hides the project immediately. Throws 409 while its repositories or snippets are being moved.
   */
  async request(project: ProjectRow, actor: AuditActor): Promise<void> {
    const { id } = project;
    await this.dataSource.transaction(async (tx) => {
      // Marking locks the row that scheduling a move locks, so it is either seen below or refused.
      await this.containers.hideProject(tx, id);
      await this.assertNothingMoves(tx, id);
      await this.audit.record(tx, actor, {
        action: 'project_deletion_requested',
        targetType: 'Project',
        targetId: id,
        details: { path: fullPathOf(project) },
      });
    });
    this.jobs.enqueue(QUEUES.deletions, { kind: 'project', id });
  }

  private async assertNothingMoves(tx: EntityManager, projectId: number): Promise<void> {
    const { project, snippets } = await this.containers.findMoves(tx, projectId);
    if (!project && !snippets) return;
    const noun = project ? 'project' : 'related snippet';
    throw new ConflictError(
      `Couldn't remove the project. A ${noun} repository storage move is in progress. Try again when it's complete.`,
    );
  }
}
