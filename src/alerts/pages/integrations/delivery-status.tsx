import { STATUS_CODES } from 'node:http';
import type { VNode } from 'preact';
import { Badge } from '../../../core/ui/components/content.js';
import type { DeliverySource } from '../../alert-delivery.entity.js';

const FIRST_REFUSAL = 400;

/** How a call of a webhook was answered. */
export function DeliveryStatus({ status }: { status: number }): VNode {
  return (
    <Badge tone={status < FIRST_REFUSAL ? 'success' : 'danger'}>
      {`${status} ${STATUS_CODES[status] ?? ''}`.trim()}
    </Badge>
  );
}

/** Who sent what was delivered. */
export const SOURCE_LABELS: Record<DeliverySource, string> = {
  webhook: 'Webhook',
  test: 'Test alert',
  replay: 'Replay',
};
