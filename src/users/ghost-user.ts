import type { EntityManager } from 'typeorm';
import { insertUserNamespace } from './user-namespace.js';
import { User } from './user.entity.js';

/** `.invalid` is never delivered to (RFC 2606 §2), so no person can own this address. */
const GHOST_EMAIL = 'ghost@guildhall.invalid';

/** What names the people who wrote something: table and column. */
const WRITTEN = [
  ['snippets', 'author_id'],
  ['issues', 'author_id'],
  ['issues', 'closed_by_id'],
] as const;

export interface Ghost {
  userId: number;
  namespaceId: number;
}

/**
 * The internal user who inherits what deleted users leave behind, made on first need.
 * Its username is `ghost`, or `ghost1`, `ghost2`, … when somebody has that path already.
 */
export async function ghostUser(tx: EntityManager): Promise<Ghost> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('guildhall ghost user'))`);
  const rows = await tx.query<Ghost[]>(
    `SELECT u.id AS "userId", n.id AS "namespaceId"
     FROM users u JOIN namespaces n ON n.owner_id = u.id WHERE lower(u.email) = $1`,
    [GHOST_EMAIL],
  );
  return rows[0] ?? insertGhost(tx);
}

/** Makes the ghost user the author of what these users wrote: it stays when they go. */
export async function leaveWorkToGhost(
  tx: EntityManager,
  ghost: Ghost,
  userIds: readonly number[],
): Promise<void> {
  for (const [table, column] of WRITTEN) {
    await tx.query(`UPDATE ${table} SET ${column} = $2 WHERE ${column} = ANY($1)`, [
      userIds,
      ghost.userId,
    ]);
  }
}

async function insertGhost(tx: EntityManager): Promise<Ghost> {
  const username = await freeUsername(tx);
  const owner = { username, name: 'Ghost User' };
  const inserted = await tx.insert(User, {
    ...owner,
    email: GHOST_EMAIL,
    userType: 'internal',
    confirmedAt: new Date(),
    bio: 'This is a "Ghost User": it holds what users left behind who have been deleted since.',
  });
  const userId = (inserted.identifiers[0] as { id: number }).id;
  return { userId, namespaceId: await insertUserNamespace(tx, { id: userId, ...owner }) };
}

async function freeUsername(tx: EntityManager): Promise<string> {
  const rows = await tx.query<{ path: string }[]>(
    `SELECT lower(full_path) AS path FROM namespaces
     WHERE parent_id IS NULL AND lower(full_path) ~ '^ghost[0-9]*$'`,
  );
  const taken = new Set(rows.map(({ path }) => path));
  let username = 'ghost';
  for (let n = 1; taken.has(username); n += 1) username = `ghost${n}`;
  return username;
}
