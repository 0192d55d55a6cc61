import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { Clock } from '../clock.js';
import { leaseValues, type Lease } from '../durable-work/sql/work-statements.js';
import { NotFoundError } from '../errors.js';
import type { Page } from '../pagination/page.js';
import type { Paging } from '../pagination/paging.decorator.js';
import { Sql } from '../sql/sql.service.js';
import { oneLine } from './mail.js';
import { OutgoingMail } from './outgoing-mail.entity.js';
import {
  ADDRESS_REFUSED_SQL,
  COUNTS_SQL,
  DAYS_SQL,
  FAIL_SQL,
  FAILED_KINDS_SQL,
  FAILED_MAILS,
  INSERT_SQL,
  LEASE_SQL,
  PURGE_ADDRESSES_SQL,
  PURGE_MAILS_SQL,
  RELEASE_SQL,
  RETRY_ALL_SQL,
  RETRY_SQL,
  SENT_SQL,
  SERVER_DOWN_SQL,
  WITHHOLD_SQL,
} from './sql/outgoing-mails.js';

const MAX_ERROR_LENGTH = 500;
/** Emails fail after waiting this long for a server that is down. */
const MAX_SERVER_DOWN_DAYS = 3;

/** An email that this worker is to send. */
export type LeasedMail = Pick<
  OutgoingMail,
  | 'id'
  | 'recipient'
  | 'kind'
  | 'notificationId'
  | 'userId'
  | 'reason'
  | 'encryptedContent'
  | 'attempts'
  | 'createdAt'
> &
  Lease;

/** An email and the address that it was sent to. */
export interface SentMail {
  mail: LeasedMail;
  recipient: string;
}

/** An email that is not retried automatically; never its content. */
export type FailedMail = Pick<
  OutgoingMail,
  'id' | 'recipient' | 'kind' | 'attempts' | 'lastError' | 'createdAt'
>;

/** Failed emails of a kind, and to addresses that contain a text; null for all. */
export interface FailedMailFilter {
  kind: string | null;
  search: string | null;
}

/** Email outcomes of a day (UTC). */
export interface MailDayCounts {
  /** `2026-03-01` */
  day: string;
  sent: number;
  failed: number;
  withheld: number;
}

/** Emails by state, and the outcomes of all emails so far. */
export interface MailCounts {
  queued: number;
  /** Queued emails with a failed attempt. */
  retrying: number;
  failed: number;
  /** null when none is queued. */
  oldestWaitingSeconds: number | null;
  totals: { sent: number; failed: number; withheld: number; retried: number };
}

interface CountsRow extends Omit<MailCounts, 'oldestWaitingSeconds'> {
  oldest: number | null;
}

