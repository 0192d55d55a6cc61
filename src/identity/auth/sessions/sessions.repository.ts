import { Injectable } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  Not,
  PrimaryGeneratedColumn,
  Repository,
  type EntityManager,
} from 'typeorm';
import type { SessionContext, Viewer } from '../../../core/access/auth-context.js';
import { Sql } from '../../../core/sql/sql.service.js';
import { User } from '../../users/user.entity.js';

/**
 * A sign-in by a browser. The cookie's value is known to the browser only: the row is found by
 * the SHA-256 of it, and ending a session deletes it.
 */
@Entity('sessions')
@Index('uq_sessions_digest', ['digest'], { unique: true })
@Index('ix_sessions_user', ['userId', 'id'])
@Index('ix_sessions_expires_at', ['expiresAt'])
export class Session {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_sessions' })
  id: number;

  @Column({ type: 'bytea', name: 'digest' })
  digest: Buffer;

  @ForeignKey(() => User, { name: 'fk_sessions_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  /** When the password was given. */
  @Column({ type: 'timestamptz', precision: 3, name: 'signed_in_at' })
  signedInAt: Date;

  /** Last request, at most a minute old while the session is in use. */
  @Column({ type: 'timestamptz', precision: 3, name: 'last_seen_at' })
  lastSeenAt: Date;

  /** The session ends at the latest now, however busy it is. */
  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt: Date;

  /** Keeps the cookie after the browser is closed. */
  @Column({ type: 'boolean', name: 'remembered', default: false })
  remembered: boolean;

  @Column({ type: 'inet', name: 'ip', nullable: true })
  ip: string | null;

  @Column({ type: 'text', name: 'user_agent', default: '' })
  userAgent: string;
}

/** An active session with its user. */
export interface FoundSession extends SessionContext {
  lastSeenAt: Date;
  remembered: boolean;
  user: Viewer;
}

interface SessionRow extends Viewer {
  session_id: number;
  signed_in_at: Date;
  last_seen_at: Date;
  remembered: boolean;
}

/** An active session as its user sees it in the list of devices. */
export interface ListedSession {
  id: number;
  signedInAt: Date;
  /** At most a minute old while the session is in use. */
  lastSeenAt: Date;
  remembered: boolean;
  /** The address at which the password was given. */
  ip: string | null;
  userAgent: string;
}

/** Minutes without a request after which sessions end. */
export interface IdleMinutes {
  usual: number;
  remembered: number;
}

/** True for a session that is active at $2; $3 and $4: idle minutes allowed, the latter when remembered. */
const IS_ACTIVE = `s.expires_at > $2 AND s.last_seen_at > $2::timestamptz
        - CASE WHEN s.remembered THEN $4::integer ELSE $3::integer END * interval '1 minute'`;

/** More than anyone has; all of them are on one page, so that each can be ended. */
const MAX_SESSIONS = 100;

/** Ends the least recently used sessions of the user $1 beyond the limit. */
const END_SURPLUS_SQL = `
  DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE user_id = $1
    ORDER BY last_seen_at DESC, id DESC OFFSET ${MAX_SESSIONS})`;

/** Active sessions of the user $1; $2 to $4 as for IS_ACTIVE. */
const LIST_SESSIONS_SQL = `
  SELECT s.id, s.signed_in_at AS "signedInAt", s.last_seen_at AS "lastSeenAt", s.remembered,
         host(s.ip) AS ip, s.user_agent AS "userAgent"
  FROM sessions s
  WHERE s.user_id = $1 AND ${IS_ACTIVE}
  ORDER BY s.last_seen_at DESC, s.id DESC
  LIMIT ${MAX_SESSIONS}`;

/** Finds a session by digest ($1) that has not ended; $2 to $4 as for IS_ACTIVE. */
const FIND_SESSION_SQL = `
  SELECT s.id AS session_id, s.signed_in_at, s.last_seen_at, s.remembered,
         u.id, u.username, u.name, u.email, u.avatar, u.admin, u.external, u.state,
         u.user_type AS "userType", u.confirmed_at IS NOT NULL AS confirmed
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.digest = $1 AND u.state = 'active' AND ${IS_ACTIVE}`;

const TOUCH_SQL = 'UPDATE sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2';

/** $2, $3: minutes without a request after which a session, or a remembered one, has ended. */
const DELETE_ENDED_SQL = `
  DELETE FROM sessions WHERE expires_at <= $1::timestamptz OR last_seen_at <= $1
    - CASE WHEN remembered THEN $3::integer ELSE $2::integer END * interval '1 minute'`;

/** Owns every statement about sessions. */
@Injectable()
export class SessionsRepository extends Repository<Session> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Session, dataSource.manager);
  }

  /** Returns the active session with this digest and its user, or null. */
  async findActive(digest: Buffer, now: Date, idle: IdleMinutes): Promise<FoundSession | null> {
    const values = [digest, now, idle.usual, idle.remembered];
    const row = await this.queries.row<SessionRow>(FIND_SESSION_SQL, values);
    return row === null ? null : toSession(row);
  }

  /** Returns the active sessions of a user, most recently used first. */
  listActive(userId: number, now: Date, idle: IdleMinutes): Promise<ListedSession[]> {
    const values = [userId, now, idle.usual, idle.remembered];
    return this.queries.rows<ListedSession>(LIST_SESSIONS_SQL, values);
  }

  /** Inserts a session; a user who has very many loses the least recently used one. */
  async add(manager: EntityManager, session: Omit<Session, 'id'>): Promise<void> {
    await manager.insert(Session, session);
    await manager.query(END_SURPLUS_SQL, [session.userId]);
  }

  /** Records that the session was used. */
  async touch(id: number, now: Date): Promise<void> {
    await this.queries.rows(TOUCH_SQL, [id, now]);
  }

  /** Deletes a session of the user; returns false when there is none with this id. */
  async end(manager: EntityManager, id: number, userId: number): Promise<boolean> {
    const { affected } = await manager.delete(Session, { id, userId });
    return affected === 1;
  }

  /** Deletes the other sessions of the user and returns their number. */
  async endOthers(manager: EntityManager, userId: number, keptId: number): Promise<number> {
    const { affected } = await manager.delete(Session, { id: Not(keptId), userId });
    return affected ?? 0;
  }

  /** Deletes the sessions that have expired. */
  async deleteEnded(now: Date, idle: IdleMinutes): Promise<void> {
    await this.queries.rows(DELETE_ENDED_SQL, [now, idle.usual, idle.remembered]);
  }
}

function toSession(row: SessionRow): FoundSession {
  const { session_id: id, signed_in_at: signedInAt, last_seen_at: lastSeenAt, ...rest } = row;
  const { remembered, ...user } = rest;
  return { id, signedInAt, lastSeenAt, remembered, user };
}
