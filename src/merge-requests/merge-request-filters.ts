import { containsPattern, type Conditions } from '../core/sql/conditions.js';
import { labelNames } from '../issues/issue-labels.js';
import { addMilestoneFilter } from '../milestones/milestones.repository.js';
import { draftSql } from './drafts.js';
import type { ListMergeRequestsDto } from './merge-request-filters.dto.js';
import { addAuthor, addPeople } from './merge-request-people-filters.js';

/** Adds what a list or count was asked for but its state; 400 for filters that exclude each other. */
export function addMergeRequestFilters(where: Conditions, filters: ListMergeRequestsDto): void {
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

/** Adds the state that a list was asked for. */
export function addState(where: Conditions, { state }: ListMergeRequestsDto): void {
  if (state && state !== 'all') where.and(`r.state = ${where.value(state)}`);
}

/** ORDER BY of a list; those alike in it are ordered by their id, unmerged ones come last. */
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
