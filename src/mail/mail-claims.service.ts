import { Injectable } from '@nestjs/common';
import { Batches } from '../core/batches.js';
import { Clock } from '../core/clock.js';
import { Sql } from '../core/sql/sql.service.js';
import {
  CLAIM_SQL,
  FAILED_SQL,
  HAND_BACK_SQL,
  PURGE_ADDRESSES_SQL,
  PURGE_MAILS_SQL,
  RETRY_SQL,
  SENT_SQL,
  SERVER_AWAY_SQL,
  WITHHELD_SQL,
} from './mail-statements.js';
import { oneLine } from './mail-text.js';

const MAX_ERROR_LENGTH = 500;
/** So long a mail waits for a server that is away. */
const PATIENCE_DAYS = 3;
const DAY_MS = 86_400_000;

/** A mail that this worker is to send. */
export interface ClaimedMail {
  id: number;
  recipient: string;
  kind: string;
  noticeId: number | null;
  userId: number | null;
  reason: number | null;
  /** null for mails about notices. */
  sealedContent: string | null;
  /** With this one. */
  attempts: number;
  /** Until then it is this worker's; also tells this claim from others. */
  leaseEnd: Date;
  createdAt: Date;
}

/** Who sends which mail, in the database: workers share the mails and none is lost with one. */
@Injectable()
export class MailClaims {
  /** One statement at a time notes what was sent while the one before was under way. */
  private readonly notes = new Batches(
    (mails: { mail: ClaimedMail; recipient: string }[]) => this.noteSent(mails),
    { running: 1, size: 500 },
  );

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /**
   * Mails that are due, for this worker alone until the lease ends: up to `limit` of those with a
   * content and as many about notices.
   */
  async claim(limit: number): Promise<ClaimedMail[]> {
    const mails = await this.sql.rows<ClaimedMail>(CLAIM_SQL, [this.clock.now(), limit]);
    return mails.sort(
      (one, other) =>
        Number(one.noticeId !== null) - Number(other.noticeId !== null) || one.id - other.id,
    );
  }

  /** The mail is with the server; its content is forgotten. */
  sent(mail: ClaimedMail, recipient: string): Promise<void> {
    return this.notes.run({ mail, recipient });
  }

  /** Their readers may not see anymore what they are about. */
  async withheld(mails: readonly ClaimedMail[]): Promise<void> {
    if (mails.length > 0) await this.sql.rows(WITHHELD_SQL, claimsOf(mails));
  }

  /** They were not tried, and are due. */
  async handBack(mails: readonly ClaimedMail[]): Promise<void> {
    if (mails.length === 0) return;
    await this.sql.rows(HAND_BACK_SQL, [...claimsOf(mails), this.clock.now()]);
  }

  /** To be tried again after as many seconds. */
  async retry(mail: ClaimedMail, seconds: number, error: string): Promise<void> {
    await this.sql.rows(RETRY_SQL, [...claimsOf([mail]), this.in(seconds), cut(error)]);
  }

  /** As `retry`, but no attempt: the server is to blame. After days of that it has failed. */
  async serverAway(mail: ClaimedMail, seconds: number, error: string): Promise<void> {
    const oldest = this.in(-PATIENCE_DAYS * 86_400);
    const values = [...claimsOf([mail]), this.in(seconds), cut(error), oldest];
    await this.sql.rows(SERVER_AWAY_SQL, values);
  }

  /** Not to be tried again. */
  async failed(mail: ClaimedMail, error: string): Promise<void> {
    await this.sql.rows(FAILED_SQL, [...claimsOf([mail]), this.clock.now(), cut(error)]);
  }

  /** Deletes what does not wait and is older than as many days, and refusals of former days. */
  async purge(days: number): Promise<void> {
    const now = this.clock.now();
    await this.sql.rows(PURGE_MAILS_SQL, [new Date(now.getTime() - days * DAY_MS)]);
    await this.sql.rows(PURGE_ADDRESSES_SQL, [now]);
  }

  private async noteSent(mails: { mail: ClaimedMail; recipient: string }[]): Promise<void[]> {
    const claims = claimsOf(mails.map(({ mail }) => mail));
    const recipients = mails.map(({ recipient }) => recipient);
    await this.sql.rows(SENT_SQL, [...claims, recipients, this.clock.now()]);
    return mails.map(() => undefined);
  }

  private in(seconds: number): Date {
    return new Date(this.clock.now().getTime() + seconds * 1_000);
  }
}

function claimsOf(mails: readonly ClaimedMail[]): [number[], Date[]] {
  return [mails.map(({ id }) => id), mails.map(({ leaseEnd }) => leaseEnd)];
}

function cut(error: string): string {
  return oneLine(error).slice(0, MAX_ERROR_LENGTH);
}
