import type { EntityManager } from 'typeorm';
import type { AuditedEntity, AuditEntry } from '../core/audit/audit.service.js';
import type { MoveKind } from './move-states.js';
import { transactionRows } from './transaction-rows.js';

type AuditedContainer = Pick<AuditEntry, 'targetType' | 'targetId' | 'entity'>;

/**
 * The container as the audit trail names it, and whose trail tells of its moves: its own, a
 * snippet's project's, a personal snippet's author's.
 */
export async function auditedContainer(
  tx: EntityManager,
  kind: MoveKind,
  id: number,
): Promise<AuditedContainer> {
  if (kind === 'project') return { targetType: 'Project', targetId: id };
  if (kind === 'group') return { targetType: 'Group', targetId: id };
  const [entity] = await transactionRows<AuditedEntity>(
    tx,
    `SELECT CASE WHEN project_id IS NULL THEN 'User' ELSE 'Project' END AS type,
            coalesce(project_id, author_id) AS id
     FROM snippets WHERE id = $1`,
    [id],
  );
  return { targetType: 'Snippet', targetId: id, ...(entity && { entity }) };
}
