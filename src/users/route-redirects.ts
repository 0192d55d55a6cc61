import type { EntityManager } from 'typeorm';

/**
 * Ends every redirect from a full path that a namespace takes and from below it: those addresses
 * are its own now. Only what redirects to something else in the namespace itself stays.
 */
export async function takeOverPath(
  tx: EntityManager,
  { id, fullPath }: { id: number; fullPath: string },
): Promise<void> {
  await tx.query(
    `DELETE FROM route_redirects r
     WHERE lower(r.path) = lower($2) OR (
       starts_with(lower(r.path), lower($2) || '/') AND NOT EXISTS (
         SELECT 1 FROM namespaces n
           LEFT JOIN projects p ON p.id = r.project_id AND p.namespace_id = n.id
         WHERE n.traversal_ids @> ARRAY[$1]::bigint[]
           AND (n.id = r.namespace_id OR p.id IS NOT NULL)
           AND lower(r.path) <> lower(concat_ws('/', n.full_path, p.path))))`,
    [id, fullPath],
  );
}
