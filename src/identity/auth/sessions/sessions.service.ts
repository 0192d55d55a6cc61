import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, DataSource } from 'typeorm';
import { Clock } from '../../../core/clock.js';
import { credentialDigest } from '../../../core/secrets.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { newSessionValue } from './session-cookies.js';
import {
  SessionsRepository,
  type FoundSession,
  type IdleMinutes,
  type ListedSession,
} from './sessions.repository.js';
import { AuditLog } from '../../../core/audit/audit.service.js';
import { NotFoundError } from '../../../core/errors.js';
import type { SignedInContext } from '../../../core/access/auth-context.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const MAX_USER_AGENT_LENGTH = 255;

/** Session of a browser that signs in. */
interface NewSession {
  userId: number;
  remembered: boolean;
  ip: string | null;
  userAgent: string;
}

/**
 * Sessions of browsers. They expire after a while without requests, at the latest after
 * `session_maximum_days`; the database ends all sessions of a user whose password, rights or state
 * change. Ending one by hand writes an audit event.
 */
@Injectable()
export class Sessions {
  private readonly logger = new Logger(Sessions.name);

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  /** Returns the active session with this cookie value and extends it, or null. */
  async find(value: string): Promise<FoundSession | null> {
    const now = this.clock.now();
    const session = await this.sessions.findActive(credentialDigest(value), now, this.idle());
    if (session === null) return null;
    if (now.getTime() - session.lastSeenAt.getTime() >= MINUTE_MS) this.touch(session.id, now);
    return session;
  }

  /**
   * Creates a session in the caller's transaction and returns the value of its cookie. A user who
   * has very many loses the least recently used one.
   */
  async start(tx: EntityManager, { userAgent, ...input }: NewSession): Promise<string> {
    const now = this.clock.now();
    const value = newSessionValue();
    const days = this.settings.values.session_maximum_days;
    await this.sessions.add(tx, {
      ...input,
      digest: credentialDigest(value),
      signedInAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + days * DAY_MS),
      userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    });
    return value;
  }

  /** Returns the active sessions of the user, most recently used first. */
  list(userId: number): Promise<ListedSession[]> {
    return this.sessions.listActive(userId, this.clock.now(), this.idle());
  }

  /** Ends one of the viewer's own sessions. Throws 404 for any other. */
  async end(id: number, auth: SignedInContext): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const isEnded = await this.sessions.end(tx, id, auth.viewer.id);
      if (!isEnded) throw new NotFoundError('Session');
      await this.audit.record(tx, auth, {
        action: 'session_ended',
        targetType: 'User',
        targetId: auth.viewer.id,
        details: { session_id: id },
      });
    });
  }

  /** Ends all of the viewer's sessions but the current one and returns their number. */
  endOthers(auth: SignedInContext): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      const count = await this.sessions.endOthers(tx, auth.viewer.id, auth.session?.id ?? 0);
      if (count === 0) return 0;
      await this.audit.record(tx, auth, {
        action: 'other_sessions_ended',
        targetType: 'User',
        targetId: auth.viewer.id,
        details: { count },
      });
      return count;
    });
  }

  /** Returns the seconds for which browsers keep the cookie; undefined = until they are closed. */
  cookieLifetime(remembered: boolean): number | undefined {
    return remembered ? this.settings.values.session_maximum_days * (DAY_MS / 1_000) : undefined;
  }

  /** Minutes without a request after which a session has ended. */
  idleMinutes(remembered: boolean): number {
    const { session_expire_delay: minutes, remember_me_days: days } = this.settings.values;
    return remembered ? Math.max(minutes, days * 1_440) : minutes;
  }

  private idle(): IdleMinutes {
    return { usual: this.idleMinutes(false), remembered: this.idleMinutes(true) };
  }

  /** Requests neither wait for it nor fail with it. */
  private touch(id: number, now: Date): void {
    this.sessions.touch(id, now).catch((error: unknown) => {
      this.logger.warn(`Failed to record the use of a session: ${String(error)}`);
    });
  }
}
