import type { VNode } from 'preact';
import { Card } from '../../core/ui/components/content.js';
import { PostButton } from '../../core/ui/components/form.js';

interface SubscriptionCardProps {
  subscribed: boolean;
  /** Where the wish is posted to, as `subscribed`. */
  action: string;
  csrfToken: string;
}

/** Whether who is signed in gets the mails of an issue or merge request, and a button for that. */
export function SubscriptionCard({ subscribed, action, csrfToken }: SubscriptionCardProps): VNode {
  return (
    <Card title="Notifications">
      <p class="text-muted-foreground">
        {subscribed ? 'You are subscribed.' : 'You are not subscribed.'}
      </p>
      <PostButton
        action={action}
        csrfToken={csrfToken}
        size="small"
        fields={{ subscribed: String(!subscribed) }}
      >
        {subscribed ? 'Unsubscribe' : 'Subscribe'}
      </PostButton>
    </Card>
  );
}
