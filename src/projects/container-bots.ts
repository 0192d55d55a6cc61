import type { EntityManager } from 'typeorm';
import type { ContainerKind } from '../git/repository-path.js';
import { deleteBots } from '../users/bot-user.js';

/**
 * Removes the bots whose access tokens are the project's or the group's, with these tokens: they
 * go with the container. Call it in the transaction that deletes the container, before that.
 */
export async function deleteBotsOf(
  tx: EntityManager,
  kind: Exclude<ContainerKind, 'snippet'>,
  containerId: number,
): Promise<void> {
  const bots: { id: number }[] = await tx.query(
    `SELECT DISTINCT user_id AS id FROM access_tokens WHERE kind = $1 AND ${kind}_id = $2`,
    [kind, containerId],
  );
  await deleteBots(
    tx,
    bots.map(({ id }) => id),
  );
}
