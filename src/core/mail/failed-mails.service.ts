import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog, type AuditActor } from '../audit/audit.service.js';
import { JobQueue } from '../durable-work/job-queue.service.js';
import { QUEUES } from '../durable-work/queues.js';
import { ConflictError } from '../errors.js';
import { OutgoingMailsRepository, type FailedMailFilter } from './outgoing-mails.repository.js';

/** Retries failed emails for administrators. */
@Injectable()
export class FailedMails {
  constructor(
    private readonly mails: OutgoingMailsRepository,
    private readonly dataSource: DataSource,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
  ) {}

  /** Queues a failed email again. Throws NotFoundError, or ConflictError if it has not failed. */
  async retry(id: number, actor: AuditActor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const mail = await this.mails.lock(tx, id);
      if (mail.state !== 'failed') throw new ConflictError('Only a failed mail can be sent again');
      await this.mails.requeue(tx, id);
      this.jobs.notifyAfterCommit(tx, QUEUES.mails);
      await this.audit.record(tx, actor, {
        action: 'mail_retried',
        targetType: 'Mail',
        targetId: id,
        targetName: mail.recipient,
        details: { kind: mail.kind, last_error: mail.lastError },
      });
    });
  }

  /** Queues all failed emails that match again; returns their number. */
  async retryAll({ kind, search }: FailedMailFilter, actor: AuditActor): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      const retried = await this.mails.requeueFailed(tx, { kind, search });
      if (retried === 0) return 0;
      this.jobs.notifyAfterCommit(tx, QUEUES.mails);
      await this.audit.record(tx, actor, {
        action: 'mails_retried',
        targetType: 'Mail',
        targetId: null,
        targetName: 'Failed mails',
        details: { kind, search, count: retried },
      });
      return retried;
    });
  }
}
