import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { Conditions, containsPattern } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { isLocked } from './account-lock.js';
import type { ListUsersDto } from './dto/list-users.dto.js';
import type { UserState } from './user.entity.js';
import type { UserDetails } from './user.presenter.js';

const COLUMNS = `
  u.id, u.username, u.name, u.email, u.avatar, u.public_email AS "publicEmail", u.state,
  u.user_type AS "userType", u.admin, u.external, u.private_profile AS "privateProfile",
  u.can_create_group AS "canCreateGroup", u.projects_limit AS "projectsLimit", u.bio, u.location,
  u.website_url AS "websiteUrl", u.organization, u.job_title AS "jobTitle", u.pronouns, u.note,
  u.confirmed_at AS "confirmedAt", u.current_sign_in_at AS "currentSignInAt",
  u.last_sign_in_at AS "lastSignInAt", u.locked_at AS "lockedAt", u.last_activity_on AS "lastActivityOn",
  u.created_at AS "createdAt", u.updated_at AS "updatedAt", n.id AS "namespaceId"`;

/** Bots have no namespace. */
const FROM = 'users u LEFT JOIN namespaces n ON n.owner_id = u.id';

/** Boolean filters that ask for nothing but a fixed condition. */
const FLAGS = {
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

/** No membership of any project: direct, through a group, or by owning its namespace. */
const WITHOUT_PROJECTS = `
  u.id NOT IN (
    WITH places AS (
      SELECT n.owner_id, n.traversal_ids FROM namespaces n
      WHERE n.id IN (SELECT p.namespace_id FROM projects p))
    SELECT m.user_id FROM members m WHERE m.project_id IS NOT NULL
    UNION SELECT owner_id FROM places WHERE owner_id IS NOT NULL
    UNION SELECT m.user_id FROM members m
      WHERE m.namespace_id IN (SELECT unnest(traversal_ids) FROM places))`;

/** What users are asked for; `state` counts for administrators only. */
export type UserFilters = ListUsersDto & { state?: UserState };

type UserRow = Omit<UserDetails, 'locked'>;

/** Reads users for answers, each with the id of the namespace that bears the user's name, if any. */
@Injectable()
export class UsersFinder {
  constructor(
    private readonly sql: Sql,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /** The user or null. */
  find(id: number): Promise<UserDetails | null> {
    return this.one(`SELECT ${COLUMNS} FROM ${FROM} WHERE u.id = $1`, id);
  }

  /** The user with this name in any case, or null. */
  findByUsername(username: string): Promise<UserDetails | null> {
    const text = `SELECT ${COLUMNS} FROM ${FROM} WHERE lower(u.username) = lower($1)`;
    return this.one(text, username);
  }

  /** The active user who shows this email address to everyone, in any case; null without one. */
  findByPublicEmail(email: string): Promise<UserDetails | null> {
    const text = `SELECT ${COLUMNS} FROM ${FROM} WHERE lower(u.public_email) = lower($1)
      AND u.public_email <> '' AND ${FLAGS.active} ORDER BY u.id LIMIT 1`;
    return this.one(text, email);
  }

  /**
   * Users that match every filter; `viewer` null or no administrator drops the admins' filters.
   * Nobody learns without signing in that an account is blocked, or that it ever was one.
   */
  async list(
    filters: UserFilters,
    viewer: Viewer | null,
    paging: Paging,
  ): Promise<Page<UserDetails>> {
    const where = new Conditions();
    addCommonFilters(where, filters, viewer);
    if (viewer === null) where.and(FLAGS.active);
    if (viewer?.admin === true) addAdminFilters(where, filters);
    const page = await this.sql.page<UserRow>(
      {
        select: COLUMNS,
        from: FROM,
        where: where.toString(),
        orderBy: viewer?.admin === true ? orderOf(filters) : 'u.id DESC',
        values: where.values,
      },
      paging,
    );
    return { ...page, items: page.items.map((row) => this.details(row)) };
  }

  private async one(text: string, value: unknown): Promise<UserDetails | null> {
    const row = await this.sql.row<UserRow>(text, [value]);
    return row === null ? null : this.details(row);
  }

  private details(row: UserRow): UserDetails {
    return { ...row, locked: isLocked(row.lockedAt, this.settings.values, this.clock.now()) };
  }
}

function addCommonFilters(where: Conditions, filters: ListUsersDto, viewer: Viewer | null): void {
  const { username, search } = filters;
  if (username) where.and(`lower(u.username) = lower(${where.value(username)})`);
  if (search) where.and(searchCondition(where, search, viewer));
  for (const [name, condition] of Object.entries(FLAGS)) {
    if (filters[name as keyof typeof FLAGS] === true) where.and(condition);
  }
}

/** Private addresses are found by administrators only, and only when given in full. */
function searchCondition(where: Conditions, search: string, viewer: Viewer | null): string {
  const pattern = where.value(containsPattern(search));
  const exact = where.value(search);
  const email = viewer?.admin === true ? `OR lower(u.email) = lower(${exact})` : '';
  return `u.name ILIKE ${pattern} OR u.username ILIKE ${pattern}
    OR lower(u.public_email) = lower(${exact}) ${email}`;
}

function addAdminFilters(where: Conditions, filters: UserFilters): void {
  if (filters.state !== undefined) where.and(`u.state = ${where.value(filters.state)}`);
  const { created_after: after, created_before: before } = filters;
  if (after) where.and(`u.created_at > ${where.value(after)}`);
  if (before) where.and(`u.created_at < ${where.value(before)}`);
  if (filters.without_projects === true) where.and(WITHOUT_PROJECTS);
  // Nobody has a second factor or an identity of another provider: neither can be set up.
  if (filters.two_factor === 'enabled') where.and('false');
  if (filters.extern_uid && filters.provider) where.and('false');
}

function orderOf({ order_by: column, sort }: ListUsersDto): string {
  const direction = sort === 'asc' ? 'ASC' : 'DESC';
  const order = `u.id ${direction}`;
  return !column || column === 'id' ? order : `u.${column} ${direction}, ${order}`;
}
