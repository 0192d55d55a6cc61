import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Note, Paragraph } from '../../core/mail/email-parts.js';
import { renderEmail } from '../../core/mail/email-template.js';
import { MailOutbox } from '../../core/mail/mail-outbox.service.js';
import { isMailAddress, type EmailContent } from '../../core/mail/mail.js';
import { MailLinks } from './mail-links.service.js';
import type { User } from '../users/user.entity.js';

/** Emails about an account, with what they need to know. */
type AccountEmail = { username: string; baseUrl: string } & (
  | { kind: 'email_confirmation'; email: string; token: string }
  | { kind: 'email_changed' }
  | { kind: 'password_reset'; token: string }
  | { kind: 'password_changed' }
);

/** Renders an email about an account. */
export function accountEmail(email: AccountEmail): EmailContent {
  const { username, baseUrl } = email;
  switch (email.kind) {
    case 'email_confirmation':
      return renderEmail({
        subject: 'Confirm your email address',
        heading: 'Confirm your email address',
        body: (
          <>
            <Paragraph>{`Confirm that ${email.email} belongs to your account @${username}.`}</Paragraph>
            <Note>The link expires in 3 days.</Note>
          </>
        ),
        actions: [
          {
            label: 'Confirm email address',
            href: `${baseUrl}/users/confirmation?confirmation_token=${email.token}`,
          },
        ],
        reasons: [
          {
            text: `You're receiving this because this address was added to @${username}. If this wasn't you, ignore this email.`,
          },
        ],
        baseUrl,
      });
    case 'email_changed':
      return renderEmail({
        subject: 'Your primary email was changed',
        heading: 'Your primary email was changed',
        body: (
          <>
            <Paragraph>{`The primary email of @${username} was changed.`}</Paragraph>
            <Note>If this wasn't you, change your password and contact an administrator.</Note>
          </>
        ),
        actions: [{ label: 'Review your emails', href: `${baseUrl}/-/user_settings/emails` }],
        reasons: [securityReason(username)],
        baseUrl,
      });
    case 'password_reset':
      return renderEmail({
        subject: 'Reset your password',
        heading: 'Reset your password',
        body: (
          <>
            <Paragraph>{`Someone requested a password reset for @${username}.`}</Paragraph>
            <Note>The link works once and expires in 6 hours.</Note>
          </>
        ),
        actions: [
          {
            label: 'Reset password',
            href: `${baseUrl}/users/password/edit?reset_password_token=${email.token}`,
          },
        ],
        reasons: [
          {
            text: "You're receiving this because a password reset was requested for your account. If this wasn't you, ignore this email.",
          },
        ],
        baseUrl,
      });
    case 'password_changed':
      return renderEmail({
        subject: 'Your password was changed',
        heading: 'Your password was changed',
        body: (
          <>
            <Paragraph>{`The password of @${username} was changed.`}</Paragraph>
            <Paragraph>All browsers and applications have been signed out.</Paragraph>
            <Note>If this wasn't you, reset your password now and contact an administrator.</Note>
          </>
        ),
        actions: [{ label: 'Reset password', href: `${baseUrl}/users/password/new` }],
        reasons: [securityReason(username)],
        baseUrl,
      });
  }
}

function securityReason(username: string): { text: string } {
  return { text: `You're receiving this because it affects the security of @${username}.` };
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
  async sendConfirmation(
    tx: EntityManager,
    user: Pick<User, 'id' | 'username'>,
    email: string,
  ): Promise<boolean> {
    const target = { purpose: 'confirm_email', userId: user.id, email } as const;
    const token = await this.links.issue(tx, target);
    if (token === null) return false;
    const content = accountEmail({
      kind: 'email_confirmation',
      username: user.username,
      email,
      token,
      baseUrl: this.baseUrl,
    });
    await this.outbox.enqueue(tx, { to: email, kind: 'email_confirmation', ...content });
    return true;
  }

  /** Notifies the former primary email about the change, unless it cannot receive email. */
  async notifyFormerPrimary(
    tx: EntityManager,
    user: Pick<User, 'username'>,
    former: string,
  ): Promise<void> {
    if (!isMailAddress(former)) return;
    const content = accountEmail({
      kind: 'email_changed',
      username: user.username,
      baseUrl: this.baseUrl,
    });
    await this.outbox.enqueue(tx, { to: former, kind: 'email_changed', ...content });
  }

  /** Sends the link to the page for a new password. */
  async sendPasswordReset(
    tx: EntityManager,
    { username, address }: Pick<User, 'username'> & { address: string },
    token: string,
  ): Promise<void> {
    if (!isMailAddress(address)) return;
    const { baseUrl } = this;
    const content = accountEmail({ kind: 'password_reset', username, token, baseUrl });
    await this.outbox.enqueue(tx, { to: address, kind: 'password_reset', ...content });
  }

  /** Notifies the user that the password was changed. */
  async notifyPasswordChanged(tx: EntityManager, { username, email }: User): Promise<void> {
    if (!isMailAddress(email)) return;
    const content = accountEmail({ kind: 'password_changed', username, baseUrl: this.baseUrl });
    await this.outbox.enqueue(tx, { to: email, kind: 'password_changed', ...content });
  }
}
