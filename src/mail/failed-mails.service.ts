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

/** Failed mails of a kind, and to addresses with a text in them; null = all. */
export interface FailedMailFilter {
  kind: string | null;
  search: string | null;
}

/** Values: kind, part of the address. */
const MATCHING = `m.state = 'failed' AND ($1::text IS NULL OR m.kind = $1)
  AND ($2::text IS NULL OR position(lower($2) IN lower(m.recipient)) > 0)`;

const KINDS_SQL = `
  SELECT kind FROM outgoing_mails WHERE state = 'failed' GROUP BY kind ORDER BY kind`;

/** As if they were new. Values as above, and now. */
const RETRY_ALL_SQL = `
  WITH retried AS (
    UPDATE outgoing_mails m SET state = 'queued', attempts = 0, not_before = $3, queued_at = $3
    WHERE ${MATCHING} RETURNING 1)
  SELECT count(*)::int AS count FROM retried`;

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
  list({ kind, search }: FailedMailFilter, paging: Paging): Promise<Page<FailedMail>> {
    const query = {
      select: `m.id, m.recipient, m.kind, m.attempts, m.last_error AS "lastError",
        m.created_at AS "createdAt"`,
      from: 'outgoing_mails m',
      where: MATCHING,
      orderBy: 'm.id DESC',
      values: [kind, search],
    };
    return this.sql.page<FailedMail>(query, paging);
  }

  /** What failed mails are about, each kind once. */
  async kinds(): Promise<string[]> {
    const rows = await this.sql.rows<{ kind: string }>(KINDS_SQL);
    return rows.map(({ kind }) => kind);
  }

  /** Queues the mail again, as if it were new. Throws 404, and 409 for one that has not failed. */
  async retry(id: number, actor: AuditActor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const lock = { mode: 'pessimistic_write' } as const;
      const mail = await tx.findOne(OutgoingMail, { where: { id }, lock });
      if (mail === null) throw new NotFoundError('Mail');
      if (mail.state !== 'failed') throw new ConflictError('Only a failed mail can be sent again');
      const now = this.clock.now();
      const again = { state: 'queued', attempts: 0, notBefore: now, queuedAt: now } as const;
      await tx.update(OutgoingMail, { id }, again);
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

  /** Queues all that match again; how many there were. */
  async retryAll({ kind, search }: FailedMailFilter, actor: AuditActor): Promise<number> {
    const count = await this.dataSource.transaction(async (tx) => {
      const values = [kind, search, this.clock.now()];
      const [row] = await tx.query<{ count: number }[]>(RETRY_ALL_SQL, values);
      const retried = row?.count ?? 0;
      if (retried === 0) return 0;
      await this.audit.record(tx, actor, {
        action: 'mails_retried',
        targetType: 'Mail',
        targetId: null,
        targetName: 'Failed mails',
        details: { kind, search, count: retried },
      });
      return retried;
    });
    this.outbox.wake();
    return count;
  }
}
