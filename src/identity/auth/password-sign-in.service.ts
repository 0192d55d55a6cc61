import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { processCounter } from '../../core/metrics/metrics-registry.js';
import { verifyNobodysPassword, verifyPassword } from '../../core/passwords.js';
import {
  BruteForceLimiter,
  type GuessLimit,
} from '../../core/rate-limits/brute-force-limiter.service.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { AccountsRepository, type Candidate, type CountedAttempts } from './accounts.repository.js';
import { obstacleOf, SignInRefusedError } from './user-state.js';
import { AuditLog } from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { locksOverSince } from '../users/users.repository.js';
import { EndpointLimitError } from '../../core/rate-limits/tally.js';

/** No account has a longer password, so that longer ones are not worth hashing. */
const MAX_PASSWORD_LENGTH = 1_024;
const LOGIN_PATTERN = /^[^\0]{1,254}$/;

const TEN_MINUTES = 600;
const LIMIT_NAME = 'sign_in_failures_per_address_limit';

/** Passwords of many accounts tried from one address. */
const PASSWORD_GUESSES: GuessLimit = {
  limit: ({ [LIMIT_NAME]: requests }) =>
    requests === 0 ? null : { name: LIMIT_NAME, requests, seconds: TEN_MINUTES },
  // The correct password of a blocked account is not a guess.
  isGuess: (error) => error instanceof SignInRefusedError && error.obstacle === 'credentials',
  refusal: (tally) => new EndpointLimitError(tally),
};

const checks = processCounter({
  name: 'guildhall_password_checks_total',
  help: 'Checks of a login and a password by outcome: accepted, refused, limited, failed',
  labelNames: ['outcome'],
});

function outcomeOf(error: unknown): string {
  if (error instanceof SignInRefusedError) return 'refused';
  return error instanceof EndpointLimitError ? 'limited' : 'failed';
}

/** A user who has presented the correct password. */
export interface Identified {
  viewer: Viewer;
  /** Digest of the correct password; later statements compare it to detect changes. */
  passwordDigest: string;
}

/** An attempt to sign in, which counts as failed until it succeeds. */
interface SignInAttempt extends CountedAttempts {
  begunAt: Date;
}

/**
 * The only place that checks a login and a password (API doc, Authentication). Takes as long for
 * unknown logins. Counts failures per IP address, and per account before the password is checked,
 * so that concurrent attempts never exceed `max_login_attempts`.
 */
@Injectable()
export class PasswordSignIn {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly bruteForce: BruteForceLimiter,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Returns the user with this username or email, case-insensitive, and this password. Throws
   * SignInRefusedError, also for inactive users; 429 after too many wrong passwords from the
   * address; 503 when too many wait.
   */
  async check(login: string, password: string, ip: string | null): Promise<Viewer> {
    const { viewer } = await this.identify(login, password, ip);
    const obstacle = obstacleOf(viewer, this.settings.values);
    if (obstacle !== null) throw new SignInRefusedError(obstacle);
    return viewer;
  }

  /** Like `check`, for a user in any state: the caller judges what can be done. */
  async identify(login: string, password: string, ip: string | null): Promise<Identified> {
    try {
      const identified = await this.limited(login, password, ip);
      checks.inc({ outcome: 'accepted' });
      return identified;
    } catch (error) {
      checks.inc({ outcome: outcomeOf(error) });
      throw error;
    }
  }

  private limited(login: string, password: string, ip: string | null): Promise<Identified> {
    const name = login.trim();
    return this.bruteForce.limitAttempts(PASSWORD_GUESSES, ip, async () => {
      const isSensible = password !== '' && password.length <= MAX_PASSWORD_LENGTH;
      if (!isSensible || !LOGIN_PATTERN.test(name)) throw new SignInRefusedError('credentials');
      const candidate = await this.accounts.findCandidate(name);
      const identified = await this.attempt(candidate, password, ip);
      if (identified === null) throw new SignInRefusedError('credentials');
      return identified;
    });
  }

  /** The count is written while the hash is computed, so that its duration reveals nothing. */
  private async attempt(
    candidate: Candidate | null,
    password: string,
    ip: string | null,
  ): Promise<Identified | null> {
    const digest = candidate?.passwordDigest ?? null;
    const [counting, checking] = await Promise.allSettled([
      candidate === null ? null : this.beginAttempt(candidate.id),
      digest === null ? verifyNobodysPassword(password) : verifyPassword(digest, password),
    ]);
    if (counting.status === 'rejected') throw counting.reason;
    const attempt = counting.value;
    if (checking.status === 'rejected') {
      // The password was not checked, so the attempt does not count.
      if (candidate !== null && attempt !== null) {
        await this.accounts.uncountAttempt(candidate.id, attempt.begunAt);
      }
      throw checking.reason;
    }
    if (candidate === null || attempt === null) return null;
    if (checking.value && digest !== null) return this.succeed(candidate.id, digest);
    if (attempt.isLast) await this.recordLock(candidate.id, attempt, ip);
    return null;
  }

  private async succeed(id: number, passwordDigest: string): Promise<Identified | null> {
    const viewer = await this.accounts.resetAttempts(id, passwordDigest);
    return viewer === null ? null : { viewer, passwordDigest };
  }

  /** Counts an attempt; returns null for a locked account, even with the correct password. */
  private async beginAttempt(userId: number): Promise<SignInAttempt | null> {
    const begunAt = this.clock.now();
    const counted = await this.accounts.countAttempt(userId, {
      lockedAfter: locksOverSince(this.settings.values, begunAt),
      allowed: this.settings.values.max_login_attempts,
      now: begunAt,
    });
    return counted === null ? null : { ...counted, begunAt };
  }

  private async recordLock(
    userId: number,
    { attempts }: SignInAttempt,
    ip: string | null,
  ): Promise<void> {
    const actor = { viewer: null, impersonator: null, ip };
    await this.audit.record(this.dataSource.manager, actor, {
      action: 'user_sign_in_failed',
      targetType: 'User',
      targetId: userId,
      details: { failed_attempts: attempts, locked: true },
    });
  }
}