/** Owns every statement about outgoing emails, their daily counts and addresses that fail. */
@Injectable()
export class OutgoingMailsRepository extends Repository<OutgoingMail> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly clock: Clock,
  ) {
    super(OutgoingMail, dataSource.manager);
  }

  /** Queues emails in the order given. */
  async enqueue(
    manager: EntityManager,
    mails: readonly Pick<LeasedMail, 'recipient' | 'kind' | 'encryptedContent'>[],
  ): Promise<void> {
    await manager.query(INSERT_SQL, [
      mails.map(({ recipient }) => recipient),
      mails.map(({ kind }) => kind),
      mails.map(({ encryptedContent }) => encryptedContent),
    ]);
  }

  /**
   * Leases due emails to this worker until the lease ends: up to `limit` of those with a content
   * and as many about notifications.
   */
  async lease(limit: number): Promise<LeasedMail[]> {
    const mails = await this.queries.rows<LeasedMail>(LEASE_SQL, [this.clock.now(), limit]);
    return mails.sort(
      (one, other) =>
        Number(one.notificationId !== null) - Number(other.notificationId !== null) ||
        one.id - other.id,
    );
  }

  /** Returns emails that were not tried to the queue; they are due. */
  async release(mails: readonly LeasedMail[]): Promise<void> {
    if (mails.length === 0) return;
    await this.queries.rows(RELEASE_SQL, [...leaseValues(mails), this.clock.now()]);
  }

  /** Marks emails as sent and deletes their contents. */
  async markSent(mails: readonly SentMail[]): Promise<void> {
    const leases = leaseValues(mails.map(({ mail }) => mail));
    const recipients = mails.map(({ recipient }) => recipient);
    await this.queries.rows(SENT_SQL, [...leases, recipients, this.clock.now()]);
  }

  /** Ends emails whose recipients can no longer see what they are about. */
  async withhold(mails: readonly LeasedMail[]): Promise<void> {
    if (mails.length > 0) await this.queries.rows(WITHHOLD_SQL, leaseValues(mails));
  }

  /** Schedules the next attempt. */
  async retryLater(mail: LeasedMail, seconds: number, error: string): Promise<void> {
    await this.queries.rows(RETRY_SQL, [...leaseValues([mail]), this.in(seconds), cut(error)]);
  }

  /** As `retryLater`, without counting an attempt; fails the email after days of that. */
  async retryWhenServerIsUp(mail: LeasedMail, seconds: number, error: string): Promise<void> {
    const oldest = this.in(-MAX_SERVER_DOWN_DAYS * 86_400);
    const values = [...leaseValues([mail]), this.in(seconds), cut(error), oldest];
    await this.queries.rows(SERVER_DOWN_SQL, values);
  }

  /** Ends an email that is not retried. */
  async fail(mail: LeasedMail, error: string): Promise<void> {
    await this.queries.rows(FAIL_SQL, [...leaseValues([mail]), this.clock.now(), cut(error)]);
  }

  /** Counts a rejection of the address by the server. */
  async countRefusal(address: string, isPermanent: boolean): Promise<void> {
    const counts = isPermanent ? [1, 0] : [0, 1];
    await this.queries.rows(ADDRESS_REFUSED_SQL, [address, ...counts, this.clock.now()]);
  }

  /**
   * Deletes up to PURGE_BATCH emails from before a time that are not queued; returns their number.
   */
  async purge(before: Date): Promise<number> {
    const purged = await this.queries.row<{ count: number }>(PURGE_MAILS_SQL, [before]);
    return purged?.count ?? 0;
  }

  /** Deletes failures of former days. */
  async purgeRefusals(): Promise<void> {
    await this.queries.rows(PURGE_ADDRESSES_SQL, [this.clock.now()]);
  }

  /** Returns one page of failed emails, newest first. */
  listFailed({ kind, search }: FailedMailFilter, paging: Paging): Promise<Page<FailedMail>> {
    const query = {
      select: `m.id, m.recipient, m.kind, m.attempts, m.last_error AS "lastError",
        m.created_at AS "createdAt"`,
      from: 'outgoing_mails m',
      where: FAILED_MAILS,
      orderBy: 'm.id DESC',
      values: [kind, search],
    };
    return this.queries.page<FailedMail>(query, paging);
  }

  /** Returns the kinds of failed emails. */
  async failedKinds(): Promise<string[]> {
    const rows = await this.queries.rows<{ kind: string }>(FAILED_KINDS_SQL);
    return rows.map(({ kind }) => kind);
  }

  /** Locks an email until the transaction ends; throws NotFoundError. */
  async lock(manager: EntityManager, id: number): Promise<OutgoingMail> {
    const lock = { mode: 'pessimistic_write' } as const;
    const mail = await manager.findOne(OutgoingMail, { where: { id }, lock });
    if (mail === null) throw new NotFoundError('Mail');
    return mail;
  }

  /** Queues an email as if it were new. */
  async requeue(manager: EntityManager, id: number): Promise<void> {
    const now = this.clock.now();
    const again = { state: 'queued', attempts: 0, notBefore: now, queuedAt: now } as const;
    await manager.update(OutgoingMail, { id }, again);
  }

  /** Queues failed emails as if they were new; returns their number. */
  async requeueFailed(manager: EntityManager, { kind, search }: FailedMailFilter): Promise<number> {
    const values = [kind, search, this.clock.now()];
    const [row] = await manager.query<{ count: number }[]>(RETRY_ALL_SQL, values);
    return row?.count ?? 0;
  }

  /** Counts emails by state and outcome. */
  async countByState(): Promise<MailCounts> {
    const row = await this.queries.row<CountsRow>(COUNTS_SQL, [this.clock.now()]);
    if (row === null) throw new Error('no mails could be counted');
    const { oldest, ...counts } = row;
    return { ...counts, oldestWaitingSeconds: oldest === null ? null : Math.max(0, oldest) };
  }

  /** Counts outcomes of the last `days` days until today, oldest first. */
  countByDay(days: number): Promise<MailDayCounts[]> {
    return this.queries.rows<MailDayCounts>(DAYS_SQL, [this.clock.now(), days]);
  }

  private in(seconds: number): Date {
    return new Date(this.clock.now().getTime() + seconds * 1_000);
  }
}

function cut(error: string): string {
  return oneLine(error).slice(0, MAX_ERROR_LENGTH);
}
