import type { EntityManager } from 'typeorm';
import { ConflictError } from '../core/errors.js';

const BELOW = 'SELECT id FROM namespaces WHERE traversal_ids @> ARRAY[$1]::bigint[]';
const ACTIVE = `state IN ('initial', 'scheduled', 'started', 'replicated')`;

/**
 * Hides the group and all below it, for the worker to delete. Only under `lockTreeToReshape`.
 * Throws 409 while a repository of any of them is being moved.
 */
export async function markGroupDeleted(tx: EntityManager, groupId: number): Promise<void> {
  // Marking locks the rows that scheduling a move locks, so it is either seen below or refused.
  await markAll(tx, groupId);
  await assertNothingMoves(tx, groupId);
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
