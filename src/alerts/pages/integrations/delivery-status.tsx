import { STATUS_CODES } from 'node:http';
import type { VNode } from 'preact';
import { Badge } from '../../../core/ui/components/content.js';
import type { DeliverySource } from '../../alert-delivery.entity.js';

const FIRST_REFUSAL = 400;

/** Response status of a webhook delivery. */
export function DeliveryStatus({ status }: { status: number }): VNode {
  return (
    <Badge tone={status < FIRST_REFUSAL ? 'success' : 'danger'}>
      {`${status} ${STATUS_CODES[status] ?? ''}`.trim()}
    </Badge>
  );
}

/** Labels of the senders of deliveries. */
export const SOURCE_LABELS: Record<DeliverySource, string> = {
  webhook: 'Webhook',
  test: 'Test alert',
  replay: 'Replay',
};
