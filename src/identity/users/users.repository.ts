import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { NotFoundError } from '../../core/errors.js';
import type { JsonItem } from '../../core/pagination/json-items.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { countsSql } from '../../core/sql/counts.js';
import { JsonPages, type ItemFormat } from '../../core/sql/json-pages.service.js';
import { Sql } from '../../core/sql/sql.service.js';
import {
  USER_COLUMNS,
  USER_FLAGS,
  USER_FROM,
  planUserList,
  type UserFilters,
  type UserSelection,
} from './sql/user-list.js';
import { User } from './user.entity.js';
import type { UserDetails } from './user.presenter.js';
import type { Settings } from '../../core/settings/settings.js';

const BY_ID_SQL = `SELECT ${USER_COLUMNS} FROM ${USER_FROM} WHERE u.id = $1`;
const BY_USERNAME_SQL = `SELECT ${USER_COLUMNS} FROM ${USER_FROM} WHERE lower(u.username) = lower($1)`;
const BY_PUBLIC_EMAIL_SQL = `
  SELECT ${USER_COLUMNS} FROM ${USER_FROM} WHERE lower(u.public_email) = lower($1)
    AND u.public_email <> '' AND ${USER_FLAGS.active} ORDER BY u.id LIMIT 1`;

const USERNAME_BY_EMAIL_SQL = `
  SELECT username FROM users
  WHERE lower(public_email) = lower($1) OR ($2::boolean AND lower(email) = lower($1))
  ORDER BY id LIMIT 1`;

const INSIGHT_SQL = `
  SELECT u.sign_in_count AS "signInCount", host(u.current_sign_in_ip) AS "currentSignInIp",
         host(u.last_sign_in_ip) AS "lastSignInIp", u.failed_attempts AS "failedAttempts",
         CASE WHEN u.locked_at > $2 THEN u.locked_at END AS "lockedAt",
         (SELECT count(*)::int FROM access_tokens t
          WHERE t.user_id = u.id AND t.kind <> 'oauth' AND t.revoked_at IS NULL
            AND (t.expires_at IS NULL OR t.expires_at > $3))
           AS tokens,
         (SELECT count(*)::int FROM members m WHERE m.user_id = u.id) AS memberships,
         (SELECT count(*)::int FROM projects p JOIN namespaces n ON n.id = p.namespace_id
          WHERE n.owner_id = u.id AND NOT p.pending_delete) AS "ownProjects"
  FROM users u WHERE u.id = $1`;

/** The users of each kind. */
const KINDS = {
  people: `users WHERE user_type = 'human'`,
  admins: 'users WHERE admin',
  pending: `users WHERE user_type = 'human' AND state = 'pending'`,
  blocked: `users WHERE user_type = 'human' AND state = 'blocked'`,
  banned: `users WHERE user_type = 'human' AND state = 'banned'`,
  deactivated: `users WHERE user_type = 'human' AND state = 'deactivated'`,
  bots: `users WHERE user_type <> 'human'`,
} as const;

const COUNTS_SQL = countsSql(KINDS);

/** Advisory lock under which administrators lose their role or account one after the other. */
const ADMINISTRATORS_LOCK = 7_220_003;

const OTHER_ADMINISTRATOR_SQL = `
  SELECT 1 FROM users WHERE admin AND state = 'active' AND id <> $1 LIMIT 1`;

type UserRow = Omit<UserDetails, 'locked'>;

/** The id and name of a user. */
export type NamedUser = Pick<User, 'id' | 'username'>;

/** Attributes of a user that only administrators see. */
export interface UserInsight {
  signInCount: number;
  currentSignInIp: string | null;
  lastSignInIp: string | null;
  failedAttempts: number;
  /** Time at which the account was locked; null when it is open, also once the lock has expired. */
  lockedAt: Date | null;
  tokens: number;
  memberships: number;
  ownProjects: number;
}

/** Users by kind. */
type UserCounts = Record<keyof typeof KINDS, number>;

