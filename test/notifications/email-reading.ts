import type { INestApplicationContext } from '@nestjs/common';
import { expect } from '@jest/globals';
import type {
  NotificationKind,
  NewNotification,
} from '../../src/core/activity/notifications.repository.js';
import type { EmailContent } from '../../src/core/mail/mail.js';
import { NotificationEmails } from '../../src/core/mail/notification-emails.service.js';
import { MAIL_REASONS, type MailReason } from '../../src/notifications/notification-values.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeNotification } from '../support/notification-factories.js';
import {
  type MadeProject,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';

export const LETTER_HOST = 'guildhall.example';

/** Both parts of an email, whatever they say. */
export const LETTER_PARTS = { html: expect.any(String), text: expect.any(String) };

/** A notification, but for what is the same in all of a test. */
type GivenNotification = Partial<NewNotification> & Pick<NewNotification, 'target'>;

/** A project in which Jane does things and Bob, a Maintainer, reads of them. */
export class EmailReading {
  private constructor(
    readonly app: OwnTestApp,
    private readonly worker: INestApplicationContext,
    readonly jane: MadeActor,
    readonly bob: MadeActor,
    readonly project: MadeProject,
  ) {}

  static async start(): Promise<EmailReading> {
    const app = await startTestApp({ env: { BASE_URL: `https://${LETTER_HOST}` } });
    const worker = await startTestWorker(app);
    const jane = await makeActor(app, { name: 'Jane Roe' });
    const bob = await makeActor(app, { name: 'Bob Builder' });
    const group = await makeOwnedGroup(app, jane, { name: 'Town' });
    const files = { 'door.txt': 'oak\n' };
    const project = await makeProject(app, { namespaceId: group.id, name: 'Hall', files });
    await makeMember(app, { project, user: bob.user, role: 'maintainer' });
    return new EmailReading(app, worker, jane, bob, project);
  }

  async close(): Promise<void> {
    await this.worker.close();
    await this.app.close();
  }

  /** Address of the project's page. */
  get page(): string {
    return `https://${LETTER_HOST}/${this.project.fullPath}`;
  }

  /** Returns the email that Bob gets. */
  async email(
    kind: NotificationKind,
    notification: GivenNotification,
    reason?: MailReason,
  ): Promise<EmailContent> {
    const base = { kind, projectId: this.project.id, actorId: this.jane.user.id };
    const notificationId = await makeNotification(this.app, { ...base, ...notification });
    const number = reason === undefined ? null : MAIL_REASONS[reason];
    const mail = { id: 1, notificationId, userId: this.bob.user.id, reason: number };
    const written = (await this.worker.get(NotificationEmails).write([mail])).get(1);
    expect(written).toMatchObject({ to: this.bob.user.email });
    return written?.email as EmailContent;
  }

  /** Headers that all emails about the project have. */
  headers(): Record<string, unknown> {
    return {
      'Reply-To': expect.any(String),
      'List-Id': expect.stringContaining(`<${this.project.id}.${this.project.path}.`),
      'List-Unsubscribe': expect.stringMatching(/^<https:\S+>$/),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'X-Svc-Project': 'Hall',
      'X-Svc-Project-Id': String(this.project.id),
      'X-Svc-Project-Path': this.project.fullPath,
      'X-Svc-Reply-Key': expect.stringMatching(/^[0-9a-f]{32}$/),
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    };
  }
}

/** The text part without the key of its reader. */
export function textOf({ text }: EmailContent): string {
  return text.replace(/sent_notifications\/[^/]+\/unsubscribe/g, 'KEY');
}

/** Footer of a text part: the reason for the email, and how to turn such emails off. */
export function footerText(why: string, what: string): string {
  return [
    `-- \nYou're receiving this because ${why}.`,
    `Unsubscribe from this ${what}: https://${LETTER_HOST}/-/KEY`,
    `Notification settings: https://${LETTER_HOST}/-/profile/notifications`,
    `Guildhall, https://${LETTER_HOST}\n`,
  ].join('\n');
}

/** The paragraphs between the title and the link to the page. */
export function newsOf({ text }: EmailContent): string[] {
  const parts = text.split('\n\n');
  const end = parts.findIndex((part) => part.startsWith('View '));
  return parts.slice(2, end);
}
