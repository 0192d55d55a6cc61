import type { AuditEntry } from '../../core/audit/audit.service.js';

/** The entry for what was done to an integration, in the trail of its project; without details. */
export function integrationEntry(
  { id, projectId, name }: { id: number; projectId: number; name: string },
  verb: 'created' | 'updated' | 'deleted' | 'token_reset',
): AuditEntry {
  return {
    action: `alert_integration_${verb}`,
    targetType: 'AlertIntegration',
    targetId: id,
    targetName: name,
    entity: { type: 'Project', id: projectId },
  };
}
