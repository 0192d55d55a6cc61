import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Sql } from '../core/sql/sql.service.js';

/** Longer than any attempt takes: then the worker that has it is gone. */
const LEASE_SECONDS = 300;
const BATCH = 10;
const MAX_ERROR_LENGTH = 500;

/**
 * The database rounds to milliseconds and our clock cuts them off: a mail that was written just now
 * may seem to be of the next one.
 */
const CLAIM_SQL = `
  UPDATE outgoing_mails SET attempts = attempts + 1,
    not_before = $1::timestamptz + ${LEASE_SECONDS} * interval '1 second'
  WHERE id IN (
    SELECT id FROM outgoing_mails WHERE state = 'queued' AND not_before <= $1::timestamptz + interval '1 millisecond'
    ORDER BY not_before, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
  RETURNING id, recipient, kind, sealed_content AS "sealedContent", attempts,
    created_at AS "createdAt"`;

/** Only by the worker that still has it: a later claim has counted on. */
const MINE = `WHERE id = $1 AND attempts = $2 AND state = 'queued'`;

const SENT_SQL = `
  UPDATE outgoing_mails
  SET state = 'sent', sealed_content = NULL, last_error = NULL, sent_at = $3 ${MINE}`;
const RETRY_SQL = `UPDATE outgoing_mails SET not_before = $3, last_error = $4 ${MINE}`;
const FAILED_SQL = `UPDATE outgoing_mails SET state = 'failed', last_error = $3 ${MINE}`;

const PURGE_SQL = `
  DELETE FROM outgoing_mails WHERE state <> 'queued' AND created_at < $1::timestamptz`;

/** A mail that this worker is to send. */
export interface ClaimedMail {
  id: number;
  recipient: string;
  kind: string;
  sealedContent: string;
  /** With this one. */
  attempts: number;
  createdAt: Date;
}

/** Who sends which mail, in the database: workers share the mails and none is lost with one. */
@Injectable()
export class MailClaims {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Some mails that are due, for this worker alone until the lease ends. */
  claim(): Promise<ClaimedMail[]> {
    return this.sql.rows<ClaimedMail>(CLAIM_SQL, [this.clock.now()]);
  }

  /** The mail is with the server; its content is forgotten. */
  async sent({ id, attempts }: ClaimedMail): Promise<void> {
    await this.sql.rows(SENT_SQL, [id, attempts, this.clock.now()]);
  }

  /** To be tried again after as many seconds. */
  async retry({ id, attempts }: ClaimedMail, seconds: number, error: string): Promise<void> {
    const notBefore = new Date(this.clock.now().getTime() + seconds * 1_000);
    await this.sql.rows(RETRY_SQL, [id, attempts, notBefore, error.slice(0, MAX_ERROR_LENGTH)]);
  }

  /** Not to be tried again. */
  async failed({ id, attempts }: ClaimedMail, error: string): Promise<void> {
    await this.sql.rows(FAILED_SQL, [id, attempts, error.slice(0, MAX_ERROR_LENGTH)]);
  }

  /** Deletes what is sent, or has failed, and is older than as many days. */
  async purge(days: number): Promise<void> {
    await this.sql.rows(PURGE_SQL, [new Date(this.clock.now().getTime() - days * 86_400_000)]);
  }
}
