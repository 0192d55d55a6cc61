import type { VNode } from 'preact';
import { Button } from '../../core/ui/components/button.js';
import { Card, PageHeader } from '../../core/ui/components/content.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { NOTIFICATIONS_PATH } from '../pages/addresses.js';
import type { MailThread } from './unsubscribe-keys.js';

interface UnsubscribePageProps {
  action: string;
  csrfToken: string;
  thread: Pick<MailThread, 'kind'>;
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
          <p>
            {thread.kind === 'project'
              ? 'You will get no more mails about the project that the mail with this link was about.'
              : 'You will get no more mails about what the mail with this link was about, unless somebody mentions you there.'}
          </p>
          <FormActions>
            <Button>Unsubscribe</Button>
          </FormActions>
        </Form>
      </Card>
    </>
  );
}

/** That it is done, and where everything else about mails is decided. */
export function UnsubscribedPage({ thread }: Pick<UnsubscribePageProps, 'thread'>): VNode {
  return (
    <>
      <PageHeader title="You are unsubscribed" />
      <Card>
        <p>
          {thread.kind === 'project'
            ? 'No more mails about the project go to you.'
            : 'No more mails about this go to you, unless somebody mentions you.'}{' '}
          All else is decided in your <a href={NOTIFICATIONS_PATH}>notification settings</a>.
        </p>
      </Card>
    </>
  );
}
