import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { Project } from './project.entity.js';

/** Archives projects: read-only for everyone, still readable and movable (API doc, projects). */
@Injectable()
export class ProjectArchivingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /** Sets or clears the mark; setting it again changes nothing. */
  async setArchived(id: number, archived: boolean, actor: AuditActor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const changed = await tx.update(
        Project,
        { id, archived: !archived },
        { archived, updatedAt: () => 'now()' },
      );
      if (changed.affected === 0) return;
      const action = archived ? 'project_archived' : 'project_unarchived';
      const details = { archived: { from: !archived, to: archived } };
      await this.audit.record(tx, actor, { action, targetType: 'Project', targetId: id, details });
    });
  }
}
