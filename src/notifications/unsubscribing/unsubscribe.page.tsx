import type { VNode } from 'preact';
import { Button } from '../../core/ui/components/button.js';
import { Card, PageHeader } from '../../core/ui/components/content.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { NOTIFICATIONS_PATH, placePath } from '../pages/addresses.js';
import type { MailThread } from '../../subscriptions/unsubscribe-keys.js';

interface UnsubscribePageProps {
  action: string;
  csrfToken: string;
  thread: MailThread;
}

/**
 * The button that switches mails off. Who has the link need not be who got the mail: the page says
 * neither what it was about nor whose it was.
 */
export function UnsubscribePage({ action, csrfToken, thread }: UnsubscribePageProps): VNode {
  return (
    <>
      <PageHeader title="Unsubscribe" />
      <Card>
        <Form action={action} csrfToken={csrfToken}>
          <p>{questionText(thread)}</p>
          <FormActions>
            <Button>Unsubscribe</Button>
          </FormActions>
        </Form>
      </Card>
    </>
  );
}

/** Confirms it, with the way to all other notification settings. */
export function UnsubscribedPage({ thread }: Pick<UnsubscribePageProps, 'thread'>): VNode {
  return (
    <>
      <PageHeader title="You are unsubscribed" />
      <Card>
        {thread.kind === 'alerts' ? (
          <AlertsEnded projectIds={thread.projectIds} />
        ) : (
          <p>
            {thread.kind === 'project'
              ? 'No more mails about the project go to you.'
              : 'No more mails about this go to you, unless somebody mentions you.'}{' '}
            All else is decided in your <a href={NOTIFICATIONS_PATH}>notification settings</a>.
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
      <a href={isOne ? placePath({ kind: 'project', id }) : NOTIFICATIONS_PATH}>
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
      return 'You will get no more mails about the project that the mail with this link was about.';
    default:
      return 'You will get no more mails about what the mail with this link was about, unless somebody mentions you there.';
  }
}
