import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSchemaState } from '../../src/database/sql/schema-state.js';
import { type OwnTestApp, startTestApp } from '../support/app.js';
import { makeAdmin, type MadeActor, unique } from '../support/factories.js';

let app: OwnTestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await startTestApp();
  admin = await makeAdmin(app);
});
afterAll(() => app.close());

/** Writes and reads of most features; returns the statuses. */
async function useEverything(): Promise<Record<string, number>> {
  const { api } = admin;
  const statuses: Record<string, number> = {};
  const note = (name: string, { status }: { status: number }): void => {
    statuses[name] = status;
  };
  const group = await api.post('/groups', { name: unique('Group'), path: unique('group') });
  const project = await api.post('/projects', {
    name: unique('Project'),
    initialize_with_readme: true,
  });
  note('group', group);
  note('project', project);
  const { id } = project.body as { id: number };
  const issue = await api.post(`/projects/${id}/issues`, { title: 'One', labels: 'bug' });
  note('issue', issue);
  const { iid } = issue.body as { iid: number };
  const of = `/projects/${id}`;
  const branch = { branch: 'topic', ref: 'main' };
  note('comment', await api.post(`${of}/issues/${iid}/notes`, { body: 'Two' }));
  note('branch', await api.post(`${of}/repository/branches`, branch));
  const commit = {
    branch: 'topic',
    commit_message: 'Three',
    actions: [{ action: 'create', file_path: 'a.txt', content: 'a' }],
  };
  note('commit', await api.post(`${of}/repository/commits`, commit));
  const request = { source_branch: 'topic', target_branch: 'main', title: 'Four' };
  note('merge request', await api.post(`${of}/merge_requests`, request));
  note('milestone', await api.post(`${of}/milestones`, { title: 'Five' }));
  const files = [{ file_path: 'a.txt', content: 'a' }];
  note('snippet', await api.post('/snippets', { title: 'Six', visibility: 'private', files }));
  const token = { name: 'ci', scopes: ['api'], access_level: 30, expires_at: nextMonth() };
  note('token', await api.post(`${of}/access_tokens`, token));
  const lists = ['/users', '/projects', '/groups', '/issues', '/merge_requests', '/events'];
  const ofProject = [
    'issues',
    'members/all',
    'merge_requests',
    'labels',
    'events',
    'access_tokens',
  ];
  for (const path of [...lists, '/todos', '/snippets', '/audit_events', '/application/settings']) {
    note(path, await api.get(path));
  }
  for (const name of ofProject) note(name, await api.get(`${of}/${name}`));
  return statuses;
}

function nextMonth(): string {
  return new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
}

/** Adds to the schema like the migrations of a later release: columns with and without a default, a table, an index. */
async function addToEveryTable(): Promise<void> {
  const tables = await app.dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname <> 'schema_migrations'`,
  );
  for (const { name } of tables) {
    await app.dataSource.query(
      `ALTER TABLE "${name}" ADD COLUMN added_later text NOT NULL DEFAULT 'later',
         ADD COLUMN added_empty bigint`,
    );
  }
  await app.dataSource.query(
    `CREATE TABLE added_tables (id bigint PRIMARY KEY, user_id bigint REFERENCES users (id) ON DELETE CASCADE);
     CREATE INDEX added_index ON issues (added_later);
     INSERT INTO schema_migrations (timestamp, name) VALUES (9999999999999, 'Added9999999999999')`,
  );
}

describe('a process on the schema of a newer version', () => {
  it('goes on serving while columns, tables and indexes are added', async () => {
    const before = await useEverything();
    await addToEveryTable();
    const after = await useEverything();
    expect(Object.entries(before).filter(([, status]) => status >= 300)).toEqual([]);
    expect(after).toEqual(before);
    expect(await readSchemaState(app.config.databaseUrl)).toEqual({
      missing: [],
      newer: ['Added9999999999999'],
    });
  });
});
