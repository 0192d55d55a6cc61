import { Injectable } from '@nestjs/common';
import type { AuditActor } from '../core/audit/audit.service.js';
import { RepositoryMover } from '../projects/repository-mover.js';
import { MoveScheduler } from './move-scheduler.service.js';

/** Schedules the move that a change of a project's `repository_storage` asks for. */
@Injectable()
export class ProjectRepositoryMover extends RepositoryMover {
  constructor(private readonly scheduler: MoveScheduler) {
    super();
  }

  /** Throws as MoveScheduler.schedule does. */
  async schedule(projectId: number, destination: string, actor: AuditActor): Promise<void> {
    await this.scheduler.schedule({ kind: 'project', containerId: projectId, destination }, actor);
  }
}
