import type { VNode } from 'preact';
import { Card, PageHeader } from '../../core/ui/components/content.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { NOTIFICATIONS_PATH, notificationSettingPath } from '../../core/ui/notification-paths.js';
import type { MailThread } from '../../workspace/subscriptions/unsubscribe-keys.js';

interface UnsubscribePageProps {
  action: string;
  csrfToken: string;
  thread: MailThread;
}

/**
 * Asks to confirm an unsubscription. The page names neither the subject nor the recipient of the
 * email, because links can be forwarded.
 */
export function UnsubscribePage({ action, csrfToken, thread }: UnsubscribePageProps): VNode {
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
export function UnsubscribedPage({ thread }: Pick<UnsubscribePageProps, 'thread'>): VNode {
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
