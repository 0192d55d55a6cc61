import type { EntityManager } from 'typeorm';
import { ghostUser, leaveWorkToGhost } from './ghost-user.js';
import { assertValidUser } from './user-rules.js';
import { User } from './user.entity.js';

/** A bot to be made; its username is unique by the random part that it ends with. */
export interface NewBot {
  username: string;
  name: string;
  /** Host name of the installation: the address is nobody's mailbox. */
  host: string;
}

/**
 * Inserts the user that a token acts as; returns its id. Bots have no namespace, and count as
 * external: they reach what is public and what they are members of, nothing else.
 * Throws 400 for a name that no user may have.
 */
export async function insertBot(
  tx: EntityManager,
  { username, name, host }: NewBot,
): Promise<number> {
  assertValidUser({ name });
  const inserted = await tx.insert(User, {
    username,
    name,
    email: `${username}@noreply.${host}`,
    userType: 'project_bot',
    external: true,
    canCreateGroup: false,
    projectsLimit: 0,
    confirmedAt: new Date(),
  });
  return (inserted.identifiers[0] as { id: number }).id;
}

/** Removes bots for good; what they wrote elsewhere stays, written by the ghost user. */
export async function deleteBots(tx: EntityManager, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await leaveWorkToGhost(tx, await ghostUser(tx), ids);
  await tx.query(`DELETE FROM users WHERE id = ANY($1) AND user_type = 'project_bot'`, [ids]);
}
