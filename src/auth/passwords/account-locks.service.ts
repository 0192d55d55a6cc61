import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail } from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { Sql } from '../../core/sql/sql.service.js';
import { locksOverSince } from '../../users/account-lock.js';

/** Locks with the last attempt allowed; locks of before $2 are over. Nothing while locked. */
const BEGIN_SQL = `
  UPDATE users u SET
    failed_attempts = counted.attempts,
    locked_at = CASE WHEN counted.attempts >= $3 THEN $4::timestamptz END
  FROM (
    SELECT id, CASE WHEN locked_at IS NULL THEN failed_attempts + 1 ELSE 1 END AS attempts
    FROM users WHERE id = $1 AND (locked_at IS NULL OR locked_at <= $2::timestamptz) FOR UPDATE
  ) counted
  WHERE u.id = counted.id
  RETURNING u.failed_attempts AS attempts, u.locked_at IS NOT NULL AS "isLast"`;

const GIVE_BACK_SQL = `
  UPDATE users SET failed_attempts = greatest(failed_attempts - 1, 0),
    locked_at = CASE WHEN locked_at = $2::timestamptz THEN NULL ELSE locked_at END
  WHERE id = $1`;

/** An attempt to sign in, counted as failed until it succeeds. */
export interface SignInAttempt {
  attempts: number;
  /** Whether the account is locked unless this one succeeds. */
  isLast: boolean;
  begunAt: Date;
}

/**
 * Counts wrong passwords per account in its row. Attempts count before the password is looked at,
 * so that of many at once no more than `max_login_attempts` learn anything.
 */
@Injectable()
export class AccountLocks {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /** Counts an attempt; null when the account is locked, whatever the password. */
  async begin(userId: number): Promise<SignInAttempt | null> {
    const begunAt = this.clock.now();
    const { max_login_attempts: allowed } = this.settings.values;
    const row = await this.sql.row<Omit<SignInAttempt, 'begunAt'>>(BEGIN_SQL, [
      userId,
      locksOverSince(this.settings.values, begunAt),
      allowed,
      begunAt,
    ]);
    return row === null ? null : { ...row, begunAt };
  }

  /** The password was wrong. The trail tells when that locked the account. */
  async fail(userId: number, attempt: SignInAttempt, ip: string | null): Promise<void> {
    if (!attempt.isLast) return;
    const actor = { viewer: null, impersonator: null, ip };
    await this.audit.record(this.dataSource.manager, actor, {
      action: 'user_sign_in_failed',
      targetType: 'User',
      targetId: userId,
      details: { failed_attempts: attempt.attempts, locked: true },
    });
  }

  /** The attempt was none: the password could not be looked at. */
  async giveBack(userId: number, attempt: SignInAttempt): Promise<void> {
    await this.sql.rows(GIVE_BACK_SQL, [userId, attempt.begunAt]);
  }
}
