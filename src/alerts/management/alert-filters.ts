import { containsPattern, type Conditions } from '../../core/sql/conditions.js';
import { severityNumber, STATUS, statusNumber } from '../alert-values.js';
import type { AlertFiltersDto, AlertOrder, ListAlertsDto } from './dto/list-alerts.dto.js';

/** A search looks at this many words; more would only make it slow. */
const MAX_WORDS = 20;

/** No word has white space, so none can reach from one of the texts into the next. */
const SEARCHED = `concat_ws(E'\\n', a.title, a.description, a.service, a.monitoring_tool)`;

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

/** Adds the project and the filters; whatever they name is looked for in that project only. */
export function addAlertFilters(
  where: Conditions,
  projectId: number,
  filters: AlertFiltersDto,
): void {
  const project = where.value(projectId);
  where.and(`a.project_id = ${project}`);
  const { severity, search, environment } = filters;
  if (severity && severity.length > 0) {
    where.and(`a.severity = ANY(${where.value(severity.map(severityNumber))}::smallint[])`);
  }
  const words = wordsOf(search);
  if (words.length > 0) where.and(`${SEARCHED} ILIKE ALL(${where.value(words)}::text[])`);
  if (environment) {
    where.and(`a.environment_id = (SELECT e.id FROM environments e
      WHERE e.project_id = ${project} AND e.name = ${where.value(environment)})`);
  }
  addAssignee(where, filters);
  addTimes(where, filters);
}

/** Adds what only lists can be asked for. */
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
export function alertOrder({ order_by: by, sort }: ListAlertsDto): string {
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
