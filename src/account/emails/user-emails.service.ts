import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { UserEmail } from '../user-email.entity.js';

const COLUMNS = `
  e.id, e.user_id AS "userId", e.email, e.confirmed_at AS "confirmedAt",
  e.created_at AS "createdAt"`;

const CONFIRMED_SQL = `
  SELECT u.email FROM users u WHERE u.id = $1 AND u.confirmed_at IS NOT NULL
  UNION ALL
  (SELECT e.email FROM user_emails e
   WHERE e.user_id = $1 AND e.confirmed_at IS NOT NULL ORDER BY e.id)`;

/** Reads the further e-mail addresses of users; the primary one is in the user's row. */
@Injectable()
export class UserEmails {
  constructor(private readonly sql: Sql) {}

  /** One page of them, in the order in which they were added. */
  page(userId: number, paging: Paging): Promise<Page<UserEmail>> {
    return this.sql.page<UserEmail>(
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

  /** All of them. */
  list(userId: number): Promise<UserEmail[]> {
    return this.sql.rows<UserEmail>(
      `SELECT ${COLUMNS} FROM user_emails e WHERE e.user_id = $1 ORDER BY e.id`,
      [userId],
    );
  }

  /** Throws 404 for any but the user's own. */
  async find(userId: number, id: number): Promise<UserEmail> {
    const email = await this.sql.row<UserEmail>(
      `SELECT ${COLUMNS} FROM user_emails e WHERE e.user_id = $1 AND e.id = $2`,
      [userId, id],
    );
    if (email === null) throw new NotFoundError('Email');
    return email;
  }

  /** Addresses that the user is known to read, the primary one first. */
  async confirmed(userId: number): Promise<string[]> {
    const rows = await this.sql.rows<{ email: string }>(CONFIRMED_SQL, [userId]);
    return rows.map(({ email }) => email);
  }

  /** Whether the user is known to read mail at the address. */
  async isConfirmed(userId: number, email: string): Promise<boolean> {
    return (await this.confirmed(userId)).includes(email);
  }
}
