import type { Viewer } from '../../core/access/viewer.js';
import { InvalidParamsError } from '../../core/errors.js';
import { containsPattern, type Conditions } from '../../core/sql/conditions.js';
import { PROJECT_ABILITIES, type ProjectAbility } from '../../members/abilities.js';
import { authorizedProjectSql } from '../../members/sql/access.js';
import { ROLES } from '../../members/roles.js';
import { VISIBILITY } from '../../members/visibility.js';
import { addMilestoneFilter } from '../../milestones/milestones.repository.js';
import type { DueDateFilter, IssueFiltersDto, ListIssuesDto } from '../issue-filters.dto.js';
import { labelNames } from '../issue-labels.js';

const NOBODY = `NOT EXISTS (SELECT 1 FROM issue_assignees a WHERE a.issue_id = i.id)`;
const SOMEBODY = `EXISTS (SELECT 1 FROM issue_assignees a WHERE a.issue_id = i.id)`;

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

/** Adds the filters of a list or count; throws 400 for filters that exclude each other. */
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

/** Adds the state filter of a list. */
export function addState(where: Conditions, { state }: ListIssuesDto): void {
  if (state && state !== 'all') where.and(`i.state = ${where.value(state)}`);
}

/** Returns the ORDER BY of a list: ties by id, issues without a due date last. */
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

/** Filters by name or id; throws 400 for both. */
function addAuthor(where: Conditions, filters: IssueFiltersDto): void {
  const { author_id: id, author_username: username } = filters;
  const isById = id !== undefined && id !== null;
  if (isById && username) throw mutuallyExclusive('author_id, author_username');
  if (isById) where.and(`i.author_id = ${where.value(id)}`);
  if (username) where.and(`lower(author.username) = lower(${where.value(username)})`);
}

/** Filters by names or id; throws 400 for both, and for an invalid id. */
function addAssignees(where: Conditions, filters: IssueFiltersDto): void {
  const { assignee_id: id, assignee_username: usernames } = filters;
  if (id && usernames && usernames.length > 0) {
    throw mutuallyExclusive('assignee_id, assignee_username');
  }
  if (id) addAssignee(where, id.toLowerCase());
  const names = new Set((usernames ?? []).map((name) => name.toLowerCase()));
  if (names.size > 0) addAllOf(where, [...names]);
}

/** Returns SQL that is true for issues assigned to a user; `user` is a placeholder. */
export function assignedToSql(user: string): string {
  return `i.id IN (SELECT a.issue_id FROM issue_assignees a WHERE a.user_id = ${user})`;
}

/** v4 clients send 0 for issues without an assignee. */
function addAssignee(where: Conditions, id: string): void {
  if (id === 'none' || id === '0') where.and(NOBODY);
  else if (id === 'any') where.and(SOMEBODY);
  else if (/^\d{1,16}$/.test(id)) where.and(assignedToSql(where.value(Number(id))));
  else throw new InvalidParamsError(['assignee_id is invalid']);
}

function addAllOf(where: Conditions, names: readonly string[]): void {
  where.and(`i.id IN (SELECT a.issue_id FROM issue_assignees a JOIN users u ON u.id = a.user_id
    WHERE lower(u.username) = ANY(${where.value(names)}::text[])
    GROUP BY a.issue_id HAVING count(*) = ${where.value(names.length)}::int)`);
}

function mutuallyExclusive(names: string): InvalidParamsError {
  return new InvalidParamsError([`${names} are mutually exclusive`]);
}

/** SQL conditions over the tables of `ISSUE_TABLES`. */
export interface IssueVisibility {
  /** True if the viewer can see the issue. */
  visible: string;
  /** True if the viewer can read its internal notes. */
  seesInternalNotes: string;
}

/**
 * Returns the conditions for the viewer: everyone who sees the project sees its issues,
 * confidential ones only as their author, an assignee or with the role for it; no one sees them
 * when issues are disabled. Administrators see them in every project.
 */
export function issueVisibility(conditions: Conditions, viewer: Viewer | null): IssueVisibility {
  const existing = 'NOT p.pending_delete AND p.issues_enabled';
  if (viewer?.admin === true) return { visible: existing, seesInternalNotes: 'true' };
  if (viewer === null) {
    const open = `p.visibility = ${VISIBILITY.public} AND NOT i.confidential`;
    return { visible: `${existing} AND ${open}`, seesInternalNotes: 'false' };
  }
  const me = conditions.value(viewer.id);
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  const may = (ability: ProjectAbility): string => authorizedProjectSql(me, level(ability));
  const visible = `${existing}
    AND (p.visibility >= ${open} OR ${may('read_issue')})
    AND (NOT i.confidential OR i.author_id = ${me} OR ${may('read_confidential_issue')}
      OR i.id IN (SELECT a.issue_id FROM issue_assignees a WHERE a.user_id = ${me}))`;
  return { visible, seesInternalNotes: may('read_internal_note') };
}

function level(ability: ProjectAbility): string {
  return String(ROLES[PROJECT_ABILITIES[ability]]);
}
