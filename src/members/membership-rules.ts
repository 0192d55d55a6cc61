import type { EntityManager } from 'typeorm';
import { ForbiddenError, NotFoundError, ValidationFailedError } from '../core/errors.js';
import { ACTIVE_MEMBERSHIP, type MemberSource } from './member-source.js';
import { ROLES, roleName } from './roles.js';

/** A direct membership as it is to be. */
export interface NewMember {
  userId: number;
  accessLevel: number;
  expiresAt: string | null;
}

/** The highest level that the user has through a group above the source; null when none. */
async function inheritedLevel(
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
 * Throws 403 when a group would have no owner without the user's direct membership, now or when
 * others' memberships are over; owners of the groups above count, bots do not. Projects need none:
 * their namespace has one.
 */
export async function assertNotLastOwner(
  tx: EntityManager,
  source: MemberSource,
  userId: number,
): Promise<void> {
  if (source.kind === 'project') return;
  const owners: { userId: number; direct: boolean; stays: boolean }[] = await tx.query(
    `SELECT m.user_id AS "userId", m.namespace_id = $1 AS direct, m.expires_at IS NULL AS stays
     FROM members m JOIN users u ON u.id = m.user_id AND u.user_type <> 'project_bot'
     WHERE m.namespace_id IN (SELECT unnest(traversal_ids) FROM namespaces WHERE id = $1)
       AND m.access_level >= ${ROLES.owner} AND ${ACTIVE_MEMBERSHIP}`,
    [source.id],
  );
  const isOwner = owners.some((owner) => owner.userId === userId && owner.direct);
  const othersRemain = owners.some(
    (owner) => owner.stays && (owner.userId !== userId || !owner.direct),
  );
  if (isOwner && !othersRemain) throw new ForbiddenError();
}

/** Bots join no project or group but that of their token (400); 404 for an unknown user. */
export async function assertMayJoin(
  tx: EntityManager,
  source: MemberSource,
  userId: number,
): Promise<void> {
  const rows: { isForeignBot: boolean }[] = await tx.query(
    `SELECT u.user_type = 'project_bot' AND NOT EXISTS (
       SELECT 1 FROM access_tokens t WHERE t.user_id = u.id AND t.${source.kind}_id = $2
     ) AS "isForeignBot"
     FROM users u WHERE u.id = $1`,
    [userId, source.id],
  );
  const [user] = rows;
  if (user === undefined) throw new NotFoundError('User');
  if (!user.isForeignBot) return;
  const text = 'project bots cannot be added to other groups / projects';
  throw new ValidationFailedError({ user: [text] });
}

/** Throws 400 for a level below the inherited one and for a day that is over. */
export async function assertSensible(
  tx: EntityManager,
  source: MemberSource,
  member: NewMember,
): Promise<void> {
  const inherited = await inheritedLevel(tx, source, member.userId);
  if (inherited !== null && member.accessLevel < inherited.level) {
    const text = `should be greater than or equal to ${roleName(inherited.level)} inherited membership from group ${inherited.groupName}`;
    throw new ValidationFailedError({ access_level: [text] });
  }
  const { expiresAt } = member;
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  if (expiresAt !== null && expiresAt < today) {
    throw new ValidationFailedError({ expires_at: ['cannot be a date in the past'] });
  }
}
