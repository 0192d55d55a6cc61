import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Sql } from '../../core/sql/sql.service.js';
import { EventAge } from './event-age.service.js';
import { isBusy, patiently } from '../../core/sql/lock-patience.js';

/** Months after the current one that have a partition already. */
const MONTHS_AHEAD = 3;

/**
 * First days of months without a partition: the coming ones, and those whose events wait in the
 * default partition because there was no worker when they began.
 */
const MISSING_SQL = `
  SELECT to_char(month, 'YYYY-MM-DD') AS month FROM (
    SELECT generate_series(date_trunc('month', $2::timestamptz AT TIME ZONE 'UTC'),
      date_trunc('month', $2::timestamptz AT TIME ZONE 'UTC') + interval '${MONTHS_AHEAD} months',
      interval '1 month') AS month
    UNION
    SELECT date_trunc('month', created_at AT TIME ZONE 'UTC') FROM events_default
    WHERE created_at >= $1 AND created_at < $2
  ) wanted
  WHERE NOT EXISTS (SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass
      AND c.relname = 'events_' || to_char(wanted.month, 'YYYYMM'))
  ORDER BY wanted.month`;

const ENSURE_SQL = 'SELECT ensure_events_partitions($1::date, $1::date)';

/** Partitions of whole months before $1, the oldest first. */
const OLD_SQL = `
  SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'events'::regclass AND c.relname ~ '^events_[0-9]{6}$'
    AND to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month'
      <= $1::timestamptz AT TIME ZONE 'UTC'
  ORDER BY c.relname`;

/** The partitions of the table of events: one a month, and one for what has no month. */
@Injectable()
export class EventPartitions {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly age: EventAge,
  ) {}

  /**
   * Makes the partitions that are missing, each in a transaction of its own, and answers their
   * months. Events that waited in the default partition move along. Several workers may do so at
   * once. Throws when the default partition stays busy.
   */
  async ensure(): Promise<string[]> {
    const values = [this.age.oldestKept(), this.clock.now()];
    const missing = await this.sql.rows<{ month: string }>(MISSING_SQL, values);
    for (const { month } of missing) {
      await patiently(this.sql, (rows) => rows(ENSURE_SQL, [month]));
    }
    return missing.map(({ month }) => month);
  }

  /** Names of those that hold nothing from `before` on. */
  async olderThan(before: Date): Promise<string[]> {
    const rows = await this.sql.rows<{ name: string }>(OLD_SQL, [before]);
    return rows.map(({ name }) => name);
  }

  /** With all events in it. Answers false when the table of events stays busy. */
  async drop(name: string): Promise<boolean> {
    try {
      await patiently(this.sql, (rows) => rows(`DROP TABLE IF EXISTS "${name}"`));
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }
}
