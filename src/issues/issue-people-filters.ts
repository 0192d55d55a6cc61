import { InvalidParamsError } from '../core/errors.js';
import type { Conditions } from '../core/sql/conditions.js';
import type { IssueFiltersDto } from './dto/issue-filters.dto.js';

const NOBODY = `NOT EXISTS (SELECT 1 FROM issue_assignees a WHERE a.issue_id = i.id)`;
const SOMEBODY = `EXISTS (SELECT 1 FROM issue_assignees a WHERE a.issue_id = i.id)`;

/** By name or id; 400 for both. */
export function addAuthor(where: Conditions, filters: IssueFiltersDto): void {
  const { author_id: id, author_username: username } = filters;
  const isById = id !== undefined && id !== null;
  if (isById && username) throw mutuallyExclusive('author_id, author_username');
  if (isById) where.and(`i.author_id = ${where.value(id)}`);
  if (username) where.and(`lower(author.username) = lower(${where.value(username)})`);
}

/** By names or id; 400 for both, and for an id that is none. */
export function addAssignees(where: Conditions, filters: IssueFiltersDto): void {
  const { assignee_id: id, assignee_username: usernames } = filters;
  if (id && usernames && usernames.length > 0) {
    throw mutuallyExclusive('assignee_id, assignee_username');
  }
  if (id) addAssignee(where, id.toLowerCase());
  const names = new Set((usernames ?? []).map((name) => name.toLowerCase()));
  if (names.size > 0) addAllOf(where, [...names]);
}

/** Only issues that this person is to work on; `user` is a placeholder. */
export function assignedToSql(user: string): string {
  return `i.id IN (SELECT a.issue_id FROM issue_assignees a WHERE a.user_id = ${user})`;
}

/** v4 clients write 0 for nobody. */
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
