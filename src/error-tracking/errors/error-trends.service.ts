import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { ErrorStatisticsRepository, type DayOfError } from '../error-statistics.repository.js';

/** Events of an error by hour, the current one last. */
interface HoursOfError {
  firstHour: Date;
  hours: number[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Exact event counts of errors over time; intervals without events count as 0. */
@Injectable()
export class ErrorTrends {
  constructor(
    private readonly statistics: ErrorStatisticsRepository,
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
    const rows = await this.statistics.listDays(id, new Date(first * DAY_MS));
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
    const rows = await this.statistics.listHours(ids, first);
    for (const { errorId, hour, count } of rows) {
      const at = (hour.getTime() - first.getTime()) / HOUR_MS;
      const trend = trends.get(errorId);
      // The clock of this process can be behind that of the one that counted.
      if (trend !== undefined && at < hours) trend[at] = count;
    }
    return trends;
  }
}
