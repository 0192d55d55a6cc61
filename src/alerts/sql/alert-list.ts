import { Conditions, containsPattern } from '../../core/sql/conditions.js';
import { rowVersion, type VersionedQuery } from '../../core/sql/json-pages.service.js';
import type { IssueState } from '../../workspace/issues/issue.entity.js';
import { optionalUserSql } from '../../identity/users/sql/user-list.js';
import type { UserBasics } from '../../identity/users/user.presenter.js';
import { severityNumber, STATUS, statusNumber } from '../alert-values.js';
import type { Alert } from '../alert.entity.js';
import type { AlertFiltersDto, AlertOrder, ListAlertsDto } from '../alert.dto.js';
import type { TrendColumns } from '../event-trend.js';
import type { JsonObject } from '../parsing/incoming-alert.js';
import type { Matcher } from '../silences/alert-silences.repository.js';
import { silencedBySql, STORED_SILENCED_SQL } from './silenced.js';

/** An alert with what presenting it needs, read in one statement. */
export interface AlertRow extends Pick<
  Alert,
  | 'id'
  | 'iid'
  | 'projectId'
  | 'title'
  | 'description'
  | 'service'
  | 'monitoringTool'
  | 'severity'
  | 'status'
  | 'hosts'
  | 'runbook'
  | 'query'
  | 'yLabel'
  | 'eventCount'
  | 'lastEventAt'
  | 'startedAt'
  | 'endedAt'
  | 'createdAt'
  | 'updatedAt'
> {
  /** 40 hex; null for some of the oldest alerts. */
  fingerprint: string | null;
  isSilenced: boolean;
  environment: { id: number; name: string } | null;
  issue: { id: number; iid: number; title: string; state: IssueState } | null;
  assignee: UserBasics | null;
}

/** One alert with what its tool sent. */
export interface FoundAlert extends AlertRow, TrendColumns {
  incidentMarkdown: string | null;
  payload: JsonObject;
}

/** The columns of an AlertRow, from `alerts a` and ALERT_JOINS. */
export const ALERT_COLUMNS = `
  a.id, a.iid, a.project_id AS "projectId", a.title, a.description, a.service,
  a.monitoring_tool AS "monitoringTool", a.severity, a.status,
  encode(a.fingerprint, 'hex') AS fingerprint, a.hosts, a.runbook, a.query,
  a.y_label AS "yLabel", a.event_count AS "eventCount", a.last_event_at AS "lastEventAt",
  a.started_at AS "startedAt", a.ended_at AS "endedAt",
  a.created_at AS "createdAt", a.updated_at AS "updatedAt",
  CASE WHEN e.id IS NULL THEN NULL ELSE json_build_object('id', e.id, 'name', e.name)
  END AS environment,
  ${STORED_SILENCED_SQL} AS "isSilenced",
  CASE WHEN i.id IS NULL THEN NULL ELSE json_build_object('id', i.id, 'iid', i.iid,
    'title', i.title, 'state', i.state) END AS issue,
  ${optionalUserSql('u')} AS assignee`;

/** Rows of other projects are left out. */
export const ALERT_JOINS = `
  LEFT JOIN environments e ON e.id = a.environment_id AND e.project_id = a.project_id
  LEFT JOIN issues i ON i.id = a.issue_id AND i.project_id = a.project_id
  LEFT JOIN users u ON u.id = a.assignee_id`;

/** A search looks at this many words; more would only make it slow. */
const MAX_WORDS = 20;

/**
 * The expression of `ix_alerts_search`. No word has white space, so none can reach from one of the
 * texts into the next.
 */
export const ALERT_SEARCH_TEXT = `(a.title || E'\\n' || coalesce(a.description, '') || E'\\n' || coalesce(a.service, '')
  || E'\\n' || coalesce(a.monitoring_tool, ''))`;

/**
 * Columns of `alerts a`, and whether their numbers go against the words: what comes first when
 * descending, the most critical or triggered, has the lowest number.
 */
const ORDERS: Record<AlertOrder, { column: string; isReversed?: true }> = {
  started_at: { column: 'a.started_at' },
  ended_at: { column: 'a.ended_at' },
  event_count: { column: 'a.event_count' },
  severity: { column: 'a.severity', isReversed: true },
  status: { column: 'a.status', isReversed: true },
  created_at: { column: 'a.created_at' },
  updated_at: { column: 'a.updated_at' },
};

/** Alerts of a project. */
export interface AlertSelection<Filters extends AlertFiltersDto = ListAlertsDto> {
  projectId: number;
  filters: Filters;
  /** Matchers of the active silences; none unless the alerts are filtered by them. */
  silences: readonly (readonly Matcher[])[];
}

