import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { TextCipher } from '../text-cipher.js';
import { mailCipher } from './mail-outbox.service.js';
import { MailRetryPolicy } from './mail-retry-policy.service.js';
import type { EmailContent, OutgoingEmail } from './mail.js';
import {
  NotificationEmails,
  type NotificationMail,
  type RenderedEmail,
} from './notification-emails.service.js';
import { OutgoingMailsRepository, type LeasedMail } from './outgoing-mails.repository.js';

/** A leased email with its content. */
export interface WrittenMail {
  mail: LeasedMail;
  email: OutgoingEmail;
  /**
   * Time of `performance.now()` until which the permission check and the lease are valid.
   */
  freshUntil: number;
}

/** Time after which permissions of a waiting email are checked again. */
const NOTIFICATION_FRESH_MS = 5_000;
/** Well within the lease. */
const FRESH_MS = 30_000;

/** Decrypts the contents of emails, or renders them. */
@Injectable()
export class MailContents {
  private readonly cipher: TextCipher;
  private readonly hostname: string;

  constructor(
    private readonly outgoing: OutgoingMailsRepository,
    private readonly retryPolicy: MailRetryPolicy,
    private readonly emails: NotificationEmails,
    @Inject(CONFIG) config: Config,
  ) {
    this.cipher = mailCipher(config);
    this.hostname = new URL(config.baseUrl).hostname;
  }

  /**
   * Returns the emails with their contents, in their order. Emails whose content is no longer
   * visible to the recipient, cannot be decrypted or does not fit into the time are settled in the
   * database and left out.
   */
  async of(mails: readonly LeasedMail[]): Promise<WrittenMail[]> {
    const opened = await this.opened(mails.filter(({ notificationId }) => notificationId === null));
    return [...opened, ...(await this.written(mails.filter(isAboutNotification)))];
  }

  private async opened(mails: readonly LeasedMail[]): Promise<WrittenMail[]> {
    const freshUntil = performance.now() + FRESH_MS;
    const written: WrittenMail[] = [];
    for (const mail of mails) {
      const content = this.cipher.decrypt(mail.encryptedContent ?? '');
      if (content === null) {
        await this.retryPolicy.fail(mail, 'Cannot be decrypted with this SECRET_KEY');
        continue;
      }
      const email = this.addressed(mail, mail.recipient, JSON.parse(content) as EmailContent);
      written.push({ mail, email, freshUntil });
    }
    return written;
  }

  private async written(mails: readonly LeasedMail[]): Promise<WrittenMail[]> {
    if (mails.length === 0) return [];
    const freshUntil = performance.now() + NOTIFICATION_FRESH_MS;
    let emails: ReadonlyMap<number, RenderedEmail | null>;
    try {
      emails = await this.emails.write(mails.map(notificationMail));
    } catch (error) {
      return this.writtenOneByOne(mails, error);
    }
    await this.outgoing.withhold(mails.filter(({ id }) => !emails.has(id)));
    await this.outgoing.release(mails.filter(({ id }) => emails.get(id) === null));
    return mails.flatMap((mail) => {
      const found = emails.get(mail.id);
      if (found == null) return [];
      return [{ mail, email: this.addressed(mail, found.to, found.email), freshUntil }];
    });
  }

  /** An email that cannot be rendered delays no other. */
  private async writtenOneByOne(
    mails: readonly LeasedMail[],
    error: unknown,
  ): Promise<WrittenMail[]> {
    const [first] = mails;
    if (mails.length === 1 && first !== undefined) {
      await this.retryPolicy.retryLater(first, `It could not be rendered: ${String(error)}`);
      return [];
    }
    const written: WrittenMail[] = [];
    for (const mail of mails) written.push(...(await this.written([mail])));
    return written;
  }

  /** The message ID is the same for every attempt, so that clients show duplicates once. */
  private addressed({ id, createdAt }: LeasedMail, to: string, email: EmailContent): OutgoingEmail {
    const messageId = email.messageId ?? `<mail-${id}.${createdAt.getTime()}@${this.hostname}>`;
    return { ...email, to, messageId, date: createdAt };
  }
}

function isAboutNotification({ notificationId }: LeasedMail): boolean {
  return notificationId !== null;
}

function notificationMail({ id, notificationId, userId, reason }: LeasedMail): NotificationMail {
  if (notificationId === null || userId === null)
    throw new TypeError(`Mail ${id} has no notification`);
  return { id, notificationId, userId, reason };
}
