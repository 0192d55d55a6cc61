import type { EntityManager } from 'typeorm';
import { ConflictError } from '../core/errors.js';
import type { DeleteContainerJob } from '../core/queue/queues.js';
import type { Ghost } from './ghost-user.js';
import { markGroupDeleted } from './group-marks.js';

/** Tables of contributions without a repository; foreign keys delete dependent rows. */
const WRITTEN = [
  ['notes', 'author_id'],
  ['issue_state_events', 'user_id'],
  ['issues', 'author_id'],
  ['merge_requests', 'author_id'],
] as const;

/** Hides snippets and detaches them: a row can outlive its author until its repository is deleted. */
const MARK_SNIPPETS_SQL = `
  UPDATE snippets SET pending_delete = true, author_id = $2, updated_at = now()
  WHERE author_id = $1 RETURNING id, repository_read_only AS moving`;

/**
 * Deletes a user's contributions and the groups without another owner. Returns the jobs left to the
 * worker. Only under `lockTreeToReshape`. Throws 409 while a repository of these is being moved.
 */
export async function destroyWork(
  tx: EntityManager,
  ghost: Ghost,
  { userId, groupIds }: { userId: number; groupIds: readonly number[] },
): Promise<DeleteContainerJob[]> {
  for (const id of groupIds) await markGroupDeleted(tx, id);
  for (const [table, column] of WRITTEN) {
    await tx.query(`DELETE FROM ${table} WHERE ${column} = $1`, [userId]);
  }
  const [snippets] = await tx.query<[{ id: number; moving: boolean }[], number]>(
    MARK_SNIPPETS_SQL,
    [userId, ghost.userId],
  );
  if (snippets.some(({ moving }) => moving)) {
    throw new ConflictError(
      "Couldn't remove the user. A snippet repository storage move is in progress. Try again when it's complete.",
    );
  }
  return [
    ...groupIds.map((id) => ({ kind: 'group', id }) as const),
    ...snippets.map(({ id }) => ({ kind: 'snippet', id }) as const),
  ];
}
