import { Injectable } from '@nestjs/common';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { filledIn } from '../../../core/ui/form-input.decorator.js';
import { AlertActivity, type AlertActivityPeriod } from '../../alert-activity.service.js';
import { AlertsRepository } from '../../alerts.repository.js';
import type { ListAlertsDto } from '../../alert.dto.js';
import {
  type ActivitySpan,
  AlertsPageDto,
  alertsQuery,
  LIST_ORDERS,
  type AlertsQuery,
} from './alerts-query.js';
import type { AlertListing } from './alert-list.js';

const HOURS = 24;
const DAYS = 30;

/** Reads what the list of alerts shows. */
@Injectable()
export class AlertListings {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly activity: AlertActivity,
  ) {}

  /** Returns the alerts of the query. Throws 400 for a query that no form of the page makes. */
  async read(
    projectId: number,
    query: Record<string, unknown>,
    paging: Paging,
  ): Promise<AlertListing> {
    const wanted = alertsQuery(await parseInput(AlertsPageDto, filledIn(query)));
    const filters = filtersOf(wanted);
    const [alerts, counts] = await Promise.all([
      this.alerts.list({ id: projectId }, filters, paging),
      this.alerts.countByStatus(projectId, filters),
    ]);
    return { alerts, counts, query: wanted, paging };
  }

  /** Numbers for the chart. */
  periods(projectId: number, span: ActivitySpan): Promise<AlertActivityPeriod[]> {
    return span === 'day'
      ? this.activity.perHour(projectId, HOURS)
      : this.activity.perDay(projectId, DAYS);
  }
}

function filtersOf({ status, search, severity, assignee, sort }: AlertsQuery): ListAlertsDto {
  const { order_by, sort: direction } = LIST_ORDERS[sort];
  return {
    status: status === 'all' ? null : [status],
    search,
    severity: severity === '' ? null : [severity],
    assignee_username: assignee,
    order_by,
    sort: direction,
  };
}
