import type { EntityManager } from 'typeorm';
import type { AuditEntry } from '../core/audit/audit.service.js';
import { trailOf } from '../snippets/snippet-access.js';
import type { MoveKind } from './move-states.js';
import type { StorageMovesRepository } from './storage-moves.repository.js';

type AuditedContainer = Pick<AuditEntry, 'targetType' | 'targetId' | 'entity'>;

/**
 * Returns the container as the audit log names it, with the entity whose log lists its moves: its
 * own, a snippet's project's, a personal snippet's author's.
 */
export async function auditedContainer(
  moves: StorageMovesRepository,
  manager: EntityManager,
  { kind, containerId: id }: { kind: MoveKind; containerId: number },
): Promise<AuditedContainer> {
  if (kind === 'project') return { targetType: 'Project', targetId: id };
  if (kind === 'group') return { targetType: 'Group', targetId: id };
  const snippet = await moves.findSnippetOwner(manager, id);
  return { targetType: 'Snippet', targetId: id, ...(snippet && { entity: trailOf(snippet) }) };
}
