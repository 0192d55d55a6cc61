import type { VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import { PostButton } from '../../../core/ui/components/form.js';

interface SubscriptionCardProps {
  subscribed: boolean;
  /** Path that `subscribed` is posted to. */
  action: string;
  csrfToken: string;
}

/** State of the viewer's subscription to an issue or merge request, and the button to change it. */
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
