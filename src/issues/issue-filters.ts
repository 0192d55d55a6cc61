import { containsPattern, type Conditions } from '../core/sql/conditions.js';
import { addMilestoneFilter } from '../milestones/milestones.repository.js';
import type { DueDateFilter, IssueFiltersDto } from './dto/issue-filters.dto.js';
import type { ListIssuesDto } from './dto/list-issues.dto.js';
import { labelNames } from './issue-labels.js';
import { addAssignees, addAuthor } from './issue-people-filters.js';

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

const DUE: Record<DueDateFilter, string> = {
  '0': 'i.due_date IS NULL',
  any: 'i.due_date IS NOT NULL',
  today: `i.due_date = ${TODAY}`,
  tomorrow: `i.due_date = ${TODAY} + 1`,
  overdue: `i.due_date < ${TODAY}`,
  week: within('week'),
  month: within('month'),
  next_month_and_previous_two_weeks: `i.due_date >= ${TODAY} - 14
    AND i.due_date < date_trunc('month', ${TODAY} + interval '2 months')::date`,
};

/** Adds what a list or count was asked for; 400 for filters that exclude each other. */
export function addIssueFilters(where: Conditions, filters: IssueFiltersDto): void {
  addAuthor(where, filters);
  addAssignees(where, filters);
  addLabels(where, filters.labels);
  addMilestoneFilter(where, 'i', filters);
  const { iids, confidential, issue_type: type, due_date: due } = filters;
  if (iids && iids.length > 0) where.and(`i.iid = ANY(${where.value(iids)}::bigint[])`);
  if (type) where.and(`i.issue_type = ${where.value(type)}`);
  if (due) where.and(DUE[due]);
  if (typeof confidential === 'boolean') {
    where.and(confidential ? 'i.confidential' : 'NOT i.confidential');
  }
  addSearch(where, filters);
  addTimes(where, filters);
}

/** Adds the state that a list was asked for. */
export function addState(where: Conditions, { state }: ListIssuesDto): void {
  if (state && state !== 'all') where.and(`i.state = ${where.value(state)}`);
}

/** ORDER BY of a list; issues alike in it are ordered by their id, those never due come last. */
export function issueOrder({ order_by: by, sort }: ListIssuesDto): string {
  const direction = sort === 'asc' ? 'ASC' : 'DESC';
  const last = by === 'due_date' ? ' NULLS LAST' : '';
  return `i.${by ?? 'created_at'} ${direction}${last}, i.id ${direction}`;
}

function within(unit: 'week' | 'month'): string {
  return `i.due_date >= date_trunc('${unit}', ${TODAY}::timestamp)::date
    AND i.due_date < date_trunc('${unit}', ${TODAY} + interval '1 ${unit}')::date`;
}

function addLabels(where: Conditions, given: readonly string[] | null | undefined): void {
  const names = labelNames(given);
  if (names.length === 0) return;
  const word = names.length === 1 ? names[0]?.toLowerCase() : undefined;
  if (word === 'none') where.and(`i.labels = '{}'`);
  else if (word === 'any') where.and(`i.labels <> '{}'`);
  else where.and(`i.labels @> ${where.value(names)}::text[]`);
}

function addSearch(where: Conditions, { search, in: places }: IssueFiltersDto): void {
  if (!search) return;
  const pattern = where.value(containsPattern(search));
  const columns = places && places.length > 0 ? places : ['title', 'description'];
  where.and(columns.map((column) => `i.${column} ILIKE ${pattern}`).join(' OR '));
}

function addTimes(where: Conditions, filters: IssueFiltersDto): void {
  const bounds = [
    ['i.created_at >=', filters.created_after],
    ['i.created_at <=', filters.created_before],
    ['i.updated_at >=', filters.updated_after],
    ['i.updated_at <=', filters.updated_before],
  ] as const;
  for (const [comparison, bound] of bounds) {
    if (bound) where.and(`${comparison} ${where.value(bound)}`);
  }
}
