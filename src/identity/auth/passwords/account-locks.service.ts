import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../../core/audit/audit.service.js';
import { Clock } from '../../../core/clock.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { locksOverSince } from '../../users/user-rules.js';
import { AccountsRepository, type CountedAttempts } from '../accounts.repository.js';

/** An attempt to sign in, counted as failed until it succeeds. */
export interface SignInAttempt extends CountedAttempts {
  begunAt: Date;
}

/**
 * Counts wrong passwords per account in its row. Attempts count before the password is checked, so
 * that of many concurrent ones no more than `max_login_attempts` learn anything.
 */
@Injectable()
export class AccountLocks {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  /** Counts an attempt; null when the account is locked, even with the right password. */
  async begin(userId: number): Promise<SignInAttempt | null> {
    const begunAt = this.clock.now();
    const { max_login_attempts: allowed } = this.settings.values;
    const lockedAfter = locksOverSince(this.settings.values, begunAt);
    const counted = await this.accounts.countAttempt(userId, {
      lockedAfter,
      allowed,
      now: begunAt,
    });
    return counted === null ? null : { ...counted, begunAt };
  }

  /** Records a wrong password. A lock of the account is an audit event. */
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
    await this.accounts.uncountAttempt(userId, attempt.begunAt);
  }
}
