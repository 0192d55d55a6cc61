import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog } from '../../../core/audit/audit.service.js';
import { ValidationFailedError } from '../../../core/errors.js';
import { hashPassword } from '../../../core/passwords.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { assertValidUser } from '../../users/user-rules.js';
import { User } from '../../users/user.entity.js';
import { LinkRefusedError, MailLinks } from '../mail-links.service.js';
import type { LinkTarget } from '../mail-links.repository.js';
import { UserEmailsRepository } from '../user-emails.repository.js';
import { PasswordMails } from './password-mails.service.js';

/** A new password with the link that allows to set it. */
export interface PasswordReset {
  token: string;
  password: string;
  confirmation: string;
}

/** Resets forgotten passwords by an emailed link. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly dataSource: DataSource,
    private readonly emails: UserEmailsRepository,
    private readonly links: MailLinks,
    private readonly mails: PasswordMails,
    private readonly settings: InstanceSettings,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Sends a link to the confirmed address, in the account's spelling; does nothing for unknown
   * addresses.
   */
  async request(email: string): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const owner = await this.emails.findOwner(tx, email);
      if (owner === null) return;
      const target = { purpose: 'reset_password', userId: owner.id, email: owner.address } as const;
      const token = await this.links.issue(tx, target);
      if (token !== null) await this.mails.sendLink(tx, owner, token);
    });
  }

  /** Returns true while the link of a password reset email is valid. */
  async isOpen(token: string): Promise<boolean> {
    return (await this.find(this.dataSource.manager, token)) !== null;
  }

  /**
   * Sets the password; every session, application and other link of the user ends. Throws
   * LinkRefusedError, or 400 with messages per field, after which the link still works.
   */
  async reset(reset: PasswordReset, ip: string | null): Promise<void> {
    const { manager } = this.dataSource;
    const link = await this.find(manager, reset.token);
    const owner = link === null ? null : await manager.findOneBy(User, { id: link.userId });
    if (owner === null) throw new LinkRefusedError();
    const { values: settings } = this.settings;
    assertValidUser({}, { value: reset.password, owner, settings });
    if (reset.password !== reset.confirmation) {
      throw new ValidationFailedError({ password_confirmation: ["doesn't match the password"] });
    }
    const passwordDigest = await hashPassword(reset.password);
    await this.dataSource.transaction((tx) => this.replace(tx, { ...reset, passwordDigest }, ip));
  }

  /** A link is valid as long as its address belongs to the user. */
  private async find(tx: EntityManager, token: string): Promise<LinkTarget | null> {
    const link = await this.links.look(tx, token, 'reset_password');
    return link !== null && (await this.emails.isOwner(tx, link)) ? link : null;
  }

  private async replace(
    tx: EntityManager,
    { token, passwordDigest }: PasswordReset & { passwordDigest: string },
    ip: string | null,
  ): Promise<void> {
    const link = await this.links.consume(tx, token, 'reset_password');
    if (link === null || !(await this.emails.isOwner(tx, link))) throw new LinkRefusedError();
    const { userId: id } = link;
    const values = { passwordDigest, failedAttempts: 0, lockedAt: null };
    await tx.update(User, { id }, { ...values, updatedAt: () => 'now()' });
    const user = await tx.findOneByOrFail(User, { id });
    await this.mails.tell(tx, user);
    await this.audit.record(
      tx,
      { viewer: { id }, impersonator: null, ip },
      { action: 'user_password_reset', targetType: 'User', targetId: id },
    );
  }
}
