import type { EntityManager } from 'typeorm';
import type { AuditEntry } from '../core/audit/audit.service.js';
import { trailOf, type SnippetRow } from '../snippets/snippet-row.js';
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
  const [snippet] = await transactionRows<Pick<SnippetRow, 'projectId' | 'authorId'>>(
    tx,
    'SELECT project_id AS "projectId", author_id AS "authorId" FROM snippets WHERE id = $1',
    [id],
  );
  return { targetType: 'Snippet', targetId: id, ...(snippet && { entity: trailOf(snippet) }) };
}
