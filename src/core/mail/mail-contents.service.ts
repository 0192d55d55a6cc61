import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { SecretBox } from '../settings/secret-box.js';
import type { EmailContent, OutgoingEmail } from './mail.js';
import { mailCipher } from './mail-cipher.js';
import { MailRetryPolicy } from './mail-retry-policy.service.js';
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
   * Of `performance.now()`: until then what it says is for its reader's eyes, and its lease lasts.
   */
  freshUntil: number;
}

/** Age at which permissions are checked again for an email that waits. */
const NOTIFICATION_FRESH_MS = 5_000;
/** Its lease outlasts the attempt by far that begins before. */
const FRESH_MS = 30_000;

/** Opens what mails say, or has it written. */
@Injectable()
export class MailContents {
  private readonly box: SecretBox;
  private readonly hostname: string;

  constructor(
    private readonly outgoing: OutgoingMailsRepository,
    private readonly retryPolicy: MailRetryPolicy,
    private readonly emails: NotificationEmails,
    @Inject(CONFIG) config: Config,
  ) {
    this.box = mailCipher(config);
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
      const content = this.box.open(mail.sealedContent ?? '');
      if (content === null) {
        await this.retryPolicy.fail(mail, 'It cannot be read with this SECRET_KEY');
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

  /** One that cannot be written holds up no other. */
  private async writtenOneByOne(
    mails: readonly LeasedMail[],
    error: unknown,
  ): Promise<WrittenMail[]> {
    const [first] = mails;
    if (mails.length === 1 && first !== undefined) {
      await this.retryPolicy.retryLater(first, `It could not be written: ${String(error)}`);
      return [];
    }
    const written: WrittenMail[] = [];
    for (const mail of mails) written.push(...(await this.written([mail])));
    return written;
  }

  /** Its id is the same for every attempt: who gets the mail twice sees it once. */
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
    throw new TypeError(`Mail ${id} is about no notification`);
  return { id, notificationId, userId, reason };
}
