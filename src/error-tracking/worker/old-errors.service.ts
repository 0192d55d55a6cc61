import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import type { IsStopping } from '../../core/queue/rounds.js';
import { Sql } from '../../core/sql/sql.service.js';
import { utcDay } from '../ingest/utc-day.js';

const DAY_MS = 86_400_000;

/** Days for which hours of errors, counters of outcomes, and errors that are not seen are kept. */
const TREND_DAYS = 90;
const OUTCOME_DAYS = 400;
const UNSEEN_DAYS = 365;

/** Rows of one statement, so that none of them locks for long. */
const CHUNK = 1_000;

/** An error brings its tags, people and events along. */
const ERRORS_CHUNK = 50;

/** The next errors after $1, as far as the id of the last of them. */
const ERRORS_SQL = `
  SELECT max(id) AS last FROM
    (SELECT id FROM errors WHERE id > $1 ORDER BY id LIMIT ${CHUNK}) chunk`;

const TRENDS_SQL = `
  DELETE FROM error_trends WHERE error_id > $1 AND error_id <= $2 AND hour < $3 RETURNING 1`;

const OUTCOMES_SQL = `
  DELETE FROM error_outcomes WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM error_outcomes WHERE day < $1 LIMIT ${CHUNK}))
  RETURNING 1`;

/** Whatever happens to one of them right now is seen again: it is left to the next day. */
const UNSEEN_SQL = `
  DELETE FROM errors WHERE id = ANY(ARRAY(
    SELECT id FROM errors WHERE last_seen_at < $1 AND issue_id IS NULL
    LIMIT ${ERRORS_CHUNK} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** How many rows a round deleted. */
export interface RemovedRows {
  trends: number;
  outcomes: number;
  errors: number;
}

/** Removes what is too old of counters, and errors that nobody has seen or written about for a year. */
@Injectable()
export class OldErrors {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Reads whole tables: once a day is enough. Several workers may do so at once. */
  async run(isStopping: IsStopping): Promise<RemovedRows> {
    const now = this.clock.now();
    return {
      trends: await this.removeTrends(isStopping),
      outcomes: await this.removeAll([OUTCOMES_SQL, utcDay(now, -OUTCOME_DAYS)], isStopping),
      errors: await this.removeAll([UNSEEN_SQL, this.before(UNSEEN_DAYS)], isStopping),
    };
  }

  private async removeTrends(isStopping: IsStopping): Promise<number> {
    const before = this.before(TREND_DAYS);
    let [count, from] = [0, 0];
    for (;;) {
      const chunk = await this.sql.row<{ last: number | null }>(ERRORS_SQL, [from]);
      const last = chunk?.last ?? null;
      if (last === null || isStopping()) return count;
      count += (await this.sql.rows(TRENDS_SQL, [from, last, before])).length;
      from = last;
    }
  }

  private async removeAll(
    [text, before]: [string, Date | string],
    isStopping: IsStopping,
  ): Promise<number> {
    let count = 0;
    for (;;) {
      const { length } = isStopping() ? [] : await this.sql.rows(text, [before]);
      if (length === 0) return count;
      count += length;
    }
  }

  private before(days: number): Date {
    return new Date(this.clock.now().getTime() - days * DAY_MS);
  }
}