/** Returns the statement of a project's list. */
export function alertsStatement(selection: AlertSelection): VersionedQuery {
  const { filters } = selection;
  const where = new Conditions();
  addAlertFilters(where, selection);
  addListFilters(where, filters);
  return {
    key: 'a.id',
    id: 'a.id',
    select: ALERT_COLUMNS,
    version: rowVersion('a', 'e', 'i', 'u'),
    fresh: `${STORED_SILENCED_SQL} AS "isSilenced"`,
    from: 'alerts a',
    joins: ALERT_JOINS,
    where: where.toString(),
    orderBy: alertOrder(filters),
    values: where.values,
    isSearch: isAlertSearch(filters),
  };
}

/** Returns true if the statement has texts to look for: words, or the patterns of silences. */
export function isAlertSearch({ search, silenced }: AlertFiltersDto): boolean {
  return Boolean(search) || typeof silenced === 'boolean';
}

/** Adds the project and the filters, whose names are looked up in that project only. */
export function addAlertFilters(
  where: Conditions,
  { projectId, filters, silences }: AlertSelection<AlertFiltersDto>,
): void {
  const project = where.value(projectId);
  where.and(`a.project_id = ${project}`);
  const { severity, search, title, environment } = filters;
  if (severity && severity.length > 0) {
    where.and(`a.severity = ANY(${where.value(severity.map(severityNumber))}::smallint[])`);
  }
  // The index serves single patterns only.
  for (const word of wordsOf(search)) where.and(`${ALERT_SEARCH_TEXT} ILIKE ${where.value(word)}`);
  if (title) where.and(`a.title = ${where.value(title)}`);
  if (environment === 'None') where.and('a.environment_id IS NULL');
  else if (environment) {
    where.and(`a.environment_id = (SELECT e.id FROM environments e
      WHERE e.project_id = ${project} AND e.name = ${where.value(environment)})`);
  }
  if (typeof filters.silenced === 'boolean') {
    const silenced = silencedBySql(where, project, silences);
    where.and(filters.silenced ? silenced : `NOT (${silenced})`);
  }
  addAssignee(where, filters);
  addTimes(where, filters);
}

/** Adds the filters that only lists have. */
export function addListFilters(where: Conditions, { status, iid, iids }: ListAlertsDto): void {
  if (status && status.length > 0) {
    const numbers = status.flatMap((name) =>
      name === 'open' ? [STATUS.triggered, STATUS.acknowledged] : [statusNumber(name)],
    );
    where.and(`a.status = ANY(${where.value(numbers)}::smallint[])`);
  }
  if (typeof iid === 'number') where.and(`a.iid = ${where.value(iid)}`);
  if (iids && iids.length > 0) where.and(`a.iid = ANY(${where.value(iids)}::bigint[])`);
}

/**
 * ORDER BY of a list; alerts alike in it are ordered by their id. Alerts without an end are the
 * last ones either way.
 */
function alertOrder({ order_by: by, sort }: ListAlertsDto): string {
  const { column, isReversed = false } = ORDERS[by ?? 'started_at'];
  const isAscending = sort === 'asc';
  const direction = isAscending === isReversed ? 'DESC' : 'ASC';
  const nulls = by === 'ended_at' ? ' NULLS LAST' : '';
  return `${column} ${direction}${nulls}, a.id ${isAscending ? 'ASC' : 'DESC'}`;
}

function wordsOf(search: string | null | undefined): string[] {
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '');
  return [...new Set(words)].slice(0, MAX_WORDS).map(containsPattern);
}

function addAssignee(where: Conditions, { assignee_username: username }: AlertFiltersDto): void {
  if (!username) return;
  const word = username.toLowerCase();
  if (word === 'none') where.and('a.assignee_id IS NULL');
  else if (word === 'any') where.and('a.assignee_id IS NOT NULL');
  else {
    where.and(`a.assignee_id = (SELECT u.id FROM users u
      WHERE lower(u.username) = lower(${where.value(username)}))`);
  }
}

function addTimes(where: Conditions, filters: AlertFiltersDto): void {
  const bounds = [
    ['a.started_at >=', filters.started_after],
    ['a.started_at <=', filters.started_before],
    ['a.created_at >=', filters.created_after],
    ['a.created_at <=', filters.created_before],
  ] as const;
  for (const [comparison, bound] of bounds) {
    if (bound) where.and(`${comparison} ${where.value(bound)}`);
  }
}
