import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { NotFoundError } from '../core/errors.js';
import type { MergeRequestRow } from './merge-request-row.js';
import { MergeRequest } from './merge-request.entity.js';

/** Deletes merge requests permanently; their branches are kept. */
@Injectable()
export class MergeRequestDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /** The caller has checked the right to it. Throws 404 when someone else was faster. */
  delete({ id, iid, projectId, title }: MergeRequestRow, actor: AuditActor): Promise<void> {
    return this.dataSource.transaction(async (tx) => {
      const { affected } = await tx.delete(MergeRequest, { id });
      if (affected === 0) throw new NotFoundError();
      await this.audit.record(tx, actor, {
        action: 'merge_request_deleted',
        targetType: 'MergeRequest',
        targetId: id,
        targetName: title,
        entity: { type: 'Project', id: projectId },
        details: { iid },
      });
    });
  }
}
