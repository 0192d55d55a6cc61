import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ALERT_STATUSES, statusOf, type AlertStatus } from '../alert-values.js';
import { addAlertFilters, addListFilters, alertOrder } from './alert-filters.js';
import { ALERT_COLUMNS, ALERT_JOINS, type AlertRow, type FoundAlert } from './alert-row.js';
import type { AlertFiltersDto, ListAlertsDto } from './dto/list-alerts.dto.js';

/** How many alerts there are in each state; `open` are triggered and acknowledged ones. */
export type AlertCounts = Record<AlertStatus | 'all' | 'open', number>;

const FIND_SQL = `
  SELECT ${ALERT_COLUMNS}, a.incident_markdown AS "incidentMarkdown", a.payload
  FROM alerts a ${ALERT_JOINS} WHERE a.project_id = $1 AND a.iid = $2`;

/** Reads the alerts of a project for who may read them, which the caller has decided. */
@Injectable()
export class AlertsFinder {
  constructor(private readonly sql: Sql) {}

  /** The latest first unless asked otherwise; without payloads. */
  list({ id }: { id: number }, filters: ListAlertsDto, paging: Paging): Promise<Page<AlertRow>> {
    const where = new Conditions();
    addAlertFilters(where, id, filters);
    addListFilters(where, filters);
    return this.sql.page<AlertRow>(
      {
        key: 'a.id',
        select: ALERT_COLUMNS,
        from: 'alerts a',
        joins: ALERT_JOINS,
        where: where.toString(),
        orderBy: alertOrder(filters),
        values: where.values,
      },
      paging,
    );
  }

  /** The alert with that number in the project; 404 when there is none. */
  async find(projectId: number, iid: number): Promise<FoundAlert> {
    const row = await this.sql.row<FoundAlert>(FIND_SQL, [projectId, iid]);
    if (row === null) throw new NotFoundError();
    return row;
  }

  /** Exact counts by status, of the alerts that the filters leave. */
  async counts(projectId: number, filters: AlertFiltersDto): Promise<AlertCounts> {
    const where = new Conditions();
    addAlertFilters(where, projectId, filters);
    const rows = await this.sql.rows<{ status: number; count: number }>(
      `SELECT a.status, count(*)::int AS count FROM alerts a
       WHERE ${where.toString()} GROUP BY a.status`,
      where.values,
    );
    return sumUp(new Map(rows.map(({ status, count }) => [statusOf(status), count])));
  }
}

function sumUp(found: ReadonlyMap<AlertStatus, number>): AlertCounts {
  const of = (status: AlertStatus): number => found.get(status) ?? 0;
  return {
    all: ALERT_STATUSES.reduce((sum, status) => sum + of(status), 0),
    open: of('triggered') + of('acknowledged'),
    triggered: of('triggered'),
    acknowledged: of('acknowledged'),
    resolved: of('resolved'),
    ignored: of('ignored'),
  };
}
