import type { EntityManager } from 'typeorm';
import type { AuditEntry } from '../core/audit/audit.service.js';
import { visibilityName } from '../members/visibility.js';

interface LoweredRow {
  id: number;
  before: number;
}

const BELOW = 'SELECT id FROM namespaces WHERE traversal_ids @> ARRAY[$1::bigint]';

/**
 * Makes nothing in the group more visible than `most`. Answers what the audit trail is to tell of
 * the groups and projects below; of the group itself its transfer tells.
 */
export async function lowerVisibilityBelow(
  tx: EntityManager,
  groupId: number,
  most: number,
): Promise<AuditEntry[]> {
  const groups = await lower(tx, { table: 'groups', place: 'id' }, [groupId, most]);
  const projects = await lower(tx, { table: 'projects', place: 'namespace_id' }, [groupId, most]);
  const below = groups.filter(({ id }) => id !== groupId);
  return [
    ...below.map((row) => entry('Group', 'group_updated', { row, most })),
    ...projects.map((row) => entry('Project', 'project_updated', { row, most })),
  ];
}

/** `place` = the column that names the group that a row of the table is, or lies in. */
async function lower(
  tx: EntityManager,
  { table, place }: { table: 'groups' | 'projects'; place: string },
  values: [groupId: number, most: number],
): Promise<LoweredRow[]> {
  const [rows] = await tx.query<[LoweredRow[], number]>(
    `WITH before AS (
       SELECT id, visibility FROM ${table} WHERE ${place} IN (${BELOW}) AND visibility > $2::int
       FOR NO KEY UPDATE
     )
     UPDATE ${table} SET visibility = $2 FROM before WHERE ${table}.id = before.id
     RETURNING before.id, before.visibility AS before`,
    values,
  );
  return rows;
}

function entry(
  targetType: 'Group' | 'Project',
  action: string,
  { row, most }: { row: LoweredRow; most: number },
): AuditEntry {
  const visibility = { from: visibilityName(row.before), to: visibilityName(most) };
  return { action, targetType, targetId: row.id, details: { visibility } };
}
