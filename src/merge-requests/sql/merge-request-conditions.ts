import type { Viewer } from '../../core/access/viewer.js';
import { InvalidParamsError } from '../../core/errors.js';
import { Conditions, containsPattern } from '../../core/sql/conditions.js';
import type { IssuableScope } from '../../issues/issuable.dto.js';
import { labelNames } from '../../issues/issue-labels.js';
import { PROJECT_ABILITIES, type ProjectAbility } from '../../members/abilities.js';
import { authorizedProjectSql } from '../../members/sql/access.js';
import { ROLES } from '../../members/roles.js';
import { VISIBILITY } from '../../members/visibility.js';
import { addMilestoneFilter } from '../../milestones/milestones.repository.js';
import { draftSql } from '../drafts.js';
import type { ListMergeRequestsDto } from '../merge-request-filters.dto.js';
import type { MergeRequestRole } from '../merge-request-person.entity.js';

/** The merge requests of a list, before visibility. */
export interface MergeRequestSelection {
  projectId?: number;
  milestoneId?: number;
  scope?: IssuableScope | null;
}

/** Returns the conditions of a list or count but its state; throws 400 as its filters do. */
export function selectionConditions(
  viewer: Viewer | null,
  { projectId, milestoneId, scope }: MergeRequestSelection,
  filters: ListMergeRequestsDto,
): { where: Conditions; seesInternalNotes: string } {
  const where = new Conditions();
  const { visible, seesInternalNotes } = mergeRequestVisibility(where, viewer);
  where.and(visible);
  if (projectId !== undefined) where.and(`r.project_id = ${where.value(projectId)}`);
  if (milestoneId !== undefined) where.and(`r.milestone_id = ${where.value(milestoneId)}`);
  const me = viewer?.id ?? null;
  if (scope === 'created_by_me') where.and(`r.author_id = ${where.value(me)}`);
  if (scope === 'assigned_to_me') where.and(personSql('assignee', where.value(me)));
  addMergeRequestFilters(where, filters);
  return { where, seesInternalNotes };
}

/** Adds the filters of a list or count; throws 400 for filters that exclude each other. */
function addMergeRequestFilters(where: Conditions, filters: ListMergeRequestsDto): void {
  addAuthor(where, filters);
  addPeople(where, filters);
  addLabels(where, filters.labels);
  addMilestoneFilter(where, 'r', filters);
  const { iids, source_branch: source, target_branch: target } = filters;
  if (iids && iids.length > 0) where.and(`r.iid = ANY(${where.value(iids)}::bigint[])`);
  if (source) where.and(`r.source_branch = ${where.value(source)}`);
  if (target) where.and(`r.target_branch = ${where.value(target)}`);
  addDraft(where, filters);
  addSearch(where, filters);
  addTimes(where, filters);
}

/** Adds the state filter of a list. */
export function addState(where: Conditions, { state }: ListMergeRequestsDto): void {
  if (state && state !== 'all') where.and(`r.state = ${where.value(state)}`);
}

/** Returns the ORDER BY of a list: ties by id, unmerged ones last. */
export function mergeRequestOrder({ order_by: by, sort }: ListMergeRequestsDto): string {
  const direction = sort === 'asc' ? 'ASC' : 'DESC';
  const last = by === 'merged_at' ? ' NULLS LAST' : '';
  return `r.${by ?? 'created_at'} ${direction}${last}, r.id ${direction}`;
}

function addLabels(where: Conditions, given: readonly string[] | null | undefined): void {
  const names = labelNames(given);
  if (names.length === 0) return;
  const word = names.length === 1 ? names[0]?.toLowerCase() : undefined;
  if (word === 'none') where.and(`r.labels = '{}'`);
  else if (word === 'any') where.and(`r.labels <> '{}'`);
  else where.and(`r.labels @> ${where.value(names)}::text[]`);
}

function addDraft(where: Conditions, { draft, wip }: ListMergeRequestsDto): void {
  const wanted = draft ?? (wip ? wip === 'yes' : null);
  if (wanted === null) return;
  where.and(wanted ? draftSql('r.title') : `NOT (${draftSql('r.title')})`);
}

function addSearch(where: Conditions, { search, in: places }: ListMergeRequestsDto): void {
  if (!search) return;
  const pattern = where.value(containsPattern(search));
  const columns = places && places.length > 0 ? places : ['title', 'description'];
  where.and(columns.map((column) => `r.${column} ILIKE ${pattern}`).join(' OR '));
}

