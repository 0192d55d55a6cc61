import { Injectable, Logger } from '@nestjs/common';
import { DataSource, Not, type EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { credentialDigest } from '../../core/digest.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { Sql } from '../../core/sql/sql.service.js';
import { newSessionValue } from './session-cookies.js';
import {
  END_SURPLUS_SQL,
  FIND_SESSION_SQL,
  LIST_SESSIONS_SQL,
  toSession,
  type FoundSession,
  type ListedSession,
  type SessionRow,
} from './session-row.js';
import { Session } from './session.entity.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const MAX_USER_AGENT_LENGTH = 255;

const TOUCH_SQL = 'UPDATE sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2';

/** A browser that signs in. */
export interface NewSession {
  userId: number;
  remembered: boolean;
  ip: string | null;
  userAgent: string;
}

/**
 * Sign-ins by browsers. Sessions end when they are not used for a while, at the latest after
 * `session_maximum_days`; the database ends all of a user when the password, the rights or the
 * standing change.
 */
@Injectable()
export class Sessions {
  private readonly logger = new Logger(Sessions.name);

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
    private readonly dataSource: DataSource,
  ) {}

  /** The living session with this cookie value, or null. Using it keeps it alive. */
  async find(value: string): Promise<FoundSession | null> {
    const now = this.clock.now();
    const row = await this.sql.row<SessionRow>(FIND_SESSION_SQL, [
      credentialDigest(value),
      now,
      this.idleMinutes(false),
      this.idleMinutes(true),
    ]);
    if (row === null) return null;
    const session = toSession(row);
    if (now.getTime() - session.lastSeenAt.getTime() >= MINUTE_MS) this.touch(session.id, now);
    return session;
  }

  /**
   * Makes a session in the caller's transaction and answers the value for its cookie. Whoever has
   * very many loses the one that was used the longest ago.
   */
  async start(tx: EntityManager, { userAgent, ...input }: NewSession): Promise<string> {
    const now = this.clock.now();
    const value = newSessionValue();
    const days = this.settings.values.session_maximum_days;
    await tx.insert(Session, {
      ...input,
      digest: credentialDigest(value),
      signedInAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + days * DAY_MS),
      userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    });
    await tx.query(END_SURPLUS_SQL, [input.userId]);
    return value;
  }

  /** Living sessions of the user, the one that was used last first. */
  list(userId: number): Promise<ListedSession[]> {
    return this.sql.rows<ListedSession>(LIST_SESSIONS_SQL, [
      userId,
      this.clock.now(),
      this.idleMinutes(false),
      this.idleMinutes(true),
    ]);
  }

  /** Ends one session of the user at once, in every process; false = there is none with this id. */
  async end(id: number, userId: number, tx?: EntityManager): Promise<boolean> {
    const manager = tx ?? this.dataSource.manager;
    const { affected } = await manager.delete(Session, { id, userId });
    return affected === 1;
  }

  /** Ends all sessions of the user but this one; answers how many those were. */
  async endOthers(userId: number, keptId: number, tx?: EntityManager): Promise<number> {
    const manager = tx ?? this.dataSource.manager;
    const { affected } = await manager.delete(Session, { id: Not(keptId), userId });
    return affected ?? 0;
  }

  /** Seconds for which the browser keeps the cookie; undefined = until it is closed. */
  cookieLifetime(remembered: boolean): number | undefined {
    return remembered ? this.settings.values.session_maximum_days * (DAY_MS / 1_000) : undefined;
  }

  /** Minutes without a request after which a session has ended. */
  idleMinutes(remembered: boolean): number {
    const { session_expire_delay: minutes, remember_me_days: days } = this.settings.values;
    return remembered ? Math.max(minutes, days * 1_440) : minutes;
  }

  /** Only a note of the time: no request waits for it or fails with it. */
  private touch(id: number, now: Date): void {
    this.sql.rows(TOUCH_SQL, [id, now]).catch((error: unknown) => {
      this.logger.warn(`The use of a session was not noted: ${String(error)}`);
    });
  }
}