/** Owns every statement that reads users; TypeORM writes single rows. */
@Injectable()
export class UsersRepository extends Repository<User> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly pages: JsonPages,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {
    super(User, dataSource.manager);
  }

  /** Returns the user with the id of their namespace, or null. */
  findDetails(id: number): Promise<UserDetails | null> {
    return this.findRow(BY_ID_SQL, id);
  }

  /** Returns the user with this name in any case, or null. */
  findByUsername(username: string): Promise<UserDetails | null> {
    return this.findRow(BY_USERNAME_SQL, username);
  }

  /** Returns the active user who shows this email address to everyone, in any case, or null. */
  findByPublicEmail(email: string): Promise<UserDetails | null> {
    return this.findRow(BY_PUBLIC_EMAIL_SQL, email);
  }

  /** Returns the id of the user with this name in any case, or null. */
  async findIdByUsername(username: string): Promise<number | null> {
    const row = await this.queries.row<{ id: number }>(
      'SELECT id FROM users WHERE lower(username) = lower($1)',
      [username],
    );
    return row?.id ?? null;
  }

  /** Returns the users with these lower-case names. */
  findByUsernames(
    usernames: readonly string[],
    manager: EntityManager = this.manager,
  ): Promise<NamedUser[]> {
    return manager.query<NamedUser[]>(
      'SELECT id, username FROM users WHERE lower(username) = ANY($1::text[])',
      [usernames],
    );
  }

  /** Throws NotFoundError without such a user. */
  async assertExists(id: number): Promise<void> {
    const user = await this.queries.row('SELECT 1 FROM users WHERE id = $1', [id]);
    if (user === null) throw new NotFoundError('User');
  }

  /** Locks a user until the transaction ends; throws NotFoundError. */
  async lock(manager: EntityManager, id: number): Promise<User> {
    const lock = { mode: 'pessimistic_write' } as const;
    const user = await manager.findOne(User, { where: { id }, lock });
    if (user === null) throw new NotFoundError('User');
    return user;
  }

  /**
   * Returns true for the only active administrator. Until the transaction ends others wait here, so
   * that of two administrators who leave concurrently one stays. Requires the lock of the user.
   */
  async isLastAdministrator(
    manager: EntityManager,
    { id, admin, state }: Pick<User, 'id' | 'admin' | 'state'>,
  ): Promise<boolean> {
    if (!admin || state !== 'active') return false;
    await manager.query('SELECT pg_advisory_xact_lock($1)', [ADMINISTRATORS_LOCK]);
    return (await manager.query<object[]>(OTHER_ADMINISTRATOR_SQL, [id])).length === 0;
  }

  /** Returns the user, or null, and keeps it from being deleted until the transaction ends. */
  async hold(manager: EntityManager, id: number): Promise<Pick<User, 'admin' | 'userType'> | null> {
    const [user] = await manager.query<Pick<User, 'admin' | 'userType'>[]>(
      'SELECT admin, user_type AS "userType" FROM users WHERE id = $1 FOR KEY SHARE',
      [id],
    );
    return user ?? null;
  }

  /** Returns the username for an email address; private addresses are found by administrators. */
  async findUsernameByEmail(email: string, viewer: Viewer | null): Promise<string | null> {
    const values = [email, viewer?.admin === true];
    const row = await this.queries.row<{ username: string }>(USERNAME_BY_EMAIL_SQL, values);
    return row?.username ?? null;
  }

  /** Returns true for a user who is allowed to create top-level groups. */
  async isGroupCreator(userId: number): Promise<boolean> {
    const user = await this.queries.row<{ allowed: boolean }>(
      'SELECT can_create_group AND NOT external AS allowed FROM users WHERE id = $1',
      [userId],
    );
    return user?.allowed === true;
  }

  /** Returns one page of the users that match every filter. */
  async list(
    filters: UserFilters,
    viewer: Viewer | null,
    paging: Paging,
  ): Promise<Page<UserDetails>> {
    const list = await planUserList(this.queries, { filters, viewer }, paging);
    const page = await this.queries.page<UserRow>(list.query, list.paging);
    return { ...page, items: page.items.map((row) => this.withLock(row)) };
  }

  /** The same as JSON; `form` names the presentation. */
  async listItems<Item extends object>(
    selection: UserSelection,
    paging: Paging,
    { form, present }: { form: string; present: (user: UserDetails) => Item },
  ): Promise<Page<JsonItem<Item>>> {
    const format: ItemFormat<Item, UserRow, Pick<UserRow, 'lockedAt'>> = {
      name: 'user',
      form: () => form,
      present: (row) => ({ ...present(this.withLock(row)), locked: undefined }),
      presentFresh: (row) => ({ locked: this.isLocked(row) }),
    };
    const list = await planUserList(this.queries, selection, paging);
    return this.pages.page(list.query, list.paging, format);
  }

  /** Returns the attributes of a user for administrators, or null. */
  findInsight(id: number): Promise<UserInsight | null> {
    const now = this.clock.now();
    const lockedSince = locksOverSince(this.settings.values, now);
    return this.queries.row<UserInsight>(INSIGHT_SQL, [id, lockedSince, now]);
  }

  /** Counts users by kind; large counts as `Sql.counts` does. */
  async countByKind(): Promise<UserCounts> {
    const counts = await this.queries.counts(COUNTS_SQL, [], Object.keys(KINDS));
    return Object.fromEntries(counts.map(({ name, count }) => [name, count])) as UserCounts;
  }

  private async findRow(text: string, value: unknown): Promise<UserDetails | null> {
    const row = await this.queries.row<UserRow>(text, [value]);
    return row === null ? null : this.withLock(row);
  }

  private withLock(row: UserRow): UserDetails {
    return { ...row, locked: this.isLocked(row) };
  }

  private isLocked({ lockedAt }: Pick<UserRow, 'lockedAt'>): boolean {
    const lockedSince = locksOverSince(this.settings.values, this.clock.now());
    return lockedAt !== null && lockedAt > lockedSince;
  }
}

const MINUTE_MS = 60_000;

/** Returns the time before which locks have expired. */
export function locksOverSince(settings: Settings, now: Date): Date {
  const minutes = settings.failed_login_attempts_unlock_period_in_minutes;
  return new Date(now.getTime() - minutes * MINUTE_MS);
}
