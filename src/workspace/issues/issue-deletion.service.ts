import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { NotFoundError } from '../../core/errors.js';
import type { IssueRow } from './sql/issue-columns.js';
import { Issue } from './issue.entity.js';

/** Deletes issues permanently. */
@Injectable()
export class IssueDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  /** The caller has checked the right to it. Throws 404 when someone else was faster. */
  delete({ id, iid, projectId, title }: IssueRow, actor: AuditActor): Promise<void> {
    return this.dataSource.transaction(async (tx) => {
      const { affected } = await tx.delete(Issue, { id });
      if (affected === 0) throw new NotFoundError();
      await this.audit.record(tx, actor, {
        action: 'issue_deleted',
        targetType: 'Issue',
        targetId: id,
        targetName: title,
        entity: { type: 'Project', id: projectId },
        details: { iid },
      });
    });
  }
}