function addTimes(where: Conditions, filters: ListMergeRequestsDto): void {
  const bounds = [
    ['r.created_at >=', filters.created_after],
    ['r.created_at <=', filters.created_before],
    ['r.updated_at >=', filters.updated_after],
    ['r.updated_at <=', filters.updated_before],
  ] as const;
  for (const [comparison, bound] of bounds) {
    if (bound) where.and(`${comparison} ${where.value(bound)}`);
  }
}

/** Filters by name or id; throws 400 for both. */
function addAuthor(where: Conditions, filters: ListMergeRequestsDto): void {
  const { author_id: id, author_username: username } = filters;
  const isById = id !== undefined && id !== null;
  if (isById && username) throw mutuallyExclusive('author_id, author_username');
  if (isById) where.and(`r.author_id = ${where.value(id)}`);
  if (username) where.and(`lower(author.username) = lower(${where.value(username)})`);
}

/** Filters by names or id; throws 400 for both, and for an invalid id. */
function addPeople(where: Conditions, filters: ListMergeRequestsDto): void {
  const reviewer = filters.reviewer_username ? [filters.reviewer_username] : null;
  addRole(where, 'assignee', [filters.assignee_id, filters.assignee_username]);
  addRole(where, 'reviewer', [filters.reviewer_id, reviewer]);
}

/** Returns SQL that is true for merge requests in which a user has the role; `user` is a placeholder. */
function personSql(role: MergeRequestRole, user: string): string {
  return `r.id IN (SELECT q.merge_request_id FROM merge_request_people q
    WHERE q.user_id = ${user} AND q.role = '${role}')`;
}

type Given = readonly [id: string | null | undefined, names: readonly string[] | null | undefined];

function addRole(where: Conditions, role: MergeRequestRole, [id, names]: Given): void {
  if (id && names && names.length > 0) throw mutuallyExclusive(`${role}_id, ${role}_username`);
  if (id) addPerson(where, role, id.toLowerCase());
  const wanted = [...new Set((names ?? []).map((name) => name.toLowerCase()))];
  if (wanted.length === 0) return;
  where.and(`r.id IN (SELECT q.merge_request_id FROM merge_request_people q
    JOIN users u ON u.id = q.user_id
    WHERE q.role = '${role}' AND lower(u.username) = ANY(${where.value(wanted)}::text[])
    GROUP BY q.merge_request_id HAVING count(*) = ${where.value(wanted.length)}::int)`);
}

/** v4 clients send 0 for merge requests without such a user. */
function addPerson(where: Conditions, role: MergeRequestRole, id: string): void {
  const somebody = `EXISTS (SELECT 1 FROM merge_request_people q
    WHERE q.merge_request_id = r.id AND q.role = '${role}')`;
  if (id === 'none' || id === '0') where.and(`NOT ${somebody}`);
  else if (id === 'any') where.and(somebody);
  else if (/^\d{1,16}$/.test(id)) where.and(personSql(role, where.value(Number(id))));
  else throw new InvalidParamsError([`${role}_id is invalid`]);
}

function mutuallyExclusive(names: string): InvalidParamsError {
  return new InvalidParamsError([`${names} are mutually exclusive`]);
}

/** SQL conditions over the tables of `MERGE_REQUEST_TABLES`. */
export interface MergeRequestVisibility {
  /** True if the viewer can see the merge request. */
  visible: string;
  /** True if the viewer can read its internal notes. */
  seesInternalNotes: string;
}

/**
 * Returns the conditions for the viewer: merge requests of open projects, and of those in which they
 * can read the code; no one sees them when merge requests are disabled. Administrators see all.
 */
export function mergeRequestVisibility(
  conditions: Conditions,
  viewer: Viewer | null,
): MergeRequestVisibility {
  const existing = 'NOT p.pending_delete AND p.merge_requests_enabled AND p.repository_enabled';
  if (viewer?.admin === true) return { visible: existing, seesInternalNotes: 'true' };
  if (viewer === null) {
    const open = `p.visibility = ${VISIBILITY.public}`;
    return { visible: `${existing} AND ${open}`, seesInternalNotes: 'false' };
  }
  const me = conditions.value(viewer.id);
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  const may = (ability: ProjectAbility): string => authorizedProjectSql(me, level(ability));
  const visible = `${existing} AND (p.visibility >= ${open} OR ${may('read_merge_request')})`;
  return { visible, seesInternalNotes: may('read_internal_note') };
}

function level(ability: ProjectAbility): string {
  return String(ROLES[PROJECT_ABILITIES[ability]]);
}
