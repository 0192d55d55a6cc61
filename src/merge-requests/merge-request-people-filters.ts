import { InvalidParamsError } from '../core/errors.js';
import type { Conditions } from '../core/sql/conditions.js';
import type { ListMergeRequestsDto } from './merge-request-filters.dto.js';
import type { MergeRequestRole } from './merge-request-person.entity.js';

/** By name or id; 400 for both. */
export function addAuthor(where: Conditions, filters: ListMergeRequestsDto): void {
  const { author_id: id, author_username: username } = filters;
  const isById = id !== undefined && id !== null;
  if (isById && username) throw mutuallyExclusive('author_id, author_username');
  if (isById) where.and(`r.author_id = ${where.value(id)}`);
  if (username) where.and(`lower(author.username) = lower(${where.value(username)})`);
}

/** By names or id; 400 for both, and for an id that is none. */
export function addPeople(where: Conditions, filters: ListMergeRequestsDto): void {
  const reviewer = filters.reviewer_username ? [filters.reviewer_username] : null;
  addRole(where, 'assignee', [filters.assignee_id, filters.assignee_username]);
  addRole(where, 'reviewer', [filters.reviewer_id, reviewer]);
}

/** Only those in which this person has the role; `user` is a placeholder. */
export function personSql(role: MergeRequestRole, user: string): string {
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
