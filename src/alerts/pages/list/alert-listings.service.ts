import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock.js';
import { mapPage, type Page } from '../../../core/pagination/page.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { filledIn } from '../../../core/ui/forms.js';
import { AlertsRepository, type ListedAlertRow } from '../../alerts.repository.js';
import type { ListAlertsDto } from '../../alert.dto.js';
import { eventTrend } from '../../event-trend.js';
import { AlertsPageDto, alertsQuery, LIST_ORDERS, type AlertsQuery } from './alert-filters.js';
import type { AlertListing, ShownAlert } from './alert-list.js';
import { ALERT_SEVERITIES, severityOf, type AlertSeverity } from '../../alert-values.js';
import type { AlertActivityPeriod } from './alert-overviews.js';
import type { CountedPeriod } from '../../sql/alert-counts.js';

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

/** Bars of the chart. */
const PERIODS = {
  day: { unit: 'hour', wanted: 24 },
  month: { unit: 'day', wanted: 30 },
} as const;

/** Reads what the list of alerts shows. */
@Injectable()
export class AlertListings {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly activity: AlertActivity,
    private readonly clock: Clock,
  ) {}

  /** Returns the alerts of the query. Throws 400 for a query that no form of the page makes. */
  async read(
    projectId: number,
    query: Record<string, unknown>,
    paging: Paging,
  ): Promise<AlertListing> {
    const wanted = alertsQuery(await parseInput(AlertsPageDto, filledIn(query)));
    const filters = filtersOf(wanted);
    const { group: by } = wanted;
    const [shown, counts, periods] = await Promise.all([
      by === ''
        ? this.alerts
            .list({ id: projectId }, filters, paging)
            .then((page) => ({ alerts: this.withTrends(page) }))
        : this.alerts.listGroups(projectId, { filters, by }, paging).then((groups) => ({ groups })),
      this.alerts.countByStatus(projectId, filters),
      this.activity.periods(projectId, filters, PERIODS[wanted.activity]),
    ]);
    return { shown, counts, periods, query: wanted, paging };
  }

  private withTrends(page: Page<ListedAlertRow>): Page<ShownAlert> {
    const now = this.clock.now();
    return mapPage(page, (alert) => ({ ...alert, trend: eventTrend(alert, now) }));
  }
}

function filtersOf(query: AlertsQuery): ListAlertsDto {
  const { status, search, severity, assignee, environment, title, silenced, sort } = query;
  const { order_by, sort: direction } = LIST_ORDERS[sort];
  return {
    status: status === 'all' ? null : [status],
    search,
    severity: severity === '' ? null : [severity],
    assignee_username: assignee,
    environment,
    title,
    silenced: silenced === '' ? null : silenced === 'true',
    order_by,
    sort: direction,
  };
}
