import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import { NamespacesRepository } from '../../identity/users/namespaces.repository.js';
import type { GroupRow } from './groups.repository.js';

/** Accepts the deletion of groups; the worker carries it out. */
@Injectable()
export class GroupDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly jobs: JobQueue,
    private readonly namespaces: NamespacesRepository,
  ) {}

  /**
   * Hides the group and all below it immediately. Throws 409 while a repository of any of them is
   * being moved.
   */
  async request(group: GroupRow, actor: AuditActor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await this.namespaces.lockTreeToReshape(tx);
      await this.namespaces.hideGroup(tx, group.id);
      await this.audit.record(tx, actor, {
        action: 'group_deletion_requested',
        targetType: 'Group',
        targetId: group.id,
        details: { path: group.fullPath },
      });
    });
    this.jobs.enqueue(QUEUES.deletions, { kind: 'group', id: group.id });
  }
}
