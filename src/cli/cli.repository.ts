import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { DataSource, Repository } from 'typeorm';
import { Sql } from '../core/sql/sql.service.js';
import { User } from '../identity/users/user.entity.js';

/** Takes the lock of the commands that prepare the database, until the connection ends. */
export const SETUP_LOCK_SQL = `SELECT pg_advisory_lock(hashtext('guildhall setup'))`;

/** Takes the lock of the command that makes demo data, until the connection ends. */
export const DEMO_LOCK_SQL = `SELECT pg_advisory_lock(hashtext('guildhall demo data'))`;

/**
 * Runs `work` with a connection of its own. Without a listener a connection that is lost while it
 * is idle would end the process; with one the next statement fails, and the locks are known lost.
 */
export async function withConnection<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The user that a new token acts as. */
export type TokenUser = Pick<User, 'id' | 'username' | 'admin'>;

export const USER_LIST_FILTERS = [
  'people',
  'admins',
  'blocked',
  'pending',
  'locked',
  'bots',
] as const;

/** A user as the command line lists it. */
export interface ListedUser {
  id: number;
  username: string;
  email: string;
  state: string;
  admin: boolean;
  locked: boolean;
  last_activity_on: string | null;
}

const USER_CONDITIONS: Record<(typeof USER_LIST_FILTERS)[number], string> = {
  people: `user_type = 'human'`,
  admins: `user_type = 'human' AND admin`,
  blocked: `state IN ('blocked', 'banned')`,
  pending: `state = 'pending'`,
  locked: 'locked_at IS NOT NULL',
  bots: `user_type <> 'human'`,
};

/** Owns what only commands read: the first users, and the database's clock. */
@Injectable()
export class CliRepository extends Repository<User> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(User, dataSource.manager);
  }

  /** Returns false until the first person has an account; internal users do not count. */
  hasHumans(): Promise<boolean> {
    return this.existsBy({ userType: 'human' });
  }

  /** Returns the username of the first administrator, or null without one. */
  async findFirstAdministrator(): Promise<string | null> {
    const user = await this.firstAdministrator();
    return user?.username ?? null;
  }

  /** Returns the ID of the first administrator, or null without one. */
  async findFirstAdministratorId(): Promise<number | null> {
    const user = await this.firstAdministrator();
    return user?.id ?? null;
  }

  /**
   * Returns true if the only users are the owners of these email addresses and an administrator
   * created within an hour of `time`.
   */
  async isNewSince(time: Date, emails: readonly string[]): Promise<boolean> {
    const row = await this.queries.row<{ isNew: boolean }>(
      `SELECT bool_and(email = ANY($2)
           OR admin AND created_at BETWEEN $1::timestamptz - interval '1 hour'
                                       AND $1::timestamptz + interval '1 hour') AS "isNew"
       FROM users WHERE user_type = 'human'`,
      [time, emails],
    );
    return row?.isNew === true;
  }

  private firstAdministrator(): Promise<User | null> {
    return this.findOne({ where: { admin: true }, order: { id: 'ASC' } });
  }

  /** Returns the human user with this name in any case, or null. */
  findHuman(username: string): Promise<TokenUser | null> {
    return this.queries.row<TokenUser>(
      `SELECT id, username, admin FROM users
       WHERE lower(username) = lower($1) AND user_type = 'human'`,
      [username],
    );
  }

  /** Returns the newest users, with a text only those that contain it in a name or address. */
  listUsers({
    filter,
    search = '',
    limit,
  }: {
    filter: (typeof USER_LIST_FILTERS)[number];
    search?: string;
    limit: number;
  }): Promise<ListedUser[]> {
    return this.queries.rows<ListedUser>(
      `SELECT id, username, email, state, admin, locked_at IS NOT NULL AS locked, last_activity_on
       FROM users
       WHERE ${USER_CONDITIONS[filter]}
         AND strpos(lower(username || ' ' || name || ' ' || coalesce(email, '')), lower($1)) > 0
       ORDER BY id DESC LIMIT $2`,
      [search, limit],
    );
  }

  /** Counts the writes without a heartbeat for five minutes. */
  async countAbandonedWrites(): Promise<number> {
    const row = await this.queries.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM inflight_writes
       WHERE heartbeat_at < now() - interval '5 minutes'`,
    );
    return row?.count ?? 0;
  }

  /** Returns the number of connections that PostgreSQL allows to roles other than superusers. */
  async findConnectionLimit(): Promise<number> {
    const row = await this.queries.row<{ limit: number }>(
      `SELECT current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int AS "limit"`,
    );
    return row?.limit ?? 0;
  }

  /** Returns the current time of the database. */
  async findTime(): Promise<Date> {
    const row = await this.queries.row<{ now: Date }>('SELECT now() AS now');
    return row?.now ?? new Date();
  }
}
