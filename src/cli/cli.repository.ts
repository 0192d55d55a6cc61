import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { Sql } from '../core/sql/sql.service.js';

/** Holds until the connection ends; the command that gets it prepares the database alone. */
export const SETUP_LOCK_SQL = `SELECT pg_advisory_lock(hashtext('guildhall setup'))`;

const VIEWER_SQL = `
  SELECT id, username, name, email, admin, external, state, user_type AS "userType",
         confirmed_at IS NOT NULL AS confirmed
  FROM users WHERE id = $1`;

/** The user that a new token acts as. */
export interface TokenUser {
  id: number;
  username: string;
  admin: boolean;
}

/** Owns the statements that only commands need: about the first users and the database's clock. */
@Injectable()
export class CliRepository {
  constructor(private readonly queries: Sql) {}

  /** Returns true for a database without users. */
  async hasNoUsers(): Promise<boolean> {
    return (await this.queries.row('SELECT 1 FROM users LIMIT 1')) === null;
  }

  /** Returns the username of the first administrator, or null without one. */
  async findFirstAdministrator(): Promise<string | null> {
    const row = await this.queries.row<{ username: string }>(
      'SELECT username FROM users WHERE admin ORDER BY id LIMIT 1',
    );
    return row?.username ?? null;
  }

  /** Returns a user as services know who acts, or null. */
  findViewer(id: number): Promise<Viewer | null> {
    return this.queries.row<Viewer>(VIEWER_SQL, [id]);
  }

  /** Returns the human user with this name in any case, or null. */
  findHuman(username: string): Promise<TokenUser | null> {
    return this.queries.row<TokenUser>(
      `SELECT id, username, admin FROM users
       WHERE lower(username) = lower($1) AND user_type = 'human'`,
      [username],
    );
  }

  /** Returns the current time by the clock that rows are dated with. */
  async findTime(): Promise<Date> {
    const row = await this.queries.row<{ now: Date }>('SELECT now() AS now');
    return row?.now ?? new Date();
  }
}
