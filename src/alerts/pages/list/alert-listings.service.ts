import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock.js';
import { mapPage, type Page } from '../../../core/pagination/page.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { filledIn } from '../../../core/ui/forms.js';
import { AlertActivity } from '../../alert-activity.service.js';
import { AlertsRepository, type ListedAlertRow } from '../../alerts.repository.js';
import type { ListAlertsDto } from '../../alert.dto.js';
import { eventTrend } from '../../event-trend.js';
import { AlertsPageDto, alertsQuery, LIST_ORDERS, type AlertsQuery } from './alert-filters.js';
import type { AlertListing, ShownAlert } from './alert-list.js';

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
