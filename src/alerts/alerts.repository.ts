import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { NotFoundError } from '../core/errors.js';
import type { JsonItem } from '../core/pagination/json-items.js';
import { mapPage, type Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { JsonPages, type ItemFormat } from '../core/sql/json-pages.service.js';
import { Sql, type TransactionRows } from '../core/sql/sql.service.js';
import { ASSIGNEE_SQL, CANDIDATES_SQL } from '../identity/members/sql/access.js';
import type { RunStatement } from '../workspace/notes/notes.repository.js';
import type { ProjectRow } from '../workspace/projects/projects.repository.js';
import type { TrendColumns } from './event-trend.js';
import { LOCK_SILENT_SQL, RESOLVE_SQL } from './sql/resolve-alerts.js';
import { Alert } from './alert.entity.js';
import type { AlertFiltersDto, ListAlertsDto } from './alert.dto.js';
import { PROJECT_ABILITIES } from '../identity/members/abilities.js';
import { ROLES } from '../identity/members/roles.js';
import { AlertSilencesRepository } from './silences/alert-silences.repository.js';
import {
  ALERT_STATUS_NUMBERS,
  alertCounts,
  periodCountsStatement,
  statusCountsStatement,
  type AlertCount,
  type AlertCounts,
  type CountedPeriod,
  type CountedTime,
} from './sql/alert-counts.js';
import {
  alertGroupsQuery,
  groupTrendsStatement,
  NO_TREND,
  type AlertGrouping,
  type AlertGroupRow,
  type ListedGroupRow,
} from './sql/alert-groups.js';
import {
  ALERT_COLUMNS,
  ALERT_JOINS,
  alertsStatement,
  isAlertSearch,
  type AlertRow,
  type AlertSelection,
  type FoundAlert,
} from './sql/alert-list.js';

/** Role that can read alerts. */
const READER_LEVEL = ROLES[PROJECT_ABILITIES.read_alert];

const MAX_ENVIRONMENTS = 100;

/** $1 = project. */
const ENVIRONMENTS_SQL = `SELECT name FROM environments
  WHERE project_id = $1 AND state = 'available' ORDER BY name LIMIT ${MAX_ENVIRONMENTS}`;

const BY_IDS_SQL = `
  SELECT ${ALERT_COLUMNS} FROM alerts a ${ALERT_JOINS} WHERE a.id = ANY($1::bigint[])`;

const TREND_COLUMNS = 'a.hour_totals::float8[] AS "hourTotals", a.totals_hour AS "totalsHour"';

const FIND_SQL = `
  SELECT ${ALERT_COLUMNS}, ${TREND_COLUMNS}, a.incident_markdown AS "incidentMarkdown", a.payload
  FROM alerts a ${ALERT_JOINS} WHERE a.project_id = $1 AND a.iid = $2`;

/** Without a join: after waiting, PostgreSQL would join what belonged to the row before. */
const LOCK_SQL = `
  SELECT status, assignee_id AS "assigneeId" FROM alerts WHERE id = $1 FOR NO KEY UPDATE`;

/** An alert of a page, with its events by hour. */
export type ListedAlertRow = AlertRow & TrendColumns;

/** The assignee of an alert. */
export interface Assignee {
  id: number;
  username: string;
}

/** User whom an alert can be assigned to. */
export interface AssigneeCandidate extends Assignee {
  name: string;
}

/** An alert that was resolved just now. */
export interface ResolvedAlert {
  id: number;
  iid: number;
  projectId: number;
  /** Its incident. */
  issueId: number | null;
}

/** Owns every statement about alerts, apart from ingest and incidents. */
@Injectable()
export class AlertsRepository extends Repository<Alert> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly pages: JsonPages,
    private readonly silences: AlertSilencesRepository,
  ) {
    super(Alert, dataSource.manager);
  }

  /** Returns alerts of any projects, which the viewer can see, in no particular order. */
  listByIds(ids: readonly number[]): Promise<AlertRow[]> {
    return this.queries.rows<AlertRow>(BY_IDS_SQL, [ids]);
  }

  /** Returns one page of a project's alerts without payloads, latest first by default. */
  async list(
    { id }: { id: number },
    filters: ListAlertsDto,
    paging: Paging,
  ): Promise<Page<ListedAlertRow>> {
    const statement = alertsStatement(await this.selectionOf(id, filters));
    const select = `${statement.select}, ${TREND_COLUMNS}`;
    return this.queries.page<ListedAlertRow>({ ...statement, select }, paging);
  }

  /** The same as JSON. */
  async listItems<Item>(
    { projectId, filters }: { projectId: number; filters: ListAlertsDto },
    paging: Paging,
    format: ItemFormat<Item, AlertRow, object>,
  ): Promise<Page<JsonItem<Item>>> {
    const selection = await this.selectionOf(projectId, filters);
    return this.pages.page(alertsStatement(selection), paging, format);
  }

  /** Returns one page of groups of the project's filtered alerts, which are not counted. */
  async listGroups(
    projectId: number,
    { filters, by }: { filters: ListAlertsDto; by: AlertGrouping },
    paging: Paging,
  ): Promise<Page<AlertGroupRow>> {
    const selection = await this.selectionOf(projectId, filters);
    const query = alertGroupsQuery(selection, by);
    const page = await this.queries.page<ListedGroupRow>(query, paging.uncounted());
    const statement = groupTrendsStatement(selection, by, page.items);
    const rows = await this.read<Pick<AlertGroupRow, 'name' | 'trend'>>(filters, statement);
    const trends = new Map(rows.map(({ name, trend }) => [name, trend]));
    return mapPage(page, (group) => ({ ...group, trend: trends.get(group.name) ?? [...NO_TREND] }));
  }

  /** Returns the alert with that number in the project; throws NotFoundError. */
  async findByIid(projectId: number, iid: number): Promise<FoundAlert> {
    const row = await this.queries.row<FoundAlert>(FIND_SQL, [projectId, iid]);
    if (row === null) throw new NotFoundError();
    return row;
  }

  /** Returns the IDs of the project's alerts with these numbers. */
  async findIds(projectId: number, iids: readonly number[]): Promise<number[]> {
    const rows = await this.queries.rows<{ id: number }>(
      'SELECT id FROM alerts WHERE project_id = $1 AND iid = ANY($2::bigint[]) ORDER BY id',
      [projectId, iids],
    );
    return rows.map(({ id }) => id);
  }

  /** Counts the filtered alerts by status; large counts as `Sql.counts` does, unless a text is searched for. */
  async countByStatus(projectId: number, filters: AlertFiltersDto): Promise<AlertCounts> {
    const { text, values } = statusCountsStatement(await this.selectionOf(projectId, filters));
    const counts = isAlertSearch(filters)
      ? await this.queries.searchRows<AlertCount>(text, [...values, ALERT_STATUS_NUMBERS])
      : await this.queries.counts<AlertCount>(text, values, ALERT_STATUS_NUMBERS);
    return alertCounts(counts);
  }

  /** Counts by period (UTC) and severity the filtered alerts that began in that time. */
  async countPerPeriod(
    projectId: number,
    filters: ListAlertsDto,
    time: CountedTime,
  ): Promise<CountedPeriod[]> {
    const selection = await this.selectionOf(projectId, filters);
    return this.read<CountedPeriod>(filters, periodCountsStatement(selection, time));
  }

  private read<T extends object>(
    filters: AlertFiltersDto,
    { text, values }: { text: string; values: unknown[] },
  ): Promise<T[]> {
    return isAlertSearch(filters)
      ? this.queries.searchRows<T>(text, values)
      : this.queries.rows<T>(text, values);
  }

  private async selectionOf<Filters extends AlertFiltersDto>(
    projectId: number,
    filters: Filters,
  ): Promise<AlertSelection<Filters>> {
    const isFiltered = typeof filters.silenced === 'boolean';
    const silences = isFiltered ? await this.silences.listActiveMatchers(projectId) : [];
    return { projectId, filters, silences };
  }

  /** Returns the names of the environments that the project's alerts can be filtered by; at most 100. */
  async listEnvironments(projectId: number): Promise<string[]> {
    const rows = await this.queries.rows<{ name: string }>(ENVIRONMENTS_SQL, [projectId]);
    return rows.map(({ name }) => name);
  }

  /** Locks an alert until the transaction ends; throws NotFoundError. */
  async lock(
    manager: EntityManager,
    id: number,
  ): Promise<{ status: number; assigneeId: number | null }> {
    const [row] = await manager.query<{ status: number; assigneeId: number | null }[]>(LOCK_SQL, [
      id,
    ]);
    if (row === undefined) throw new NotFoundError();
    return row;
  }

  /** Locks alerts without an event for as long as their project allows, 500 at most. */
  lockSilent(rows: TransactionRows, now: Date): Promise<{ id: number; hours: number }[]> {
    return rows<{ id: number; hours: number }>(LOCK_SILENT_SQL, [now]);
  }

  /** Resolves the open ones of the alerts and returns these. */
  async resolve(
    run: RunStatement,
    alertIds: readonly number[],
    endedAt: Date,
  ): Promise<ResolvedAlert[]> {
    return (await run(RESOLVE_SQL, [alertIds, endedAt])) as ResolvedAlert[];
  }

  /** Returns the person with that id or username, if they can read the project's alerts. */
  findAssignee(
    projectId: number,
    { id, username }: { id: number | null; username: string | null },
  ): Promise<Assignee | null> {
    return this.queries.row<Assignee>(ASSIGNEE_SQL, [projectId, id, username, READER_LEVEL]);
  }

  /** Returns people, not bots, among the members that can read alerts, by name; at most 200. */
  listCandidates({
    id,
    namespaceId,
  }: Pick<ProjectRow, 'id' | 'namespaceId'>): Promise<AssigneeCandidate[]> {
    return this.queries.rows<AssigneeCandidate>(CANDIDATES_SQL, [id, namespaceId, READER_LEVEL]);
  }
}
