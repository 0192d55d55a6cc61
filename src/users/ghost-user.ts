import type { EntityManager } from 'typeorm';
import { internalUser, type InternalUser } from './internal-user.js';

const GHOST = {
  username: 'ghost',
  name: 'Ghost User',
  email: 'ghost@guildhall.invalid',
  bio: 'This is a "Ghost User": it holds what users left behind who have been deleted since.',
};

/** What names the people who wrote something: table and column. */
const WRITTEN = [
  ['snippets', 'author_id'],
  ['issues', 'author_id'],
  ['issues', 'closed_by_id'],
  ['issue_state_events', 'user_id'],
  ['notes', 'author_id'],
  ['merge_requests', 'author_id'],
  ['merge_requests', 'closed_by_id'],
  ['merge_requests', 'merged_by_id'],
] as const;

export type Ghost = InternalUser;

/**
 * The internal user who inherits what deleted users leave behind, made on first need.
 * Its username is `ghost`, or `ghost1`, `ghost2`, … when somebody has that path already.
 */
export function ghostUser(tx: EntityManager): Promise<Ghost> {
  return internalUser(tx, GHOST);
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
