import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Activity } from '../../activity/activity.service.js';
import { AuditTrail, SYSTEM_ACTOR, type AuditEntry } from '../../core/audit/audit.service.js';
import { changesBetween } from '../../core/audit/changes.js';
import { trailOfSource, type SourceKey } from '../member-source.js';
import { membershipEvents } from '../membership-events.js';
import { ROLES } from '../roles.js';

/** Memberships of one transaction. */
const BATCH = 500;

const TODAY_SQL = `(now() AT TIME ZONE 'UTC')::date`;

/**
 * The last owner of a group stays on its list, though without rights: somebody has to be there whom
 * an administrator can ask, or give the group back to.
 */
const IS_LAST_OWNER_SQL = `
  m.namespace_id IS NOT NULL AND m.access_level >= ${ROLES.owner} AND NOT EXISTS (
    SELECT FROM members o JOIN users u ON u.id = o.user_id AND u.user_type <> 'project_bot'
    WHERE o.namespace_id = ANY(ARRAY(SELECT unnest(n.traversal_ids) FROM namespaces n
        WHERE n.id = m.namespace_id))
      AND o.access_level >= ${ROLES.owner}
      AND (o.expires_at IS NULL OR o.expires_at > ${TODAY_SQL}))`;

/** Who is being given more time right now is looked at with the next round. */
const REMOVE_SQL = `
  DELETE FROM members WHERE id = ANY(ARRAY(
    SELECT m.id FROM members m
    WHERE m.expires_at <= ${TODAY_SQL} AND NOT (${IS_LAST_OWNER_SQL})
    ORDER BY m.id LIMIT ${BATCH} FOR UPDATE OF m SKIP LOCKED))
  RETURNING user_id AS "userId", namespace_id AS "groupId", project_id AS "projectId",
    access_level AS "accessLevel", expires_at AS "expiresAt"`;

interface ExpiredRow {
  userId: number;
  groupId: number | null;
  projectId: number;
  accessLevel: number;
  expiresAt: string;
}

/**
 * Removes memberships that are over (API doc, members): they give no rights any more by then. Those
 * of projects leave an event, all of them an entry in the audit trail.
 */
@Injectable()
export class ExpiredMemberships {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly activity: Activity,
  ) {}

  /** One round; answers how many it removed. */
  async run(isStopping: () => boolean): Promise<number> {
    let [count, removed] = [0, BATCH];
    while (removed === BATCH && !isStopping()) {
      removed = await this.dataSource.transaction((tx) => this.removeSome(tx));
      count += removed;
    }
    return count;
  }

  private async removeSome(tx: EntityManager): Promise<number> {
    const [rows] = await tx.query<[ExpiredRow[], number]>(REMOVE_SQL);
    const events = rows.flatMap((row) => membershipEvents('expired', row.userId, [sourceOf(row)]));
    await this.activity.record(tx, events);
    await this.audit.recordAll(tx, SYSTEM_ACTOR, rows.map(entryOf));
    return rows.length;
  }
}

function entryOf(row: ExpiredRow): AuditEntry {
  const { userId, accessLevel, expiresAt } = row;
  const nothing = { accessLevel: null, expiresAt: null };
  return {
    action: 'member_removed',
    targetType: 'User',
    targetId: userId,
    entity: trailOfSource(sourceOf(row)),
    details: { ...changesBetween({ accessLevel, expiresAt }, nothing), reason: 'expired' },
  };
}

function sourceOf({ groupId, projectId }: ExpiredRow): SourceKey {
  return groupId === null ? { kind: 'project', id: projectId } : { kind: 'group', id: groupId };
}
