import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../core/audit/audit.service.js';
import { User } from '../../users/user.entity.js';
import { PasswordMails } from '../password-reset/password-mails.service.js';
import type { SignedInContext } from '../signed-in.js';

/** Notifies users that their password was changed. */
@Injectable()
export class PasswordNotices {
  constructor(
    private readonly audit: AuditTrail,
    private readonly mails: PasswordMails,
  ) {}

  /** Tells the trail and the viewer's primary address. */
  async changed(tx: EntityManager, auth: SignedInContext): Promise<void> {
    const { id } = auth.viewer;
    await this.audit.record(tx, auth, {
      action: 'user_updated',
      targetType: 'User',
      targetId: id,
      details: { password: '[changed]' },
    });
    await this.mails.tell(tx, await tx.findOneByOrFail(User, { id }));
  }
}
