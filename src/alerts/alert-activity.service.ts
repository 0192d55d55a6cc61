import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { ALERT_SEVERITIES, severityOf, type AlertSeverity } from './alert-values.js';
import type { ListAlertsDto } from './alert.dto.js';
import { AlertsRepository } from './alerts.repository.js';
import type { CountedPeriod } from './sql/alert-counts.js';

/** Number of alerts per severity that started within one hour or one day (UTC). */
export interface AlertActivityPeriod {
  start: Date;
  counts: Record<AlertSeverity, number>;
}

const LENGTHS = { hour: 3_600_000, day: 86_400_000 } as const;
type Unit = keyof typeof LENGTHS;

const MAX_PERIODS: Record<Unit, number> = { hour: 168, day: 92 };

/** Alerts over time, by when their problems began. */
@Injectable()
export class AlertActivity {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts the filtered alerts of the last hours or days, the current one included, oldest first
   * and without gaps; a week of hours or three months of days at most.
   */
  async periods(
    projectId: number,
    filters: ListAlertsDto,
    { unit, wanted }: { unit: Unit; wanted: number },
  ): Promise<AlertActivityPeriod[]> {
    const length = LENGTHS[unit];
    const number = Math.min(Math.max(1, wanted), MAX_PERIODS[unit]);
    const end = (Math.floor(this.clock.now().getTime() / length) + 1) * length;
    const starts = Array.from({ length: number }, (_, at) => end - (number - at) * length);
    const rows = await this.alerts.countPerPeriod(projectId, filters, {
      unit,
      from: new Date(end - number * length),
      to: new Date(end),
    });
    return starts.map((start) => periodOf(start, rows));
  }
}

function periodOf(start: number, rows: readonly CountedPeriod[]): AlertActivityPeriod {
  const counts = Object.fromEntries(ALERT_SEVERITIES.map((name) => [name, 0])) as Record<
    AlertSeverity,
    number
  >;
  for (const row of rows) {
    if (row.start.getTime() === start) counts[severityOf(row.severity)] += row.count;
  }
  return { start: new Date(start), counts };
}
