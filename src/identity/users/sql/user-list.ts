import type { Viewer } from '../../../core/access/auth-context.js';
import { Conditions, containsPattern } from '../../../core/sql/conditions.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { COUNTED_RECORDS, isUnfiltered } from '../../../core/sql/list-query.js';
import type { Sql } from '../../../core/sql/sql.service.js';
import { rowVersion, type VersionedQuery } from '../../../core/sql/json-pages.service.js';
import type { ListUsersDto } from '../user-filters.dto.js';
import type { UserState } from '../user.entity.js';

/** Returns a SQL expression for the UserBasics of the user at this alias. */
export function userSql(alias: string): string {
  return `json_build_object('id', ${alias}.id, 'username', ${alias}.username,
    'name', ${alias}.name, 'state', ${alias}.state, 'avatar', ${alias}.avatar)`;
}

/** The same for a user that can be missing: null then. */
export function optionalUserSql(alias: string): string {
  return `CASE WHEN ${alias}.id IS NULL THEN NULL ELSE ${userSql(alias)} END`;
}

/** Columns of a UserDetails. */
export const USER_COLUMNS = `
  u.id, u.username, u.name, u.email, u.avatar, u.public_email AS "publicEmail", u.state,
  u.user_type AS "userType", u.admin, u.external, u.private_profile AS "privateProfile",
  u.can_create_group AS "canCreateGroup", u.projects_limit AS "projectsLimit", u.bio, u.location,
  u.website_url AS "websiteUrl", u.organization, u.job_title AS "jobTitle", u.pronouns, u.note,
  u.confirmed_at AS "confirmedAt", u.current_sign_in_at AS "currentSignInAt",
  u.last_sign_in_at AS "lastSignInAt", u.locked_at AS "lockedAt", u.last_activity_on AS "lastActivityOn",
  u.created_at AS "createdAt", u.updated_at AS "updatedAt", n.id AS "namespaceId"`;

/** The tables of USER_COLUMNS; bots have no namespace. */
export const USER_FROM = 'users u LEFT JOIN namespaces n ON n.owner_id = u.id';

/** Boolean filters with a fixed condition. */
export const USER_FLAGS = {
  active: `u.state = 'active' AND u.user_type <> 'internal'`,
  blocked: `u.state = 'blocked'`,
  external: 'u.external',
  humans: `u.user_type = 'human'`,
  admins: 'u.admin',
  exclude_active: `u.state <> 'active'`,
  exclude_external: 'NOT u.external',
  exclude_humans: `u.user_type <> 'human'`,
  exclude_internal: `u.user_type <> 'internal'`,
  without_project_bots: `u.user_type <> 'project_bot'`,
} as const satisfies Partial<Record<keyof ListUsersDto, string>>;

/** No direct membership of a project: two indexes are read side by side. */
const NO_MEMBERSHIP = `
  NOT EXISTS (SELECT FROM members m WHERE m.user_id = u.id AND m.project_id IS NOT NULL)`;

/** No project in the user's namespace, nor in or below a group of the user; ends at the first one. */
const NO_PROJECTS_ELSEWHERE = `
  NOT EXISTS (SELECT FROM namespaces own JOIN projects p ON p.namespace_id = own.id
    WHERE own.owner_id = u.id)
  AND NOT EXISTS (SELECT FROM members m WHERE m.user_id = u.id AND EXISTS (
    WITH RECURSIVE below AS (SELECT m.namespace_id AS id UNION ALL
      SELECT n.id FROM below JOIN namespaces n ON n.parent_id = below.id)
    SELECT FROM below JOIN projects p ON p.namespace_id = below.id))`;

/** Filters of a list of users, which can be some of them; `state` counts for administrators only. */
export type UserFilters = ListUsersDto & { state?: UserState; ids?: readonly number[] };

/** The users that a viewer asks for. */
export interface UserSelection {
  filters: UserFilters;
  viewer: Viewer | null;
}

/**
 * Chooses the statement of a list. Users without projects are named if they can be counted, as looking
 * for the next one can mean to look at all users. If there are more, the next one is near, and a search
 * finds few users anyway.
 */
