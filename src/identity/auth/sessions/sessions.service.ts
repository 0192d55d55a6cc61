import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../../core/clock.js';
import { credentialDigest } from '../../../core/digest.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { newSessionValue } from './session-cookies.js';
import {
  SessionsRepository,
  type FoundSession,
  type IdleMinutes,
  type ListedSession,
} from './sessions.repository.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const MAX_USER_AGENT_LENGTH = 255;

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
    private readonly sessions: SessionsRepository,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
  ) {}

  /** The living session with this cookie value, or null. Using it keeps it alive. */
  async find(value: string): Promise<FoundSession | null> {
    const now = this.clock.now();
    const session = await this.sessions.findActive(credentialDigest(value), now, this.idle());
    if (session === null) return null;
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

  /** Seconds for which the browser keeps the cookie; undefined = until it is closed. */
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

  /** Only a note of the time: no request waits for it or fails with it. */
  private touch(id: number, now: Date): void {
    this.sessions.touch(id, now).catch((error: unknown) => {
      this.logger.warn(`The use of a session was not noted: ${String(error)}`);
    });
  }
}
