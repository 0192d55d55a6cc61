import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Sql } from '../../core/sql/sql.service.js';

/** How many events of an error came on one day (UTC), `YYYY-MM-DD`. */
export interface DayOfError {
  day: string;
  count: number;
}

/** Events of an error by hour, the current one last. */
export interface HoursOfError {
  firstHour: Date;
  hours: number[];
}

interface HourOfError {
  errorId: number;
  hour: Date;
  count: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const HOURLY_SQL = `
  SELECT t.error_id AS "errorId", t.hour, t.events_count AS count FROM error_trends t
  WHERE t.error_id = ANY($1::bigint[]) AND t.hour >= $2`;

const DAILY_SQL = `
  SELECT to_char(t.hour AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(t.events_count)::bigint AS count
  FROM error_trends t WHERE t.error_id = $1 AND t.hour >= $2 GROUP BY 1`;

/** How often errors were seen over time, exact; times without events count as 0. */
@Injectable()
export class ErrorTrends {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Events of each error in each of the last hours, the current one last. */
  hourly(ids: readonly number[], hours = 24): Promise<Map<number, number[]>> {
    return this.read(ids, { first: this.firstHour(hours), hours });
  }

  /** The same of one error, and when the first of the hours begins. */
  async lastHours(id: number, hours = 24): Promise<HoursOfError> {
    const first = this.firstHour(hours);
    const trends = await this.read([id], { first, hours });
    return { firstHour: first, hours: trends.get(id) ?? [] };
  }

  /** Events of an error on each of the last days (UTC), today last. */
  async daily(id: number, days: number): Promise<DayOfError[]> {
    const today = Math.floor(this.clock.now().getTime() / DAY_MS);
    const first = today - days + 1;
    const rows = await this.sql.rows<DayOfError>(DAILY_SQL, [id, new Date(first * DAY_MS)]);
    const counts = new Map(rows.map(({ day, count }) => [day, count]));
    return Array.from({ length: days }, (_, at) => {
      const day = new Date((first + at) * DAY_MS).toISOString().slice(0, 10);
      return { day, count: counts.get(day) ?? 0 };
    });
  }

  /** When the first of the last hours begins, of which the current one is the last. */
  firstHour(hours: number): Date {
    return new Date((Math.floor(this.clock.now().getTime() / HOUR_MS) - hours + 1) * HOUR_MS);
  }

  private async read(
    ids: readonly number[],
    { first, hours }: { first: Date; hours: number },
  ): Promise<Map<number, number[]>> {
    const trends = new Map(ids.map((id) => [id, new Array<number>(hours).fill(0)]));
    if (ids.length === 0) return trends;
    const rows = await this.sql.rows<HourOfError>(HOURLY_SQL, [ids, first]);
    for (const { errorId, hour, count } of rows) {
      const at = (hour.getTime() - first.getTime()) / HOUR_MS;
      const trend = trends.get(errorId);
      // The clock of this process may be behind that of the one that counted.
      if (trend !== undefined && at < hours) trend[at] = count;
    }
    return trends;
  }
}
