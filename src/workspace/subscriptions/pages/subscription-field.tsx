import type { VNode } from 'preact';
import { PostButton } from '../../../core/ui/components/form.js';
import { SideField } from '../../../core/ui/components/side-field.js';

interface SubscriptionFieldProps {
  subscribed: boolean;
  /** Path that `subscribed` is posted to. */
  action: string;
  csrfToken: string;
}

/** State of the viewer's subscription to an issue or merge request, and the button to change it. */
export function SubscriptionField(props: SubscriptionFieldProps): VNode {
  const { subscribed, action, csrfToken } = props;
  return (
    <SideField label="Notifications">
      <span class="flex flex-wrap items-center justify-between gap-2">
        {subscribed ? 'You are subscribed.' : 'You are not subscribed.'}
        <PostButton
          action={action}
          csrfToken={csrfToken}
          size="small"
          fields={{ subscribed: String(!subscribed) }}
        >
          {subscribed ? 'Unsubscribe' : 'Subscribe'}
        </PostButton>
      </span>
    </SideField>
  );
}
