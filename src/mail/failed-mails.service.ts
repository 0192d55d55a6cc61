import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { ConflictError, NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Sql } from '../core/sql/sql.service.js';
import { MailOutbox } from './mail-outbox.service.js';
import { OutgoingMail } from './outgoing-mail.entity.js';

/** A mail that will not be tried again by itself; never its content. */
export interface FailedMail {
  id: number;
  recipient: string;
  kind: string;
  attempts: number;
  lastError: string | null;
  createdAt: Date;
}

/** Lets administrators see which mails were not sent, and try them again. */
@Injectable()
export class FailedMails {
  constructor(
    private readonly sql: Sql,
    private readonly dataSource: DataSource,
    private readonly outbox: MailOutbox,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** The newest first. */
  list(paging: Paging): Promise<Page<FailedMail>> {
    const query = {
      select: `m.id, m.recipient, m.kind, m.attempts, m.last_error AS "lastError",
        m.created_at AS "createdAt"`,
      from: 'outgoing_mails m',
      where: `m.state = 'failed'`,
      orderBy: 'm.id DESC',
      values: [],
    };
    return this.sql.page<FailedMail>(query, paging);
  }

  /** Queues the mail again, as if it were new. Throws 404, and 409 for one that has not failed. */
  async retry(id: number, actor: AuditActor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const mail = await tx.findOne(OutgoingMail, { where: { id }, lock });
      if (mail === null) throw new NotFoundError('Mail');
      if (mail.state !== 'failed') throw new ConflictError('Only a failed mail can be sent again');
      const notBefore = this.clock.now();
      await tx.update(OutgoingMail, { id }, { state: 'queued', attempts: 0, notBefore });
      await this.audit.record(tx, actor, {
        action: 'mail_retried',
        targetType: 'Mail',
        targetId: id,
        targetName: mail.recipient,
        details: { kind: mail.kind, last_error: mail.lastError },
      });
    });
    this.outbox.wake();
  }
}
