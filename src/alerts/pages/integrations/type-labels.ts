import type { IntegrationType } from '../../alert-integration.entity.js';

/** Labels of the integration types. */
export const TYPE_LABELS: Record<IntegrationType, string> = {
  http: 'HTTP endpoint',
  prometheus: 'Metrics monitoring',
  external_paging: 'External paging',
};
