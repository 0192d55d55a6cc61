import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { Event } from '../../core/activity/event.entity.js';
import { isBusy, withLockRetry } from '../../core/sql/lock-retry.js';
import { Sql } from '../../core/sql/sql.service.js';

/** Months after the current one that get a partition. */
const MONTHS_AHEAD = 3;

/**
 * First days of months without a partition: the coming ones, and those whose events are in the
 * default partition because no worker ran when they began.
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

/** Events of one statement, so that none of them locks for long. */
export const DELETION_BATCH = 10_000;

/** Starts after the id $3, so that a statement does not scan what earlier ones deleted. */
const deletionSql = (table: string) => `
  DELETE FROM ${table} WHERE created_at >= $1 AND created_at < $2 AND id = ANY(ARRAY(
    SELECT id FROM ${table} WHERE created_at >= $1 AND created_at < $2 AND id > $3
    ORDER BY id LIMIT ${DELETION_BATCH} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

const DELETE_SQL = deletionSql('events');
const DELETE_FROM_DEFAULT_SQL = deletionSql('events_default');

const COUNT_SQL = 'SELECT count(*)::int AS count FROM events WHERE created_at < $1';

/** A range of events to delete: created in [`from`, `before`), and with an id after `afterId`. */
interface DeletionRange {
  from: Date | '-infinity';
  before: Date;
  afterId: number;
}

/** Owns every statement about the monthly partitions of events and the deletion of old events. */
@Injectable()
export class EventRetentionRepository extends Repository<Event> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Event, dataSource.manager);
  }

  /** Returns the first days of months that have events, or soon will, and no partition. */
  async missingMonths({ oldest, now }: { oldest: Date; now: Date }): Promise<string[]> {
    const rows = await this.queries.rows<{ month: string }>(MISSING_SQL, [oldest, now]);
    return rows.map(({ month }) => month);
  }

  /**
   * Creates the partition of a month in a transaction of its own, unless it exists, and moves
   * events of the default partition into it. Throws when the default partition stays busy.
   */
  async ensurePartition(month: string): Promise<void> {
    await withLockRetry(this.queries, (rows) => rows(ENSURE_SQL, [month]));
  }

  /** Returns the names of partitions that only have events before `before`, oldest first. */
  async partitionsBefore(before: Date): Promise<string[]> {
    const rows = await this.queries.rows<{ name: string }>(OLD_SQL, [before]);
    return rows.map(({ name }) => name);
  }

  /** Drops a partition with its events; returns false when the table of events stays busy. */
  async dropPartition(name: string): Promise<boolean> {
    try {
      await withLockRetry(this.queries, (rows) => rows(`DROP TABLE IF EXISTS "${name}"`));
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** Deletes up to DELETION_BATCH events and returns their ids. */
  deleteBatch(range: DeletionRange): Promise<{ id: number }[]> {
    return this.deleteSome(DELETE_SQL, range);
  }

  /** The same in the default partition: events of months without a partition. */
  deleteBatchOfDefault(range: DeletionRange): Promise<{ id: number }[]> {
    return this.deleteSome(DELETE_FROM_DEFAULT_SQL, range);
  }

  private deleteSome(
    text: string,
    { from, before, afterId }: DeletionRange,
  ): Promise<{ id: number }[]> {
    return this.queries.rows<{ id: number }>(text, [from, before, afterId]);
  }

  /** Counts the events before a time. */
  async countBefore(before: Date): Promise<number> {
    const counted = await this.queries.row<{ count: number }>(COUNT_SQL, [before]);
    return counted?.count ?? 0;
  }
}
