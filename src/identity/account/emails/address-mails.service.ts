import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import { renderEmail } from '../../../core/mail/email-template.js';
import { MailOutbox } from '../../../core/mail/mail-outbox.service.js';
import { isMailAddress } from '../../../core/mail/mail-text.js';
import { MailLinks } from '../mail-links.service.js';

/** Recipient of an account email. */
interface Addressee {
  id: number;
  name: string;
  username: string;
}

/** Emails about the addresses of an account. */
@Injectable()
export class AddressMails {
  constructor(
    private readonly links: MailLinks,
    private readonly outbox: MailOutbox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Sends a link that confirms the address, in the caller's transaction. Returns false when the
   * last one is less than a minute old.
   */
  async sendLink(tx: EntityManager, user: Addressee, email: string): Promise<boolean> {
    const target = { purpose: 'confirm_email', userId: user.id, email } as const;
    const token = await this.links.issue(tx, target);
    if (token === null) return false;
    const { baseUrl } = this.config;
    const content = renderEmail({
      subject: 'Confirm your e-mail address',
      name: user.name,
      paragraphs: [`Confirm that ${email} belongs to your account @${user.username}.`],
      action: {
        label: 'Confirm address',
        href: `${baseUrl}/users/confirmation?confirmation_token=${token}`,
      },
      notes: ['The link works for three days. If you did not ask for it, there is nothing to do.'],
      baseUrl,
    });
    await this.outbox.enqueue(tx, { to: email, kind: 'email_confirmation', ...content });
    return true;
  }

  /**
   * Notifies the former primary email about the change, unless it is unconfirmed, in the caller's
   * transaction.
   */
  async tellFormer(tx: EntityManager, user: Addressee, former: string): Promise<void> {
    if (!isMailAddress(former)) return;
    const { baseUrl } = this.config;
    const content = renderEmail({
      subject: 'Your primary e-mail address was changed',
      name: user.name,
      paragraphs: [
        `Mails for your account @${user.username} go to another of your addresses from now on.`,
      ],
      notes: ['If that was not you, change your password and tell an administrator.'],
      baseUrl,
    });
    await this.outbox.enqueue(tx, { to: former, kind: 'email_changed', ...content });
  }
}
