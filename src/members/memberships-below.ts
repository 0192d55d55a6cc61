import type { EntityManager } from 'typeorm';
import type { SourceKey } from './member-source.js';

/** A membership that was removed, and where it was. */
export interface RemovedMembership {
  source: SourceKey;
  accessLevel: number;
  expiresAt: string | null;
}

interface RemovedRow {
  namespaceId: number | null;
  projectId: number;
  accessLevel: number;
  expiresAt: string | null;
}

/** Ends the user's direct memberships in the group, all groups below it and their projects. */
export async function removeMembershipsBelow(
  tx: EntityManager,
  groupId: number,
  userId: number,
): Promise<RemovedMembership[]> {
  const [rows] = await tx.query<[RemovedRow[], number]>(
    `WITH below AS (SELECT id FROM namespaces WHERE traversal_ids @> ARRAY[$1]::bigint[])
     DELETE FROM members WHERE user_id = $2
       AND (namespace_id IN (SELECT id FROM below)
         OR project_id IN (SELECT id FROM projects
                           WHERE namespace_id IN (SELECT id FROM below)))
     RETURNING namespace_id AS "namespaceId", project_id AS "projectId",
       access_level AS "accessLevel", expires_at AS "expiresAt"`,
    [groupId, userId],
  );
  return rows.map(({ namespaceId, projectId, ...membership }) => {
    const source =
      namespaceId === null
        ? ({ kind: 'project', id: projectId } as const)
        : ({ kind: 'group', id: namespaceId } as const);
    return { ...membership, source };
  });
}
