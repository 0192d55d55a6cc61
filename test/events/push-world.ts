import { EVENT_ACTIONS, PUSH_ACTIONS, REF_TYPES } from '../../src/core/activity/event.entity.js';
import { cloneUrl, makeMember, makeProject, type MadeProject } from '../git-http/world.js';
import type { TestApp } from '../support/app.js';
import type { MadeUser } from '../support/factories.js';
import type { GitSandbox } from '../support/git.js';

export interface Pushing {
  project: MadeProject;
  user: MadeUser;
  token: string;
  /** The member's clone in the sandbox. */
  directory: string;
}

let clones = 0;

/** A project (with one commit on main unless `empty`), a maintainer of it, and a clone. */
export async function makePushing(
  app: TestApp,
  git: GitSandbox,
  attributes: Parameters<typeof makeProject>[1] = {},
): Promise<Pushing> {
  const project = await makeProject(app, attributes);
  const { user, token } = await makeMember(app, project, 'maintainer');
  const directory = `clone${(clones += 1)}`;
  await git.run(['clone', '--quiet', cloneUrl(app, project.fullPath, token), directory]);
  return { project, user, token, directory };
}

/** A push event as it is stored, in the words of the API. */
export interface StoredPush {
  authorId: number;
  action: string;
  refType: string;
  ref: string | null;
  from: string | null;
  to: string | null;
  count: number;
  title: string | null;
  refCount: number | null;
}

/** The pushes to a project that left events, oldest first. */
export async function storedPushes(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  project: { id: number },
): Promise<StoredPush[]> {
  const rows = await dataSource.query<Record<string, unknown>[]>(
    `SELECT author_id AS "authorId", push_action, ref_type, ref, commit_from AS from,
            commit_to AS to, commit_count AS count, commit_title AS title,
            ref_count AS "refCount"
     FROM events WHERE project_id = $1 AND action = $2 ORDER BY created_at, id`,
    [project.id, EVENT_ACTIONS.pushed],
  );
  return rows.map(({ push_action: action, ref_type: refType, ...rest }) => ({
    ...(rest as Omit<StoredPush, 'action' | 'refType'>),
    action: wordOf(PUSH_ACTIONS, action),
    refType: wordOf(REF_TYPES, refType),
  }));
}

function wordOf(words: Record<string, number>, value: unknown): string {
  return Object.keys(words).find((word) => words[word] === value) ?? `unknown ${String(value)}`;
}
