import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Sql } from '../../core/sql/sql.service.js';
import { UserEmail, type User } from '../users/user.entity.js';

const COLUMNS = `
  e.id, e.user_id AS "userId", e.email, e.confirmed_at AS "confirmedAt",
  e.created_at AS "createdAt"`;

const CONFIRMED_SQL = `
  SELECT u.email FROM users u WHERE u.id = $1 AND u.confirmed_at IS NOT NULL
  UNION ALL
  (SELECT e.email FROM user_emails e
   WHERE e.user_id = $1 AND e.confirmed_at IS NOT NULL ORDER BY e.id)`;

/** Finds the user with this confirmed address ($1), as their account has it; by indexes alone. */
const OWNER_SQL = `
  SELECT u.id, u.name, u.username, a.address
  FROM (
    SELECT id, email AS address FROM users
    WHERE lower(email) = lower($1) AND confirmed_at IS NOT NULL
    UNION ALL
    SELECT user_id, email FROM user_emails
    WHERE lower(email) = lower($1) AND confirmed_at IS NOT NULL
  ) a JOIN users u ON u.id = a.id
  WHERE u.user_type = 'human' AND u.state IN ('active', 'deactivated')
  LIMIT 1`;

/** One row if the address ($2) is still a confirmed one of the user ($1), who can sign in. */
const STILL_OWNS_SQL = `
  SELECT 1 FROM users u
  WHERE u.id = $1 AND u.state IN ('active', 'deactivated')
    AND (u.email = $2 AND u.confirmed_at IS NOT NULL OR EXISTS (SELECT FROM user_emails e
      WHERE e.user_id = u.id AND e.email = $2 AND e.confirmed_at IS NOT NULL))`;

/** The user with a confirmed address, which is written as their account has it. */
type AddressOwner = Pick<User, 'id' | 'name' | 'username'> & { address: string };

/** Owns every statement about secondary email addresses; the primary one is in the user's row. */
@Injectable()
export class UserEmailsRepository extends Repository<UserEmail> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(UserEmail, dataSource.manager);
  }

  /** Returns one page of a user's addresses in the order in which they were added. */
  page(userId: number, paging: Paging): Promise<Page<UserEmail>> {
    return this.queries.page<UserEmail>(
      {
        select: COLUMNS,
        from: 'user_emails e',
        where: 'e.user_id = $1',
        orderBy: 'e.id',
        values: [userId],
      },
      paging,
    );
  }

  /** Returns all of a user's addresses. */
  list(userId: number): Promise<UserEmail[]> {
    return this.queries.rows<UserEmail>(
      `SELECT ${COLUMNS} FROM user_emails e WHERE e.user_id = $1 ORDER BY e.id`,
      [userId],
    );
  }

  /** Throws NotFoundError for any but the user's own. */
  async findOfUser(userId: number, id: number): Promise<UserEmail> {
    const email = await this.queries.row<UserEmail>(
      `SELECT ${COLUMNS} FROM user_emails e WHERE e.user_id = $1 AND e.id = $2`,
      [userId, id],
    );
    if (email === null) throw new NotFoundError('Email');
    return email;
  }

  /** Returns the confirmed addresses of the user, the primary one first. */
  async listConfirmed(userId: number): Promise<string[]> {
    const rows = await this.queries.rows<{ email: string }>(CONFIRMED_SQL, [userId]);
    return rows.map(({ email }) => email);
  }

  /** Returns true for a confirmed address of the user. */
  async isConfirmed(userId: number, email: string): Promise<boolean> {
    return (await this.listConfirmed(userId)).includes(email);
  }

  /** Returns the user who can sign in and has confirmed this address, in any case, or null. */
  async findOwner(manager: EntityManager, email: string): Promise<AddressOwner | null> {
    const [owner] = await manager.query<AddressOwner[]>(OWNER_SQL, [email]);
    return owner ?? null;
  }

  /** Returns true while the address is a confirmed one of a user who can sign in. */
  async isOwner(
    manager: EntityManager,
    { userId, email }: { userId: number; email: string },
  ): Promise<boolean> {
    const rows = await manager.query<object[]>(STILL_OWNS_SQL, [userId, email]);
    return rows.length === 1;
  }
}
