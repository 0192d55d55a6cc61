import type { AlertIntegration } from '../alert-integration.entity.js';
import type { AlertSource } from '../ingest/alert-source.js';

/** An integration with its key in clear, without its example, which may be long. */
export interface IntegrationRow extends Omit<AlertIntegration, 'sealedToken' | 'payloadExample'> {
  /** null for external paging, and when it was sealed under another SECRET_KEY. */
  token: string | null;
}

/** The whole of an integration. */
export type FoundIntegration = IntegrationRow & Pick<AlertIntegration, 'payloadExample'>;

/** What ingest needs to know of an integration that has a webhook; null for external paging. */
export function sourceOf(integration: IntegrationRow): AlertSource | null {
  const { id, projectId, name, type } = integration;
  if (type === 'external_paging') return null;
  const { payloadAttributeMappings: mappings, resolvedWhen } = integration;
  return { integrationId: id, projectId, name, type, mappings, resolvedWhen };
}
