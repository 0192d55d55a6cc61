import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { Sql } from '../../core/sql/sql.service.js';
import { User } from '../users/user.entity.js';

const VIEWER_COLUMNS = `
  id, username, name, email, avatar, admin, external, state, user_type AS "userType",
  confirmed_at IS NOT NULL AS confirmed`;

/** Finds the person with this username or confirmed email address ($1), in any case. */
const CANDIDATE_SQL = `
  SELECT id, password_digest AS "passwordDigest" FROM users
  WHERE user_type = 'human' AND (lower(username) = lower($1) OR lower(email) = lower($1)
    OR id = (SELECT user_id FROM user_emails
             WHERE lower(email) = lower($1) AND confirmed_at IS NOT NULL))`;

/** Forgets wrong passwords; nothing when the password has been changed meanwhile. */
const RESET_ATTEMPTS_SQL = `
  UPDATE users SET failed_attempts = 0, locked_at = NULL
  WHERE id = $1 AND password_digest = $2 RETURNING ${VIEWER_COLUMNS}`;

/** Locks with the last attempt allowed; locks of before $2 are over. Nothing while locked. */
const COUNT_ATTEMPT_SQL = `
  UPDATE users u SET
    failed_attempts = counted.attempts,
    locked_at = CASE WHEN counted.attempts >= $3 THEN $4::timestamptz END
  FROM (
    SELECT id, CASE WHEN locked_at IS NULL THEN failed_attempts + 1 ELSE 1 END AS attempts
    FROM users WHERE id = $1 AND (locked_at IS NULL OR locked_at <= $2::timestamptz) FOR UPDATE
  ) counted
  WHERE u.id = counted.id
  RETURNING u.failed_attempts AS attempts, u.locked_at IS NOT NULL AS "isLast"`;

const UNCOUNT_ATTEMPT_SQL = `
  UPDATE users SET failed_attempts = greatest(failed_attempts - 1, 0),
    locked_at = CASE WHEN locked_at = $2::timestamptz THEN NULL ELSE locked_at END
  WHERE id = $1`;

/** $3: the digest that was right; a password that has been changed meanwhile opens nothing. */
const RECORD_SIGN_IN_SQL = `
  UPDATE users SET
    state = 'active', last_sign_in_at = current_sign_in_at, current_sign_in_at = now(),
    last_sign_in_ip = current_sign_in_ip, current_sign_in_ip = $2::inet,
    sign_in_count = sign_in_count + 1, last_activity_on = current_date,
    updated_at = CASE WHEN state = 'active' THEN updated_at ELSE now() END
  WHERE id = $1 AND password_digest = $3 AND state IN ('active', 'deactivated')
  RETURNING id`;

/** Finds the user whose primary address ($1) waits for its confirmation. */
const UNCONFIRMED_SQL = `
  SELECT id, name, username, email FROM users
  WHERE lower(email) = lower($1) AND confirmed_at IS NULL AND user_type = 'human'
    AND state NOT IN ('blocked', 'banned')`;

/** A person whose password is to be checked. */
export interface Candidate {
  id: number;
  /** null = no password is set. */
  passwordDigest: string | null;
}

/** The failed attempts to sign in to an account. */
export interface CountedAttempts {
  attempts: number;
  /** The account is locked unless this attempt succeeds. */
  isLast: boolean;
}

/** A user whose primary address is not confirmed. */
type UnconfirmedUser = Pick<User, 'id' | 'name' | 'username' | 'email'>;

/** Owns the statements about users by which they sign in, or others act as them. */
@Injectable()
export class AccountsRepository extends Repository<User> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(User, dataSource.manager);
  }

  /** Returns the user with this ID, or null; also for numbers that are not safe integers. */
  async findViewerById(id: number): Promise<Viewer | null> {
    if (!Number.isSafeInteger(id)) return null;
    return this.queries.lookUp<Viewer>(`SELECT ${VIEWER_COLUMNS} FROM users WHERE id = $1`, [id]);
  }

  /** Returns the user with this username, in any case, or null. */
  findViewerByUsername(username: string): Promise<Viewer | null> {
    return this.queries.row<Viewer>(
      `SELECT ${VIEWER_COLUMNS} FROM users WHERE lower(username) = lower($1)`,
      [username],
    );
  }

  /** Returns the person with this username or confirmed email address, in any case, or null. */
  findCandidate(login: string): Promise<Candidate | null> {
    return this.queries.row<Candidate>(CANDIDATE_SQL, [login]);
  }

  /**
   * Counts an attempt to sign in as failed; the last one allowed locks the account. Returns null
   * for an account that was locked after `lockedAfter`.
   */
  countAttempt(
    id: number,
    { lockedAfter, allowed, now }: { lockedAfter: Date; allowed: number; now: Date },
  ): Promise<CountedAttempts | null> {
    return this.queries.row<CountedAttempts>(COUNT_ATTEMPT_SQL, [id, lockedAfter, allowed, now]);
  }

  /** Undoes `countAttempt` of that moment. */
  async uncountAttempt(id: number, countedAt: Date): Promise<void> {
    await this.queries.rows(UNCOUNT_ATTEMPT_SQL, [id, countedAt]);
  }

  /** Forgets failed attempts; returns null when the password has changed meanwhile. */
  resetAttempts(id: number, passwordDigest: string): Promise<Viewer | null> {
    return this.queries.row<Viewer>(RESET_ATTEMPTS_SQL, [id, passwordDigest]);
  }

  /**
   * Records a sign-in and reactivates the user; returns false when the password or the state has
   * changed meanwhile.
   */
  async recordSignIn(
    manager: EntityManager,
    id: number,
    { ip, passwordDigest }: { ip: string | null; passwordDigest: string },
  ): Promise<boolean> {
    const [rows] = await manager.query<[{ id: number }[], number]>(RECORD_SIGN_IN_SQL, [
      id,
      ip,
      passwordDigest,
    ]);
    return rows.length > 0;
  }

  /** Returns the person whose primary address this is if it waits for its confirmation. */
  async findUnconfirmed(manager: EntityManager, email: string): Promise<UnconfirmedUser | null> {
    const [user] = await manager.query<UnconfirmedUser[]>(UNCONFIRMED_SQL, [email]);
    return user ?? null;
  }

  /** Locks the user until the transaction ends. */
  async lock(manager: EntityManager, id: number): Promise<void> {
    await manager.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [id]);
  }
}