export async function planUserList(
  sql: Sql,
  { filters, viewer }: UserSelection,
  paging: Paging,
): Promise<{ query: VersionedQuery; paging: Paging }> {
  const { without_projects: isWithoutProjects, search, username } = filters;
  if (viewer?.admin !== true || isWithoutProjects !== true || search || username)
    return { query: usersStatement(filters, viewer), paging };
  const { text, values } = usersWithoutProjectsStatement(filters, viewer);
  const ids = await sql.fewIds(text, values, COUNTED_RECORDS);
  if (ids === null) return { query: usersStatement(filters, viewer), paging: paging.uncounted() };
  return { query: usersStatement({ ...filters, without_projects: null, ids }, viewer), paging };
}

function usersStatement(filters: UserFilters, viewer: Viewer | null): VersionedQuery {
  const where = new Conditions();
  addUserFilters(where, filters, viewer);
  return {
    key: 'u.id',
    id: 'u.id',
    select: USER_COLUMNS,
    version: rowVersion('u', 'n'),
    fresh: 'u.locked_at AS "lockedAt"',
    from: 'users u',
    joins: 'LEFT JOIN namespaces n ON n.owner_id = u.id',
    where: where.toString(),
    orderBy: viewer?.admin === true ? userOrder(filters) : 'u.id DESC',
    values: where.values,
    isSearch: Boolean(filters.search),
    isWhole: isUnfiltered(filters),
  };
}

/** Returns the statement that finds the ids of a list with `without_projects`, in any order. */
function usersWithoutProjectsStatement(
  filters: UserFilters,
  viewer: Viewer,
): { text: string; values: unknown[] } {
  const where = new Conditions();
  addUserFilters(where, { ...filters, without_projects: null }, viewer);
  where.and(NO_MEMBERSHIP);
  const text = `
    WITH found AS MATERIALIZED (SELECT u.id FROM users u WHERE ${where.toString()})
    SELECT u.id FROM found u WHERE ${NO_PROJECTS_ELSEWHERE}`;
  return { text, values: where.values };
}

/** Adds the filters; those of administrators are dropped for anyone else. */
export function addUserFilters(
  where: Conditions,
  filters: UserFilters,
  viewer: Viewer | null,
): void {
  addCommonFilters(where, filters, viewer);
  if (filters.ids !== undefined) where.and(`u.id = ANY(${where.value(filters.ids)}::bigint[])`);
  // Without signing in no one learns that an account is blocked, or that it ever was one.
  if (viewer === null) where.and(USER_FLAGS.active);
  if (viewer?.admin === true) addAdminFilters(where, filters);
}

function addCommonFilters(where: Conditions, filters: ListUsersDto, viewer: Viewer | null): void {
  const { username, search } = filters;
  if (username) where.and(`lower(u.username) = lower(${where.value(username)})`);
  if (search) where.and(searchCondition(where, search, viewer));
  for (const [name, condition] of Object.entries(USER_FLAGS)) {
    if (filters[name as keyof typeof USER_FLAGS] === true) where.and(condition);
  }
}

/** Private addresses are found by administrators only, and only when given in full. */
function searchCondition(where: Conditions, search: string, viewer: Viewer | null): string {
  const pattern = where.value(containsPattern(search));
  const exact = where.value(search);
  const email = viewer?.admin === true ? `OR lower(u.email) = lower(${exact})` : '';
  return `u.name ILIKE ${pattern} OR u.username ILIKE ${pattern}
    OR u.public_email <> '' AND lower(u.public_email) = lower(${exact}) ${email}`;
}

function addAdminFilters(where: Conditions, filters: UserFilters): void {
  const { state } = filters;
  if (state !== undefined) {
    // The few others have an index, which a plan for any value can only use if it is told so.
    if (state !== 'active') where.and(USER_FLAGS.exclude_active);
    where.and(`u.state = ${where.value(state)}`);
  }
  const { created_after: after, created_before: before } = filters;
  if (after) where.and(`u.created_at > ${where.value(after)}`);
  if (before) where.and(`u.created_at < ${where.value(before)}`);
  if (filters.without_projects === true) where.and(NO_MEMBERSHIP).and(NO_PROJECTS_ELSEWHERE);
  // No user has a second factor or an identity of another provider: neither can be set up.
  if (filters.two_factor === 'enabled') where.and('false');
  if (filters.extern_uid && filters.provider) where.and('false');
}

/** Returns the ORDER BY part of an administrator's list. */
function userOrder({ order_by: column, sort }: ListUsersDto): string {
  const direction = sort === 'asc' ? 'ASC' : 'DESC';
  const order = `u.id ${direction}`;
  return !column || column === 'id' ? order : `u.${column} ${direction}, ${order}`;
}
