import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountsRepository } from '../../auth/accounts.repository.js';
import { AuditLog } from '../../../core/audit/audit.service.js';
import { Clock } from '../../../core/clock.js';
import { translateConflict } from '../../users/user-rules.js';
import { User } from '../../users/user.entity.js';
import { AddressMails } from '../emails/address-mails.service.js';
import { LinkRefusedError, MailLinks } from '../mail-links.service.js';
import { UserEmail } from '../user-email.entity.js';

/** Finds out that people read the addresses they gave. */
@Injectable()
export class Confirmations {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: AccountsRepository,
    private readonly links: MailLinks,
    private readonly mails: AddressMails,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** The address that the link confirms, or null when it does not work. */
  async addressOf(token: string): Promise<string | null> {
    const link = await this.links.look(this.dataSource.manager, token, 'confirm_email');
    return link?.email ?? null;
  }

  /**
   * Confirms the address to which the link was sent, and no other: an address that was changed
   * meanwhile stays unconfirmed. Throws LinkRefusedError; 409 when someone else has confirmed it.
   */
  async confirm(token: string, ip: string | null): Promise<void> {
    try {
      await this.dataSource.transaction((tx) => this.carryOut(tx, token, ip));
    } catch (error) {
      throw translateConflict(error);
    }
  }

  /** Sends another link to an unconfirmed primary email; does nothing for other addresses. */
  async resend(email: string): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const user = await this.accounts.findUnconfirmed(tx, email);
      if (user !== null) await this.mails.sendLink(tx, user, user.email);
    });
  }

  private async carryOut(tx: EntityManager, token: string, ip: string | null): Promise<void> {
    const link = await this.links.consume(tx, token, 'confirm_email');
    if (link === null) throw new LinkRefusedError();
    const { userId: id, email } = link;
    const user = await tx.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
    const confirmedAt = this.clock.now();
    const isPrimary = user?.email === email;
    const { affected } = isPrimary
      ? await tx.update(User, { id }, { confirmedAt: user.confirmedAt ?? confirmedAt })
      : await tx.update(UserEmail, { userId: id, email }, { confirmedAt, updatedAt: confirmedAt });
    if (affected !== 1) throw new LinkRefusedError();
    await this.audit.record(
      tx,
      { viewer: { id }, impersonator: null, ip },
      { action: 'user_email_confirmed', targetType: 'User', targetId: id, details: { email } },
    );
  }
}
