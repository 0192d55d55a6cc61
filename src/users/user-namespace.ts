import type { EntityManager } from 'typeorm';
import { Namespace } from './namespace.entity.js';
import { takeOverPath } from './route-redirects.js';
import type { User } from './user.entity.js';

type Owner = Pick<User, 'id' | 'username' | 'name'>;

/** Inserts the namespace that bears the user's name; returns its id. */
export async function insertUserNamespace(tx: EntityManager, owner: Owner): Promise<number> {
  const inserted = await tx.insert(Namespace, {
    kind: 'user',
    ownerId: owner.id,
    name: owner.name,
    path: owner.username,
    fullPath: owner.username,
    fullName: owner.name,
  });
  const id = (inserted.identifiers[0] as { id: number }).id;
  await tx.update(Namespace, { id }, { traversalIds: [id] });
  await takeOverPath(tx, { id, fullPath: owner.username });
  return id;
}

/**
 * Makes the namespace bear the user's name and username as they are now. The old paths of the
 * namespace and its projects go on leading there until somebody else takes them. Bots have none.
 */
export async function renameUserNamespace(tx: EntityManager, owner: Owner): Promise<void> {
  const namespace = await tx.findOneBy(Namespace, { ownerId: owner.id });
  if (namespace === null) return;
  const { username: path, name } = owner;
  const values = { name, path, fullPath: path, fullName: name, updatedAt: new Date() };
  await tx.update(Namespace, { id: namespace.id }, values);
  if (namespace.fullPath.toLowerCase() === path.toLowerCase()) return;
  await takeOverPath(tx, { id: namespace.id, fullPath: path });
  await keepOldPaths(tx, namespace);
}

async function keepOldPaths(tx: EntityManager, { id, fullPath }: Namespace): Promise<void> {
  await tx.query(
    `INSERT INTO route_redirects (path, namespace_id, project_id)
     SELECT $2::text, $1::bigint, NULL
     UNION ALL
     SELECT $2 || '/' || p.path, NULL, p.id FROM projects p
     WHERE p.namespace_id = $1 AND NOT p.pending_delete
     ON CONFLICT (lower(path)) DO UPDATE
       SET namespace_id = excluded.namespace_id, project_id = excluded.project_id`,
    [id, fullPath],
  );
}
