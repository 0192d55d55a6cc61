import { InvalidParamsError } from '../../../core/errors.js';
import { containsPattern, type Conditions } from '../../../core/sql/conditions.js';
import { isUnfiltered, type ListQuery } from '../../../core/sql/list-query.js';
import { PROJECT_ABILITIES, type ProjectAbility } from '../../../identity/members/abilities.js';
import { ROLES } from '../../../identity/members/roles.js';
import { accessLevelSql, authorizedProjectSql } from '../../../identity/members/sql/access.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import { addMilestoneFilter } from '../../milestones/milestones.repository.js';
import type { IssuableFiltersDto, IssuableScope } from '../issuable.dto.js';
import { labelNames } from '../issuable-attributes.js';

/** Describes the tables of issues or merge requests to the filters that both have. */
export interface IssuableTables {
  table: 'issues' | 'merge_requests';
  /** Alias of the table itself. */
  alias: string;
  /** Table of assignees and reviewers, one row per user, and its column for the issuable. */
  people: string;
  peopleKey: string;
  /** Condition on the role of a row `q` of `people`; `true` if there are only assignees. */
  roleSql: (role: IssuableRole) => string;
}

type IssuableRole = 'assignee' | 'reviewer';

/** A filter by assignees or reviewers: an ID, `none` or `any`, or else usernames. */
interface PeopleFilter {
  role: IssuableRole;
  id: string | null | undefined;
  usernames: readonly string[] | null | undefined;
}

/** Adds the filters of both kinds; throws 400 for filters that exclude each other. */
export function addIssuableFilters(
  where: Conditions,
  tables: IssuableTables,
  { filters, people }: { filters: IssuableFiltersDto; people: readonly PeopleFilter[] },
): void {
  const { alias } = tables;
  addAuthor(where, alias, filters);
  for (const filter of people) addPeople(where, tables, filter);
  addLabels(where, alias, filters.labels);
  addMilestoneFilter(where, alias, filters);
  const { iids } = filters;
  if (iids && iids.length > 0) where.and(`${alias}.iid = ANY(${where.value(iids)}::bigint[])`);
  addSearch(where, alias, filters);
  addTimes(where, alias, filters);
}

/** Adds the state filter of a list. */
export function addState(
  where: Conditions,
  { alias }: IssuableTables,
  state: string | null | undefined,
): void {
  if (state && state !== 'all') where.and(`${alias}.state = ${where.value(state)}`);
}

/** Returns the ORDER BY of a list: ties by id, rows without the `optional` column last. */
export function issuableOrder(
  { alias }: IssuableTables,
  { order_by: by, sort }: { order_by?: string | null; sort?: 'asc' | 'desc' | null },
  optional: string,
): string {
  const direction = sort === 'asc' ? 'ASC' : 'DESC';
  const last = by === optional ? ' NULLS LAST' : '';
  return `${alias}.${by ?? 'created_at'} ${direction}${last}, ${alias}.id ${direction}`;
}

/** Returns SQL that is true for issuables in which a user has the role; `user` is a placeholder. */
export function hasRoleSql(tables: IssuableTables, role: IssuableRole, user: string): string {
  const { alias, people, peopleKey, roleSql } = tables;
  return `${alias}.id IN (SELECT q.${peopleKey} FROM ${people} q
    WHERE q.user_id = ${user} AND ${roleSql(role)})`;
}

/** Issuables changed last, among which nearly all viewers of a long list find those of a first page. */
const LAST_UPDATED = 3_000;

/** Returns the hints for reading a list; see `ListQuery`. */
export function issuableReading(
  tables: IssuableTables,
  selection: { projectId?: number; scope?: IssuableScope | null },
  filters: ReadFilters,
): Pick<ListQuery, 'isSearch' | 'isWhole' | 'recent'> {
  const { projectId, ...parts } = selection;
  return {
    isSearch: Boolean(filters.search),
    isWhole: projectId !== undefined && isUnfiltered({ ...parts, ...filters }),
    recent: lastUpdatedSql(tables, selection, filters),
  };
}

interface ReadFilters {
  search?: string | null;
  order_by?: string | null;
  sort?: 'asc' | 'desc' | null;
}

/**
 * Returns the condition of `ListQuery.recent` for a list of everyone's issuables by their last update.
 * No index has these times, as it would be written with every comment: only the rows changed last
 * are joined with their projects.
 */
function lastUpdatedSql(
  { table, alias }: IssuableTables,
  selection: { scope?: IssuableScope | null },
  filters: ReadFilters,
): string | undefined {
  if (filters.order_by !== 'updated_at' || filters.sort === 'asc') return undefined;
  return isUnfiltered({ ...filters, scope: null, state: null, ...selection })
    ? `${alias}.id = ANY(ARRAY(SELECT id FROM ${table}
        ORDER BY updated_at DESC, id DESC LIMIT ${LAST_UPDATED}))`
    : undefined;
}

