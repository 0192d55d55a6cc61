import type { EntityManager } from 'typeorm';
import { ForbiddenError } from '../core/errors.js';
import { ACTIVE_MEMBERSHIP, type MemberSource } from './member-source.js';
import { ROLES } from './roles.js';

/** Lets only one change of the source's memberships happen at a time. */
export async function lockSource(tx: EntityManager, source: MemberSource): Promise<void> {
  const table = source.kind === 'project' ? 'projects' : 'namespaces';
  await tx.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [source.id]);
}

/** The highest level that the user has through a group above the source; null when none. */
export async function inheritedLevel(
  tx: EntityManager,
  source: MemberSource,
  userId: number,
): Promise<{ level: number; groupName: string } | null> {
  const rows: { level: number; groupName: string }[] = await tx.query(
    `SELECT m.access_level AS level, above.full_name AS "groupName"
     FROM namespaces n
     JOIN namespaces above ON above.id = ANY(n.traversal_ids) AND (above.id <> n.id OR $3)
     JOIN members m ON m.namespace_id = above.id AND m.user_id = $2 AND ${ACTIVE_MEMBERSHIP}
     WHERE n.id = $1
     ORDER BY m.access_level DESC, cardinality(above.traversal_ids) DESC LIMIT 1`,
    [source.namespaceId, userId, source.kind === 'project'],
  );
  return rows[0] ?? null;
}

/**
 * Throws 403 when a group would have no owner without the user's direct membership; owners of the
 * groups above count, bots do not. Projects need none: their namespace has one.
 */
export async function assertNotLastOwner(
  tx: EntityManager,
  source: MemberSource,
  userId: number,
): Promise<void> {
  if (source.kind === 'project') return;
  const owners: { userId: number; direct: boolean }[] = await tx.query(
    `SELECT m.user_id AS "userId", m.namespace_id = $1 AS direct
     FROM members m JOIN users u ON u.id = m.user_id AND u.user_type <> 'project_bot'
     WHERE m.namespace_id IN (SELECT unnest(traversal_ids) FROM namespaces WHERE id = $1)
       AND m.access_level >= ${ROLES.owner} AND ${ACTIVE_MEMBERSHIP}`,
    [source.id],
  );
  const isOwner = owners.some((owner) => owner.userId === userId && owner.direct);
  const othersRemain = owners.some((owner) => owner.userId !== userId || !owner.direct);
  if (isOwner && !othersRemain) throw new ForbiddenError();
}
