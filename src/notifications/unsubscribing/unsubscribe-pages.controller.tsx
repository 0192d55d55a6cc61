import { Controller, Get, HttpCode, Injectable, Param, Post } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { VNode } from 'preact';
import { OpenForm, Page } from '../../core/access/access.decorator.js';
import { NotFoundError } from '../../core/errors.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import { Card, PageHeader } from '../../core/ui/components/content.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { NOTIFICATIONS_PATH, notificationSettingPath } from '../../core/ui/addresses.js';
import type { PageContext, PageInfo } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { SubscriptionsRepository } from '../../workspace/subscriptions/subscriptions.repository.js';
import {
  type MailThread,
  UnsubscribeKeys,
  type Unsubscription,
} from '../../workspace/subscriptions/unsubscribe-keys.js';
import {
  NotificationSettings,
  type SettingInput,
} from '../settings/notification-settings.service.js';

/** Unsubscribes users by the link of an email. */
@Injectable()
export class Unsubscriptions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: NotificationSettings,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  /**
   * Unsubscribes from the thread, except for mentions; for a project as such sets its level to
   * `disabled`, or ends the emails about its alerts. Does nothing for a thread that was deleted
   * meanwhile.
   */
  async carryOut({ thread, userId }: Unsubscription): Promise<void> {
    if (thread.kind === 'alerts') {
      for (const id of thread.projectIds) await this.set(userId, id, { alert_emails: false });
    } else if (thread.kind === 'project') {
      await this.set(userId, thread.id, { level: 'disabled' });
    } else {
      const change = { userId, thread, subscribed: false };
      await this.dataSource.transaction((tx) => this.subscriptions.put(tx, change));
    }
  }

  private async set(userId: number, projectId: number, change: SettingInput): Promise<void> {
    try {
      await this.settings.update({ userId, scope: { kind: 'project', id: projectId } }, change);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
}

const INFO: PageInfo = { title: 'Unsubscribe', narrow: true, noReferrer: true };

/**
 * Targets of the unsubscribe links of emails, for readers and for mail clients (RFC 8058). Requires
 * no sign-in: the key in the path identifies the reader and the thread.
 */
@Controller(atRoot('-/sent_notifications/:key/unsubscribe'))
@Page('anyone')
export class UnsubscribePagesController {
  constructor(
    private readonly keys: UnsubscribeKeys,
    private readonly unsubscriptions: Unsubscriptions,
  ) {}

  /**
   * Shows the unsubscribe button: mail clients follow links in emails, so a GET changes nothing.
   */
  @Get()
  ask(@Context() pageContext: PageContext, @Param('key') key: string): HttpResponse {
    const { thread } = this.read(key);
    const page = UnsubscribePage({
      action: pageContext.path,
      csrfToken: pageContext.csrfToken,
      thread,
    });
    return pageContext.render(page, INFO);
  }

  /** Unsubscribes; can be repeated. */
  @Post()
  @HttpCode(200)
  @OpenForm()
  async unsubscribe(
    @Context() pageContext: PageContext,
    @Param('key') key: string,
  ): Promise<HttpResponse> {
    const unsubscription = this.read(key);
    await this.unsubscriptions.carryOut(unsubscription);
    return pageContext.render(UnsubscribedPage(unsubscription), INFO);
  }

  private read(key: string): Unsubscription {
    const found = this.keys.read(key);
    if (found === null) throw new NotFoundError();
    return found;
  }
}

interface UnsubscribePageProps {
  action: string;
  csrfToken: string;
  thread: MailThread;
}

/**
 * Asks to confirm an unsubscription. The page names neither the subject nor the recipient of the
 * email, because links can be forwarded.
 */
function UnsubscribePage({ action, csrfToken, thread }: UnsubscribePageProps): VNode {
  return (
    <>
      <PageHeader title="Unsubscribe" />
      <Card>
        <Form action={action} csrfToken={csrfToken}>
          <p>{questionText(thread)}</p>
          <FormActions submit="Unsubscribe" />
        </Form>
      </Card>
    </>
  );
}

/** Confirms the unsubscription and links to the notification settings. */
function UnsubscribedPage({ thread }: Pick<UnsubscribePageProps, 'thread'>): VNode {
  return (
    <>
      <PageHeader title="Unsubscribed" />
      <Card>
        {thread.kind === 'alerts' ? (
          <AlertsEnded projectIds={thread.projectIds} />
        ) : (
          <p>
            {thread.kind === 'project'
              ? 'You will no longer receive emails about this project.'
              : "You'll still be notified when mentioned."}{' '}
            <a href={NOTIFICATIONS_PATH}>Manage notifications</a>
          </p>
        )}
      </Card>
    </>
  );
}

function AlertsEnded({ projectIds }: { projectIds: readonly number[] }): VNode {
  const [id, ...more] = projectIds;
  const isOne = id !== undefined && more.length === 0;
  return (
    <p>
      You no longer get emails about alerts in {isOne ? 'this project' : 'these projects'}. To turn
      them back on, open{' '}
      <a href={isOne ? notificationSettingPath({ kind: 'project', id }) : NOTIFICATIONS_PATH}>
        {isOne ? "the project's notification settings" : 'your notification settings'}
      </a>
      .
    </p>
  );
}

function questionText(thread: MailThread): string {
  switch (thread.kind) {
    case 'alerts':
      return thread.projectIds.length === 1
        ? 'Stop emails about alerts in this project?'
        : `Stop emails about alerts in the ${thread.projectIds.length} projects of this email?`;
    case 'project':
      return 'Stop emails about the project of this email?';
    default:
      return 'Stop emails about the subject of this email? You will still be notified when mentioned.';
  }
}
