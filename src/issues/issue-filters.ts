import { InvalidParamsError } from '../core/errors.js';
import { containsPattern, type Conditions } from '../core/sql/conditions.js';
import type { ListIssuesDto } from './dto/list-issues.dto.js';

/** Adds the filters that a list was asked for; 400 for two ways to name the author. */
export function addIssueFilters(where: Conditions, filters: ListIssuesDto): void {
  addAuthor(where, filters);
  const { state, iids, confidential, search } = filters;
  if (state && state !== 'all') where.and(`i.state = ${where.value(state)}`);
  if (iids && iids.length > 0) where.and(`i.iid = ANY(${where.value(iids)}::bigint[])`);
  if (typeof confidential === 'boolean') {
    where.and(confidential ? 'i.confidential' : 'NOT i.confidential');
  }
  if (search) {
    const pattern = where.value(containsPattern(search));
    where.and(`i.title ILIKE ${pattern} OR i.description ILIKE ${pattern}`);
  }
  addTimes(where, filters);
}

/** ORDER BY of a list; issues alike in it are ordered by their id. */
export function issueOrder({ order_by: by, sort }: ListIssuesDto): string {
  const direction = sort === 'asc' ? 'ASC' : 'DESC';
  return `i.${by ?? 'created_at'} ${direction}, i.id ${direction}`;
}

function addAuthor(where: Conditions, filters: ListIssuesDto): void {
  const { author_id: id, author_username: username } = filters;
  const isById = id !== undefined && id !== null;
  if (isById && username) {
    throw new InvalidParamsError(['author_id, author_username are mutually exclusive']);
  }
  if (isById) where.and(`i.author_id = ${where.value(id)}`);
  if (username) where.and(`lower(author.username) = lower(${where.value(username)})`);
}

function addTimes(where: Conditions, filters: ListIssuesDto): void {
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
