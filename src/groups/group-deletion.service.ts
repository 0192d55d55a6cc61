import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { ConflictError } from '../core/errors.js';
import { DeletionQueue } from './deletion-queue.service.js';
import type { GroupRow } from './group-row.js';
import { lockTreeToReshape } from './namespace-tree.js';

const BELOW = 'SELECT id FROM namespaces WHERE traversal_ids @> ARRAY[$1]::bigint[]';
const ACTIVE = `state IN ('initial', 'scheduled', 'started', 'replicated')`;

/** Accepts the deletion of groups; the worker carries it out. */
@Injectable()
export class GroupDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly queue: DeletionQueue,
  ) {}

  /**
   * Hides the group and all below it at once. Throws 409 while a repository of any of them is
   * being moved.
   */
  async request(group: GroupRow, actor: AuditActor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await lockTreeToReshape(tx);
      // Marking locks the rows that scheduling a move locks, so it is either seen below or refused.
      await markAll(tx, group.id);
      await assertNothingMoves(tx, group.id);
      await this.audit.record(tx, actor, {
        action: 'group_deletion_requested',
        targetType: 'Group',
        targetId: group.id,
        details: { path: group.fullPath },
      });
    });
    this.queue.wake({ kind: 'group', id: group.id });
  }
}

async function markAll(tx: EntityManager, groupId: number): Promise<void> {
  await tx.query(`SELECT 1 FROM namespaces WHERE id IN (${BELOW}) FOR NO KEY UPDATE`, [groupId]);
  await tx.query(`UPDATE groups SET pending_delete = true WHERE id IN (${BELOW})`, [groupId]);
  await tx.query(
    `UPDATE projects SET pending_delete = true, updated_at = now() WHERE namespace_id IN (${BELOW})`,
    [groupId],
  );
  await tx.query('UPDATE namespaces SET updated_at = now() WHERE id = $1', [groupId]);
}

async function assertNothingMoves(tx: EntityManager, groupId: number): Promise<void> {
  const projects = `SELECT id FROM projects WHERE namespace_id IN (${BELOW})`;
  const rows: { groups: boolean; projects: boolean; snippets: boolean }[] = await tx.query(
    `SELECT EXISTS (SELECT 1 FROM group_repository_storage_moves
                    WHERE ${ACTIVE} AND group_id IN (${BELOW})) AS groups,
       EXISTS (SELECT 1 FROM project_repository_storage_moves
               WHERE ${ACTIVE} AND project_id IN (${projects})) AS projects,
       EXISTS (SELECT 1 FROM snippet_repository_storage_moves JOIN snippets s ON s.id = snippet_id
               WHERE ${ACTIVE} AND s.project_id IN (${projects})) AS snippets`,
    [groupId],
  );
  const [moving] = rows;
  const kind = (['groups', 'projects', 'snippets'] as const).find((name) => moving?.[name]);
  if (kind === undefined) return;
  const noun = kind === 'groups' ? 'group' : kind === 'projects' ? 'project' : 'related snippet';
  throw new ConflictError(
    `Couldn't remove the group. A ${noun} repository storage move is in progress. Try again when it's complete.`,
  );
}