/**
 * Returns SQL for those of the users $1 who can read something in project $2, by id, locked against
 * deletion; `condition` restricts them further. Plans are kept for any number of users.
 */
export const readersSql = (ability: ProjectAbility, condition = 'true'): string => `
  SELECT u.id, u.username FROM users u
  JOIN projects p ON p.id = $2 JOIN namespaces n ON n.id = p.namespace_id
  WHERE u.id = ANY((SELECT $1::bigint[])::bigint[])
    AND u.state = 'active' AND u.user_type <> 'internal'
    AND (u.admin OR p.visibility = ${VISIBILITY.public}
      OR (p.visibility = ${VISIBILITY.internal} AND NOT u.external)
      OR ${readerLevelSql(ability)})
    AND (${condition})
  ORDER BY u.id FOR KEY SHARE OF u`;

/** Returns SQL that is true when the role of a user `u` in the project has the ability. */
export function readerLevelSql(ability: ProjectAbility): string {
  return `${accessLevelSql('u.id', 'n', 'p.id')} >= ${ROLES[PROJECT_ABILITIES[ability]]}`;
}

/** Returns SQL that is true when the role of the user `me` in project `p` has the ability. */
export function abilitySql(me: string, ability: ProjectAbility): string {
  return authorizedProjectSql(me, String(ROLES[PROJECT_ABILITIES[ability]]));
}

/** Filters by name or id; throws 400 for both. */
function addAuthor(where: Conditions, alias: string, filters: IssuableFiltersDto): void {
  const { author_id: id, author_username: username } = filters;
  const isById = id !== undefined && id !== null;
  if (isById && username) throw mutuallyExclusive('author_id, author_username');
  if (isById) where.and(`${alias}.author_id = ${where.value(id)}`);
  if (username) where.and(`lower(author.username) = lower(${where.value(username)})`);
}

/** Filters by names or id; throws 400 for both, and for an invalid id. */
function addPeople(where: Conditions, tables: IssuableTables, filter: PeopleFilter): void {
  const { role, id, usernames } = filter;
  if (id && usernames && usernames.length > 0) {
    throw mutuallyExclusive(`${role}_id, ${role}_username`);
  }
  if (id) addPerson(where, tables, { role, id: id.toLowerCase() });
  const names = [...new Set((usernames ?? []).map((name) => name.toLowerCase()))];
  if (names.length === 0) return;
  const { alias, people, peopleKey: key, roleSql } = tables;
  where.and(`${alias}.id IN (SELECT q.${key} FROM ${people} q JOIN users u ON u.id = q.user_id
    WHERE ${roleSql(role)} AND lower(u.username) = ANY(${where.value(names)}::text[])
    GROUP BY q.${key} HAVING count(*) = ${where.value(names.length)}::int)`);
}

/** v4 clients send 0 for issuables without such a user. */
function addPerson(
  where: Conditions,
  tables: IssuableTables,
  { role, id }: { role: IssuableRole; id: string },
): void {
  const { alias, people, peopleKey, roleSql } = tables;
  const someone = `EXISTS (SELECT 1 FROM ${people} q
    WHERE q.${peopleKey} = ${alias}.id AND ${roleSql(role)})`;
  if (id === 'none' || id === '0') where.and(`NOT ${someone}`);
  else if (id === 'any') where.and(someone);
  else if (/^\d{1,16}$/.test(id)) where.and(hasRoleSql(tables, role, where.value(Number(id))));
  else throw new InvalidParamsError([`${role}_id is invalid`]);
}

function addLabels(
  where: Conditions,
  alias: string,
  given: readonly string[] | null | undefined,
): void {
  const names = labelNames(given);
  if (names.length === 0) return;
  const word = names.length === 1 ? names[0]?.toLowerCase() : undefined;
  if (word === 'none') where.and(`${alias}.labels = '{}'`);
  else if (word === 'any') where.and(`${alias}.labels <> '{}'`);
  else where.and(`${alias}.labels @> ${where.value(names)}::text[]`);
}

function addSearch(
  where: Conditions,
  alias: string,
  { search, in: attributes }: IssuableFiltersDto,
): void {
  if (!search) return;
  const pattern = where.value(containsPattern(search));
  const columns = attributes && attributes.length > 0 ? attributes : ['title', 'description'];
  where.and(columns.map((column) => `${alias}.${column} ILIKE ${pattern}`).join(' OR '));
}

function addTimes(where: Conditions, alias: string, filters: IssuableFiltersDto): void {
  const bounds = [
    ['created_at >=', filters.created_after],
    ['created_at <=', filters.created_before],
    ['updated_at >=', filters.updated_after],
    ['updated_at <=', filters.updated_before],
  ] as const;
  for (const [comparison, bound] of bounds) {
    if (bound) where.and(`${alias}.${comparison} ${where.value(bound)}`);
  }
}

function mutuallyExclusive(names: string): InvalidParamsError {
  return new InvalidParamsError([`${names} are mutually exclusive`]);
}
