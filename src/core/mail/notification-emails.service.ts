import { Injectable } from '@nestjs/common';
import type { EmailContent } from './mail.js';

/** A mail about a notification that is to be sent now. */
export interface NotificationMail {
  /** Of the mail's row. */
  id: number;
  notificationId: number;
  /** Recipient. */
  userId: number;
  /** MAIL_REASONS; null = none in particular. */
  reason: number | null;
}

/** Rendered email with its recipient address, which can have changed since. */
export interface RenderedEmail {
  to: string;
  email: EmailContent;
}

/** Makes the contents of mails about notifications, for all of them at once. */
export interface NotificationRenderer {
  /**
   * By the ids of the mails. One that is missing is withheld: its reader cannot see it anymore.
   * `null` = there was no time for it, which is never the case for all of them.
   */
  write(mails: readonly NotificationMail[]): Promise<ReadonlyMap<number, RenderedEmail | null>>;
}

/** Where the feature that knows notifications leaves its writer for those who send mails. */
@Injectable()
export class NotificationEmails {
  private writer: NotificationRenderer | null = null;

  /** Called once, while the process starts. */
  use(writer: NotificationRenderer): void {
    this.writer = writer;
  }

  /** See NotificationRenderer. Throws when this process has no writer. */
  write(mails: readonly NotificationMail[]): Promise<ReadonlyMap<number, RenderedEmail | null>> {
    if (this.writer === null) throw new Error('No writer of notification emails is registered');
    return this.writer.write(mails);
  }
}
