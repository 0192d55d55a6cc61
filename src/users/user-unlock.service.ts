import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { NotFoundError } from '../core/errors.js';
import { User } from './user.entity.js';

/** Opens accounts that were locked for too many wrong passwords. */
@Injectable()
export class UserUnlockService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /** Forgets the wrong passwords; nothing to do when there were none. Throws 404. */
  async unlock(id: number, actor: AuditActor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const user = await tx.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (user === null) throw new NotFoundError('User');
      if (user.lockedAt === null && user.failedAttempts === 0) return;
      await tx.update(User, { id }, { lockedAt: null, failedAttempts: 0 });
      await this.audit.record(tx, actor, {
        action: 'user_unlocked',
        targetType: 'User',
        targetId: id,
        details: { failed_attempts: user.failedAttempts },
      });
    });
  }
}
