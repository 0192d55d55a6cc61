import type { DeliverySource } from '../../alert-delivery.entity.js';
import type { DeliveryRow, FoundDelivery } from '../../alert-deliveries.repository.js';

/** A call of an integration's webhook in a list. */
export interface PresentedListedAlertDelivery {
  id: number;
  /** Whether a tool called, someone tried it, or someone sent an earlier call again. */
  source: DeliverySource;
  /** HTTP status that was answered. @example 200 */
  status: number;
  /** Bytes that were sent. @example 512 */
  size: number;
  /** Why it was refused; null when it was not. @example null */
  error: string | null;
  /** Refused calls that came together and alike are one entry. @example 1 */
  calls: number;
  /** Numbers of the alerts that were made, counted or resolved. @example [7] */
  alert_iids: number[];
  /** Whether what was sent was kept, so that it can be sent again. */
  replayable: boolean;
  created_at: string;
}

/** A call of an integration's webhook. */
export interface PresentedAlertDelivery extends PresentedListedAlertDelivery {
  /** What was sent; null when it was not kept. @example "{\"title\":\"Disk full\"}" */
  payload: string | null;
}

/** Presents a delivery without what was sent. */
export function presentListedDelivery(row: DeliveryRow): PresentedListedAlertDelivery {
  return {
    id: row.id,
    source: row.source,
    status: row.status,
    size: row.size,
    error: row.error,
    calls: row.calls,
    alert_iids: row.alertIids,
    replayable: row.hasPayload,
    created_at: row.createdAt.toISOString(),
  };
}

/** Presents a delivery with what was sent, as text even when it was none. */
export function presentDelivery(delivery: FoundDelivery): PresentedAlertDelivery {
  const payload = delivery.payload?.toString('utf8') ?? null;
  return { ...presentListedDelivery(delivery), payload };
}
