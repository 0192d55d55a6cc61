import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { isBusy, patiently } from '../../core/sql/lock-patience.js';
import { Sql } from '../../core/sql/sql.service.js';

/** Days after the current one that have their partitions already. */
const DAYS_AHEAD = 3;

/** Tables that have a partition for each day, by the column that holds the day. */
const DAILY_TABLES = { error_events: 'expires_on', error_event_ids: 'day' } as const;
export type DailyTable = keyof typeof DAILY_TABLES;

/**
 * Days without a partition: the coming ones for each number of days for which somebody keeps
 * events, and those whose rows wait in a default partition, because a number is new or no worker
 * was there when they began.
 */
const MISSING_SQL = `
  WITH today AS (SELECT ($1::timestamptz AT TIME ZONE 'UTC')::date AS day),
    ahead AS (SELECT day + n AS day FROM today, generate_series(0, ${DAYS_AHEAD}) AS n)
  SELECT parent AS table, wanted.day FROM (
    SELECT 'error_event_ids' AS parent, day FROM ahead
    UNION SELECT 'error_events', day + days FROM ahead,
      (SELECT $2::int AS days
       UNION SELECT retention_days FROM error_tracking_settings WHERE retention_days IS NOT NULL) r
    UNION SELECT 'error_event_ids', day FROM error_event_ids_default
    UNION SELECT 'error_events', expires_on FROM error_events_default
  ) wanted
  WHERE NOT EXISTS (SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = parent::regclass
      AND c.relname = parent || '_' || to_char(wanted.day, 'YYYYMMDD'))
  ORDER BY parent, wanted.day`;

const ENSURE_SQL = 'SELECT ensure_error_partition($1, $2, $3::date)';

/** Days of a table before $2, the oldest first. */
const OLD_SQL = `
  SELECT day FROM (
    SELECT to_date(right(c.relname, 8), 'YYYYMMDD') AS day
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = $1::regclass AND c.relname ~ '_[0-9]{8}$') days
  WHERE day < $2::date ORDER BY day`;

/** A partition: a table and a day (UTC), `YYYY-MM-DD`. */
export interface DayOfTable {
  table: DailyTable;
  day: string;
}

/** The partitions of stored events and of ids of events: one a day, and one for what has no day. */
@Injectable()
export class ErrorPartitions {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
  ) {}

  /**
   * Makes the partitions that are missing, each in a transaction of its own, and answers them. Rows
   * that waited in a default partition move along. Several workers may do so at once. Throws when a
   * table stays busy.
   */
  async ensure(): Promise<DayOfTable[]> {
    const values = [this.clock.now(), this.settings.values.error_tracking_retention_days];
    const missing = await this.sql.rows<DayOfTable>(MISSING_SQL, values);
    for (const { table, day } of missing) {
      await patiently(this.sql, (rows) => rows(ENSURE_SQL, [table, DAILY_TABLES[table], day]));
    }
    return missing;
  }

  /** Days that have a partition and are before the given one. */
  async before(table: DailyTable, day: string): Promise<string[]> {
    const rows = await this.sql.rows<{ day: string }>(OLD_SQL, [table, day]);
    return rows.map((row) => row.day);
  }

  /** With all that is in it. Answers false when the table stays busy. */
  async drop({ table, day }: DayOfTable): Promise<boolean> {
    const name = `${table}_${day.replaceAll('-', '')}`;
    try {
      await patiently(this.sql, (rows) => rows(`DROP TABLE IF EXISTS "${name}"`));
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }
}
