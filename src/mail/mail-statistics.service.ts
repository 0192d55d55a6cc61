import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Sql } from '../core/sql/sql.service.js';

/** What became of mails on a day (UTC). */
export interface MailDayCounts {
  /** `2026-03-01` */
  day: string;
  sent: number;
  failed: number;
  withheld: number;
}

/** How it is with mails now, and what became of all since counting began. */
export interface MailCounts {
  queued: number;
  /** Of these, tried before. */
  retrying: number;
  failed: number;
  /** null when none waits. */
  oldestWaitingSeconds: number | null;
  totals: { sent: number; failed: number; withheld: number; retried: number };
}

const WAITING = [`notice_id IS NULL`, `notice_id IS NOT NULL`]
  .map(
    (which) => `SELECT attempts, last_error, queued_at FROM outgoing_mails
      WHERE state = 'queued' AND ${which}`,
  )
  .join(' UNION ALL ');

const COUNTS_SQL = `
  SELECT w.queued, w.retrying, extract(epoch FROM $1::timestamptz - w.oldest)::float8 AS oldest,
    (SELECT count(*)::int FROM outgoing_mails WHERE state = 'failed') AS failed, d.totals
  FROM (SELECT count(*)::int AS queued, count(*) FILTER (WHERE last_error IS NOT NULL)::int AS retrying,
      min(queued_at) AS oldest FROM (${WAITING}) m) w,
    (SELECT json_build_object('sent', coalesce(sum(sent), 0), 'failed', coalesce(sum(failed), 0),
      'withheld', coalesce(sum(withheld), 0), 'retried', coalesce(sum(retried), 0)) AS totals
      FROM mail_days) d`;

const DAYS_SQL = `
  SELECT to_char(g.day, 'YYYY-MM-DD') AS day, coalesce(sent, 0) AS sent,
    coalesce(failed, 0) AS failed, coalesce(withheld, 0) AS withheld
  FROM generate_series(($1::timestamptz AT TIME ZONE 'UTC')::date - ($2::int - 1),
    ($1::timestamptz AT TIME ZONE 'UTC')::date, interval '1 day') g (day)
  LEFT JOIN mail_days d ON d.day = g.day::date ORDER BY g.day`;

interface CountsRow extends Omit<MailCounts, 'oldestWaitingSeconds'> {
  oldest: number | null;
}

/** Counts mails for administrators and for whoever watches the installation. */
@Injectable()
export class MailStatistics {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  async counts(): Promise<MailCounts> {
    const row = await this.sql.row<CountsRow>(COUNTS_SQL, [this.clock.now()]);
    if (row === null) throw new Error('no mails could be counted');
    const { oldest, ...counts } = row;
    return { ...counts, oldestWaitingSeconds: oldest === null ? null : Math.max(0, oldest) };
  }

  /** As many days until today, the oldest first, those without mails too. */
  days(count: number): Promise<MailDayCounts[]> {
    return this.sql.rows<MailDayCounts>(DAYS_SQL, [this.clock.now(), count]);
  }
}
