import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { renderEmail } from '../../core/mail/email-template.js';
import { MailOutbox } from '../../core/mail/mail-outbox.service.js';
import { isMailAddress } from '../../core/mail/mail-text.js';
import { MailLinks } from './mail-links.service.js';
import type { User } from '../users/user.entity.js';

/** Recipient of an account email. */
interface Recipient {
  id: number;
  name: string;
  username: string;
}

/** Emails about the addresses and the password of an account, sent in the caller's transaction. */
@Injectable()
export class AccountEmails {
  private readonly baseUrl: string;

  constructor(
    private readonly links: MailLinks,
    private readonly outbox: MailOutbox,
    @Inject(CONFIG) { baseUrl }: Config,
  ) {
    this.baseUrl = baseUrl;
  }

  /** Sends a link that confirms the address; returns false within a minute of the last one. */
  async sendConfirmation(tx: EntityManager, user: Recipient, email: string): Promise<boolean> {
    const target = { purpose: 'confirm_email', userId: user.id, email } as const;
    const token = await this.links.issue(tx, target);
    if (token === null) return false;
    const content = renderEmail({
      subject: 'Confirm your e-mail address',
      name: user.name,
      paragraphs: [`Confirm that ${email} belongs to your account @${user.username}.`],
      action: {
        label: 'Confirm address',
        href: `${this.baseUrl}/users/confirmation?confirmation_token=${token}`,
      },
      notes: ['The link works for three days. If you did not ask for it, there is nothing to do.'],
      baseUrl: this.baseUrl,
    });
    await this.outbox.enqueue(tx, { to: email, kind: 'email_confirmation', ...content });
    return true;
  }

  /** Notifies the former primary email about the change, unless it cannot receive email. */
  async notifyFormerPrimary(tx: EntityManager, user: Recipient, former: string): Promise<void> {
    if (!isMailAddress(former)) return;
    const content = renderEmail({
      subject: 'Your primary e-mail address was changed',
      name: user.name,
      paragraphs: [`The primary email of @${user.username} was changed.`],
      notes: ['If that was not you, change your password and tell an administrator.'],
      baseUrl: this.baseUrl,
    });
    await this.outbox.enqueue(tx, { to: former, kind: 'email_changed', ...content });
  }

  /** Sends the link to the page for a new password. */
  async sendPasswordReset(
    tx: EntityManager,
    { name, username, address }: Pick<User, 'name' | 'username'> & { address: string },
    token: string,
  ): Promise<void> {
    if (!isMailAddress(address)) return;
    const content = renderEmail({
      subject: 'Set a new password',
      name,
      paragraphs: [`Someone, hopefully you, requested a new password for @${username}.`],
      action: {
        label: 'Set a new password',
        href: `${this.baseUrl}/users/password/edit?reset_password_token=${token}`,
      },
      notes: ['The link works once, for six hours.', "If this wasn't you, ignore this email."],
      baseUrl: this.baseUrl,
    });
    await this.outbox.enqueue(tx, { to: address, kind: 'password_reset', ...content });
  }

  /** Notifies the user that the password was changed. */
  async notifyPasswordChanged(tx: EntityManager, { name, username, email }: User): Promise<void> {
    if (!isMailAddress(email)) return;
    const content = renderEmail({
      subject: 'Your password was changed',
      name,
      paragraphs: [
        `The password of @${username} was changed. All browsers and applications have been signed out.`,
      ],
      notes: ['If that was not you, ask for a new password at once and tell an administrator.'],
      baseUrl: this.baseUrl,
    });
    await this.outbox.enqueue(tx, { to: email, kind: 'password_changed', ...content });
  }
}
