import { QueryFailedError, type EntityManager } from 'typeorm';
import { takeOverPath } from '../users/route-redirects.js';

/** Most groups one inside the other, the top one included. */
export const MAX_DEPTH = 20;

export interface LockedNamespace {
  id: number;
  kind: 'user' | 'group';
  parentId: number | null;
  ownerId: number | null;
  path: string;
  name: string;
  fullPath: string;
  fullName: string;
  traversalIds: number[];
  /** null for the namespace of a user, which holds projects of any visibility. */
  visibility: number | null;
  pendingDelete: boolean;
}

/**
 * Reads a namespace and keeps others from adding to it, renaming inside it or changing its
 * visibility until the transaction ends. null when it is not there or is being deleted.
 */
export async function lockNamespace(
  tx: EntityManager,
  id: number,
): Promise<LockedNamespace | null> {
  await tx.query('SELECT 1 FROM namespaces WHERE id = $1 FOR NO KEY UPDATE', [id]);
  const rows: LockedNamespace[] = await tx.query(
    `SELECT n.id, n.kind, n.parent_id AS "parentId", n.owner_id AS "ownerId",
            n.path, n.name, n.full_path AS "fullPath", n.full_name AS "fullName",
            n.traversal_ids AS "traversalIds", g.visibility,
            coalesce(g.pending_delete, false) AS "pendingDelete"
     FROM namespaces n LEFT JOIN groups g ON g.id = n.id WHERE n.id = $1`,
    [id],
  );
  const [row] = rows;
  return row === undefined || row.pendingDelete ? null : row;
}

/** Whether a subgroup or project of the locked namespace already has this path. */
export async function isPathTaken(
  tx: EntityManager,
  parentId: number,
  path: string,
): Promise<boolean> {
  const rows: unknown[] = await tx.query(
    `SELECT 1 FROM projects WHERE namespace_id = $1 AND lower(path) = lower($2)
     UNION ALL
     SELECT 1 FROM namespaces WHERE parent_id = $1 AND lower(path) = lower($2)`,
    [parentId, path],
  );
  return rows.length > 0;
}

interface NamespacePlace {
  parent: LockedNamespace | null;
  path: string;
  name: string;
}

/**
 * Gives a group another parent, path or name and rewrites the paths, names and ancestors of all
 * below it in one statement. Every path that ends becomes a redirect, every path that begins is
 * taken back from whoever had it redirected. Only under `lockTreeToReshape`.
 */
export async function placeNamespace(
  tx: EntityManager,
  group: LockedNamespace,
  { parent, path, name }: NamespacePlace,
): Promise<void> {
  const fullPath = parent === null ? path : `${parent.fullPath}/${path}`;
  const fullName = parent === null ? name : `${parent.fullName} / ${name}`;
  if (fullPath.toLowerCase() !== group.fullPath.toLowerCase()) await leaveRedirects(tx, group.id);
  await tx.query(
    `UPDATE namespaces SET
       full_path = $2::text || substr(full_path, length($3::text) + 1),
       full_name = $4::text || substr(full_name, length($5::text) + 1),
       traversal_ids = $6::bigint[] || traversal_ids[array_position(traversal_ids, $1::bigint):],
       parent_id = CASE WHEN id = $1 THEN $7::bigint ELSE parent_id END,
       path = CASE WHEN id = $1 THEN $8::text ELSE path END,
       name = CASE WHEN id = $1 THEN $9::text ELSE name END,
       updated_at = now()
     WHERE traversal_ids @> ARRAY[$1]::bigint[]`,
    [
      group.id,
      fullPath,
      group.fullPath,
      fullName,
      group.fullName,
      parent?.traversalIds ?? [],
      parent?.id ?? null,
      path,
      name,
    ],
  );
  await takeOverPath(tx, { id: group.id, fullPath });
}

async function leaveRedirects(tx: EntityManager, groupId: number): Promise<void> {
  await tx.query(
    `INSERT INTO route_redirects (path, namespace_id)
     SELECT full_path, id FROM namespaces WHERE traversal_ids @> ARRAY[$1]::bigint[]
     ON CONFLICT (lower(path)) DO UPDATE
       SET namespace_id = EXCLUDED.namespace_id, project_id = NULL`,
    [groupId],
  );
}

/** True for the error of a path that another namespace has, in any case. */
export function isNamespaceTaken(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { constraint } = error.driverError as { constraint?: string };
  return constraint === 'uq_namespaces_full_path';
}
