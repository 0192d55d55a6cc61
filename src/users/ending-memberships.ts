import type { EntityManager } from 'typeorm';
import type { AuditEntry } from '../core/audit/audit.service.js';

interface EndingRow {
  entityType: 'Group' | 'Project';
  entityId: number;
  accessLevel: number;
}

/**
 * What the trails of groups and projects are to tell when the user is deleted, whose memberships
 * there end. Not of the user's own projects: they are deleted, too.
 */
export async function endingMemberships(tx: EntityManager, userId: number): Promise<AuditEntry[]> {
  const rows = await tx.query<EndingRow[]>(
    `SELECT CASE WHEN m.project_id IS NULL THEN 'Group' ELSE 'Project' END AS "entityType",
            coalesce(m.project_id, m.namespace_id) AS "entityId", m.access_level AS "accessLevel"
     FROM members m LEFT JOIN projects p ON p.id = m.project_id
     WHERE m.user_id = $1 AND p.pending_delete IS NOT TRUE ORDER BY m.id`,
    [userId],
  );
  return rows.map(({ entityType: type, entityId: id, accessLevel }) => ({
    action: 'member_removed',
    targetType: 'User',
    targetId: userId,
    entity: { type, id },
    details: { access_level: { from: accessLevel, to: null } },
  }));
}
