import type { EntityManager } from 'typeorm';

/** What mails are about that people may want, or not, whatever their level is. */
export type Thread =
  | { kind: 'issue' | 'merge_request' | 'snippet'; id: number }
  | { kind: 'commit'; projectId: number; sha: string };

/** What a user wants. */
interface Wish {
  userId: number;
  thread: Thread;
  subscribed: boolean;
}

/** Nothing happens when the thread or the user is gone; neither can go meanwhile. */
const setSql = (table: string, column: string): string => `
  INSERT INTO subscriptions (user_id, ${column}, subscribed)
  SELECT u.id, t.id, $3 FROM users u JOIN ${table} t ON t.id = $2 WHERE u.id = $1
  FOR KEY SHARE
  ON CONFLICT (${column}, user_id) WHERE ${column} IS NOT NULL
    DO UPDATE SET subscribed = excluded.subscribed, updated_at = now()
  RETURNING id`;

const SET_SQL = {
  issue: setSql('issues', 'issue_id'),
  merge_request: setSql('merge_requests', 'merge_request_id'),
  snippet: setSql('snippets', 'snippet_id'),
} as const;

const SET_COMMIT_SQL = `
  INSERT INTO subscriptions (user_id, commit_project_id, commit_sha, subscribed)
  SELECT u.id, t.id, $4, $3 FROM users u JOIN projects t ON t.id = $2 WHERE u.id = $1
  FOR KEY SHARE
  ON CONFLICT (commit_project_id, commit_sha, user_id) WHERE commit_project_id IS NOT NULL
    DO UPDATE SET subscribed = excluded.subscribed, updated_at = now()
  RETURNING id`;

/**
 * Notes that the user wants the mails of the thread, or does not. Whether they may read it is the
 * caller's affair, and asked again for each mail. Answers false when the thread or the user is gone.
 */
export async function setSubscription(
  tx: Pick<EntityManager, 'query'>,
  { userId, thread, subscribed }: Wish,
): Promise<boolean> {
  const [sql, values] =
    thread.kind === 'commit'
      ? [SET_COMMIT_SQL, [userId, thread.projectId, subscribed, thread.sha]]
      : [SET_SQL[thread.kind], [userId, thread.id, subscribed]];
  return (await tx.query<unknown[]>(sql, values)).length > 0;
}

/** Does what a command of a comment says about the mails of its thread; nothing without one. */
export async function applySubscriptionEvent(
  tx: EntityManager,
  { userId, thread }: Omit<Wish, 'subscribed'>,
  event: 'subscribe' | 'unsubscribe' | undefined,
): Promise<void> {
  if (event === undefined) return;
  await setSubscription(tx, { userId, thread, subscribed: event === 'subscribe' });
}
