import type { IntegrationType } from '../../alert-integration.entity.js';

/** What people call the types of integrations. */
export const TYPE_LABELS: Record<IntegrationType, string> = {
  http: 'HTTP endpoint',
  prometheus: 'Metrics monitoring',
  external_paging: 'External paging',
};
