import { Injectable } from '@nestjs/common';
import type { EmailContent } from './mail.js';

/** An email about a notification that is due. */
export interface NotificationMail {
  /** ID of the email. */
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

/** Renders emails about notifications in batches. */
export interface NotificationRenderer {
  /**
   * Returns emails by their ids. Missing ones are withheld: the recipient can no longer see the
   * target. `null` = not rendered in time, which is never the case for all of them.
   */
  write(mails: readonly NotificationMail[]): Promise<ReadonlyMap<number, RenderedEmail | null>>;
}

/** Registry of the renderer, which the notifications feature provides for email delivery. */
@Injectable()
export class NotificationEmails {
  private renderer: NotificationRenderer | null = null;

  /** Called once at start. */
  use(renderer: NotificationRenderer): void {
    this.renderer = renderer;
  }

  /** See NotificationRenderer. Throws if no renderer is registered. */
  write(mails: readonly NotificationMail[]): Promise<ReadonlyMap<number, RenderedEmail | null>> {
    if (this.renderer === null) throw new Error('No renderer of notification emails is registered');
    return this.renderer.write(mails);
  }
}
