import { fullPathOf, type ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { DeliveryRow, DeliverySource, FoundDelivery } from '../alert-deliveries.repository.js';
import type { JsonObject } from '../parsing/incoming-alert.js';
import { wireType, type WireType } from './integration-attributes.js';
import {
  presentMapping,
  type FieldMappingResponse,
  type ResolvedWhenResponse,
} from './mapping-rules.js';
import type { FoundIntegration, IntegrationRow } from '../alert-integrations.repository.js';
import type { AlertIntegration } from '../alert-integration.entity.js';

const MAX_SLUG = 63;

/**
 * Address of an integration's webhook; null for external paging, which has none. The slug of the
 * name is for people: the webhook looks only at project and identifier.
 */
export function webhookUrl(
  { name, identifier }: Pick<AlertIntegration, 'name' | 'identifier'>,
  projectUrl: string,
): string | null {
  if (identifier === null) return null;
  return `${projectUrl}/alerts/notify/${slugOf(name)}/${identifier}.json`;
}

/** `Disk & Net` → `disk---net`; `http-endpoint` for a name without ASCII letters and digits. */
function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+/, '')
    .replace(/(?<!-)-+$/, '');
  return slug === '' ? 'http-endpoint' : slug;
}

/** An integration in a list. */
export interface ListedAlertIntegrationResponse {
  id: number;
  type: WireType;
  /** @example "Disk watch" */
  name: string;
  /** Marks integrations whose webhook is enabled. */
  active: boolean;
  /** Key for the webhook; null for external paging. */
  token: string | null;
  /** Webhook URL; null for external paging. */
  url: string | null;
  /** URL of the monitoring or paging tool; null for HTTP. */
  api_url: string | null;
  payload_attribute_mappings: FieldMappingResponse[];
  /** null if alerts are resolved by an end time only. */
  resolved_when: ResolvedWhenResponse | null;
  created_at: string;
  updated_at: string;
}

/** Alert integration of a project. */
export interface AlertIntegrationResponse extends ListedAlertIntegrationResponse {
  /**
   * Sample payload that the custom mapping was created from.
   * @example {"alert": {"name": "Disk full"}}
   */
  payload_example: JsonObject;
}

/** The project that integrations are of, and the address of this instance. */
interface IntegrationPresentation {
  project: Pick<ProjectRow, 'path' | 'namespace'>;
  baseUrl: string;
}

/** Presents an integration with its key: for maintainers only. */
export function presentListedIntegration(
  row: IntegrationRow,
  { project, baseUrl }: IntegrationPresentation,
): ListedAlertIntegrationResponse {
  return {
    id: row.id,
    type: wireType(row.type),
    name: row.name,
    active: row.active,
    token: row.token,
    url: webhookUrl(row, `${baseUrl}/${fullPathOf(project)}`),
    api_url: row.apiUrl,
    payload_attribute_mappings: row.payloadAttributeMappings.map(presentMapping),
    resolved_when: row.resolvedWhen,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The same with the example. */
export function presentIntegration(
  integration: FoundIntegration,
  presentation: IntegrationPresentation,
): AlertIntegrationResponse {
  return {
    ...presentListedIntegration(integration, presentation),
    payload_example: integration.payloadExample,
  };
}

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
