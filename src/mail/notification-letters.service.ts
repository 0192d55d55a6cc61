import { Injectable } from '@nestjs/common';
import type { Letter } from './mail.js';

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
export interface WrittenLetter {
  to: string;
  letter: Letter;
}

/** Makes the contents of mails about notifications, for all of them at once. */
export interface NotificationLetterWriter {
  /**
   * By the ids of the mails. One that is missing is withheld: its reader cannot see it anymore.
   * `null` = there was no time for it, which is never the case for all of them.
   */
  write(mails: readonly NotificationMail[]): Promise<ReadonlyMap<number, WrittenLetter | null>>;
}

/** Where the feature that knows notifications leaves its writer for those who send mails. */
@Injectable()
export class NotificationLetters {
  private writer: NotificationLetterWriter | null = null;

  /** Called once, while the process starts. */
  use(writer: NotificationLetterWriter): void {
    this.writer = writer;
  }

  /** See NotificationLetterWriter. Throws when this process has no writer. */
  write(mails: readonly NotificationMail[]): Promise<ReadonlyMap<number, WrittenLetter | null>> {
    if (this.writer === null) throw new Error('Nobody writes mails about notifications here');
    return this.writer.write(mails);
  }
}
