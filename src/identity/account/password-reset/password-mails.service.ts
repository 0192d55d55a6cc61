import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import { renderEmail } from '../../../core/mail/email-template.js';
import { MailOutbox } from '../../../core/mail/mail-outbox.service.js';
import { isMailAddress } from '../../../core/mail/mail-text.js';
import type { User } from '../../users/user.entity.js';

/** Emails about passwords. */
@Injectable()
export class PasswordMails {
  constructor(
    private readonly outbox: MailOutbox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Sends the link to the page for a new password. Call `wake` after the commit. */
  async sendLink(
    tx: EntityManager,
    { name, username, address }: Pick<User, 'name' | 'username'> & { address: string },
    token: string,
  ): Promise<void> {
    if (!isMailAddress(address)) return;
    const { baseUrl } = this.config;
    const content = renderEmail({
      subject: 'Set a new password',
      name,
      paragraphs: [`Someone, hopefully you, requested a new password for @${username}.`],
      action: {
        label: 'Set a new password',
        href: `${baseUrl}/users/password/edit?reset_password_token=${token}`,
      },
      notes: [
        'The link works once, for six hours.',
        'If you did not ask for it, there is nothing to do: the password stays as it is.',
      ],
      baseUrl,
    });
    await this.outbox.enqueue(tx, { to: address, kind: 'password_reset', ...content });
  }

  /** Tells the user that the password is another one now, as `sendLink`. */
  async tell(tx: EntityManager, { name, username, email }: User): Promise<void> {
    if (!isMailAddress(email)) return;
    const { baseUrl } = this.config;
    const content = renderEmail({
      subject: 'Your password was changed',
      name,
      paragraphs: [
        `The password of @${username} was changed. All browsers and applications have been signed out.`,
      ],
      notes: ['If that was not you, ask for a new password at once and tell an administrator.'],
      baseUrl,
    });
    await this.outbox.enqueue(tx, { to: email, kind: 'password_changed', ...content });
  }
}
