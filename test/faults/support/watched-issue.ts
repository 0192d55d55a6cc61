import { makeUser } from '../../support/factories.js';
import type { FaultStack } from './stack.js';

/** An issue of a public project that many people watch. */
export interface WatchedIssue {
  /** Notes that someone made it once more, as the transaction does that makes it. */
  tell(): Promise<void>;
}

const PROJECT_SQL = `
  WITH project AS (
    INSERT INTO projects (namespace_id, name, path, repository_storage, visibility)
    VALUES ($1, 'Watched', 'watched', 'default', 20) RETURNING id),
  people AS (
    INSERT INTO users (username, name, email, confirmed_at)
    SELECT 'watcher' || n, 'Watcher ' || n, 'watcher' || n || '@example.com', now()
    FROM generate_series(1, $2::int) n RETURNING id),
  settings AS (
    INSERT INTO notification_settings (user_id, project_id, level)
    SELECT people.id, project.id, 2 FROM people, project)
  INSERT INTO issues (project_id, iid, author_id, title)
  SELECT id, 1, $3, 'Watched' FROM project RETURNING id, project_id AS "projectId"`;

const NOTIFICATION_SQL = `
  INSERT INTO notifications (kind, project_id, actor_id, target_type, target_id)
  VALUES (2, $1, $2, 1, $3)`;

/** Makes it with that many watchers. */
export async function makeWatchedIssue(stack: FaultStack, watchers: number): Promise<WatchedIssue> {
  const author = await makeUser(stack);
  const values = [author.namespaceId, watchers, author.id];
  const [issue] = await stack.rows<{ id: number; projectId: number }>(PROJECT_SQL, values);
  if (issue === undefined) throw new Error('The issue was not made');
  return {
    tell: async () => {
      await stack.rows(NOTIFICATION_SQL, [issue.projectId, author.id, issue.id]);
    },
  };
}
