import type { DeliverySource } from '../../alert-delivery.entity.js';
import type { DeliveryRow, FoundDelivery } from '../../alert-deliveries.repository.js';

/** Delivery to an integration's webhook in a list. */
export interface ListedAlertDeliveryResponse {
  id: number;
  /** Sender of the call: a tool, a test alert or a replay. */
  source: DeliverySource;
  /** HTTP status of the response. @example 200 */
  status: number;
  /** Size of the payload in bytes. @example 512 */
  size: number;
  /** Reason for the refusal; null if accepted. @example null */
  error: string | null;
  /** Number of equal refused calls that this entry stands for. @example 1 */
  calls: number;
  /** Numbers of the alerts that were created, updated or resolved. @example [7] */
  alert_iids: number[];
  /** Marks deliveries whose payload is stored, so that they can be replayed. */
  replayable: boolean;
  created_at: string;
}

/** Delivery to an integration's webhook. */
export interface AlertDeliveryResponse extends ListedAlertDeliveryResponse {
  /** Received payload; null when it is not stored. @example "{\"title\":\"Disk full\"}" */
  payload: string | null;
}

/** Presents a delivery without what was sent. */
export function presentListedDelivery(row: DeliveryRow): ListedAlertDeliveryResponse {
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
export function presentDelivery(delivery: FoundDelivery): AlertDeliveryResponse {
  const payload = delivery.payload?.toString('utf8') ?? null;
  return { ...presentListedDelivery(delivery), payload };
}
