import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type EntityManager, DataSource } from 'typeorm';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import { CsrfTokens } from '../../../core/access/csrf.js';
import { Clock } from '../../../core/clock.js';
import { credentialDigest } from '../../../core/secrets.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import {
  cookieOf,
  isAnonymousValue,
  newAnonymousValue,
  newSessionValue,
  SESSION_COOKIE,
  setCookie,
} from './session-cookies.js';
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

const SAFE_METHODS = ['GET', 'HEAD'];

/** The session that a browser's request belongs to, with the token that its forms must show. */
interface BrowserSession {
  session: FoundSession | null;
  csrfToken: string;
  /** Proof against request forgery: a valid CSRF token or a safe method. */
  isGenuine: boolean;
}

/** Connects requests of browsers with sessions by their cookie. */
@Injectable()
export class BrowserSessions {
  private readonly csrf: CsrfTokens;
  private readonly isHttps: boolean;

  constructor(
    private readonly sessions: Sessions,
    @Inject(CONFIG) config: Config,
  ) {
    this.csrf = new CsrfTokens(config.secretKey);
    this.isHttps = config.baseUrl.startsWith('https:');
  }

  /**
   * The session of a request to the API: only for reading or with the X-CSRF-Token of the session,
   * since browsers send cookies automatically; otherwise null.
   */
  async ofApiRequest(request: Request): Promise<FoundSession | null> {
    const value = cookieOf(request, SESSION_COOKIE);
    if (value === null || isAnonymousValue(value)) return null;
    const isGenuine = SAFE_METHODS.includes(request.method) || this.csrf.isShown(request, value);
    return isGenuine ? this.sessions.find(value) : null;
  }

  /** The session of a request for a page; who has none gets a cookie for the token of forms. */
  async ofPageRequest(request: Request, response: Response): Promise<BrowserSession> {
    const value = cookieOf(request, SESSION_COOKIE) ?? '';
    const isKnown = value !== '' && !isAnonymousValue(value);
    const session = isKnown ? await this.sessions.find(value) : null;
    const isGenuine =
      SAFE_METHODS.includes(request.method) || (value !== '' && this.csrf.isShown(request, value));
    const keepsValue = session !== null || isAnonymousValue(value);
    const current = keepsValue ? value : newAnonymousValue();
    // Forms of other sites come without the cookie that the browser has: it must not be replaced.
    if (!keepsValue && isGenuine) setCookie(response, current, { isHttps: this.isHttps });
    return { session, csrfToken: this.csrf.of(current), isGenuine };
  }

  /** Gives the browser the cookie of a new session: the value before it is worth nothing now. */
  enter(response: Response, value: string, remembered: boolean): void {
    const maxAge = this.sessions.cookieLifetime(remembered);
    const choice = { isHttps: this.isHttps, ...(maxAge !== undefined && { maxAge }) };
    response.removeHeader('Set-Cookie');
    setCookie(response, value, choice);
  }

  /** Takes the cookie away. */
  leave(response: Response): void {
    setCookie(response, '', { isHttps: this.isHttps });
  }
}
