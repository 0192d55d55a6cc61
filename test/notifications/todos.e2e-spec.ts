import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { todosStatement } from '../../src/notifications/todo-recorder.service.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeAlert } from '../support/alert-factories.js';
import { api, type ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { day } from '../support/days.js';
import { createIssue } from '../support/issue-factories.js';
import { commitOn, openMergeRequest } from '../support/merge-request-factories.js';
import { makeVisitor } from '../support/page-client.js';
import {
  makeGroup,
  makeMember,
  makeMemberOf,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';

interface TodoBody {
  id: number;
  action_name: string;
  target_type: string;
  target: { id: number; iid: number; title: string } | null;
  [key: string]: unknown;
}

let app: TestApp;
let group: MadeGroup;
let project: MadeProject;
let ann: MadeActor;
let bob: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  group = await makeGroup(app, { visibility: 'public' });
  project = await makeProject(app, { namespaceId: group.id, files: { 'a.txt': 'a' } });
  ann = await makeMemberOf(app, project, 'owner');
});
beforeEach(async () => {
  bob = await makeMemberOf(app, project, 'developer');
});

async function todos({ api }: { api: ApiClient }, query = ''): Promise<TodoBody[]> {
  return (await api.get(`/todos${query}`).expect(200)).body as TodoBody[];
}

const reasons = async (actor: MadeActor): Promise<string[]> =>
  (await todos(actor)).map(({ action_name: name }) => name);

const rowsOf = (userId: number): Promise<{ id: number; isDone: boolean }[]> =>
  app.dataSource.query(
    'SELECT id, done_at IS NOT NULL AS "isDone" FROM todos WHERE user_id = $1 ORDER BY id',
    [userId],
  );

const pathOf = ({ iid }: { iid: number }): string => `/projects/${project.id}/issues/${iid}`;

describe('the statement for to-dos', () => {
  it.each(['issue', 'merge_request'] as const)(
    'is planned once per connection and not for each single notification: %s',
    async (type) => {
      const client = new pg.Client({ connectionString: app.config.databaseUrl });
      await client.connect();
      try {
        await client.query('SET plan_cache_mode = auto');
        const place = { projectId: project.id, actorId: ann.user.id, target: { type, id: 0 } };
        const notification = { kind: `new_${type}`, ...place } as const;
        const statement = todosStatement(type, [notification]);
        for (let run = 0; run < 8; run += 1) await client.query(statement);
        const { rows } = await client.query(
          'SELECT generic_plans::int AS kept, custom_plans::int AS made FROM pg_prepared_statements',
        );
        expect(rows).toEqual([{ kept: 3, made: 5 }]);
      } finally {
        await client.end();
      }
    },
  );
});

describe('a to-do', () => {
  it('is made by an assignment and shows its target, author and project', async () => {
    const issue = await createIssue(ann.api, project, { assignee_ids: [bob.user.id] });
    const [todo] = await todos(bob);
    expect(todo).toMatchObject({
      project: { id: project.id, path_with_namespace: project.fullPath },
      author: { id: ann.user.id },
      action_name: 'assigned',
      target_type: 'Issue',
      target: { id: issue.id, title: issue.title },
      target_url: `${app.config.baseUrl}/${project.fullPath}/-/issues/${issue.iid}`,
      body: issue.title,
      state: 'pending',
    });
    expect(await todos(ann)).toEqual([]);
  });

  it('is made by a later assignment and ends when it is taken back', async () => {
    const issue = await createIssue(ann.api, project);
    await ann.api.put(pathOf(issue), { assignee_ids: [bob.user.id] }).expect(200);
    expect(await reasons(bob)).toEqual(['assigned']);
    await ann.api.put(pathOf(issue), { assignee_ids: [] }).expect(200);
    expect(await reasons(bob)).toEqual([]);
  });

  it('is made by a mention in a comment, with its text, once per target', async () => {
    const issue = await createIssue(ann.api, project);
    const body = `@${bob.user.username}, please have a look.`;
    const note = await ann.api.post(`${pathOf(issue)}/notes`, { body }).expect(201);
    await ann.api.post(`${pathOf(issue)}/notes`, { body }).expect(201);
    const url = `/-/issues/${issue.iid}#note_${(note.body as { id: number }).id}`;
    expect(await todos(bob)).toEqual([
      expect.objectContaining({
        action_name: 'mentioned',
        body,
        target_url: expect.stringContaining(url),
      }),
    ]);
  });

  it('is made once for each user by one change that assigns and mentions', async () => {
    const carl = await makeMemberOf(app, project, 'developer');
    const issue = await createIssue(ann.api, project);
    const description = `@${bob.user.username} and @${carl.user.username}`;
    const change = { assignee_ids: [bob.user.id], description };
    await ann.api.put(pathOf(issue), change).expect(200);
    expect(await reasons(bob)).toEqual(['assigned']);
    expect(await reasons(carl)).toEqual(['mentioned']);
  });

  it('is made by mentions in texts, of groups and of everyone', async () => {
    const carl = await makeActor(app);
    await makeMember(app, { user: carl.user, group, role: 'guest' });
    const named = await createIssue(ann.api, project, { title: `Ask @${group.fullPath}` });
    await createIssue(ann.api, project, { description: '@all: lunch' });
    expect(await reasons(carl)).toEqual(['mentioned', 'mentioned']);
    expect(await reasons(bob)).toEqual(['mentioned']);
    const description = `And @${bob.user.username}`;
    await ann.api.put(pathOf(named), { description }).expect(200);
    expect(await reasons(bob)).toEqual(['mentioned', 'mentioned']);
  });

  it('is made for no one who cannot see the target', async () => {
    const guest = await makeMemberOf(app, project, 'guest');
    const stranger = await makeActor(app);
    const names = [bob, guest, stranger].map(({ user }) => `@${user.username}`).join(' ');
    const hidden = await createIssue(ann.api, project, { description: names, confidential: true });
    await ann.api.post(`${pathOf(hidden)}/notes`, { body: names, internal: true }).expect(201);
    expect(await reasons(bob)).toEqual(['mentioned']);
    expect(await reasons(guest)).toEqual([]);
    expect(await reasons(stranger)).toEqual([]);
  });

  it('is hidden from a user who cannot see the target any more', async () => {
    await createIssue(ann.api, project, { assignee_ids: [bob.user.id] });
    await ann.api.delete(`/projects/${project.id}/members/${bob.user.id}`).expect(204);
    expect(await todos(bob)).toEqual([]);
  });

  it('ends for everyone assigned when the issue is closed, mentions stay', async () => {
    const carl = await makeMemberOf(app, project, 'developer');
    const issue = await createIssue(ann.api, project, { assignee_ids: [bob.user.id] });
    const body = `@${carl.user.username} @${bob.user.username}`;
    await ann.api.post(`${pathOf(issue)}/notes`, { body }).expect(201);
    await ann.api.put(pathOf(issue), { state_event: 'close' }).expect(200);
    expect(await reasons(bob)).toEqual([]);
    expect(await reasons(carl)).toEqual(['mentioned']);
    expect((await todos(bob, '?state=done')).map(({ state }) => state)).toEqual(['done']);
  });

  it('is made for a mentioned assignee by the comment that closes the issue', async () => {
    const issue = await createIssue(ann.api, project, { assignee_ids: [bob.user.id] });
    const body = `@${bob.user.username}, thank you.\n\n/close`;
    await ann.api.post(`${pathOf(issue)}/notes`, { body }).expect(201);
    expect(await todos(bob)).toMatchObject([
      { action_name: 'mentioned', target: { state: 'closed' }, body: body.split('\n')[0] },
    ]);
    expect(await todos(bob, '?state=done')).toMatchObject([{ action_name: 'assigned' }]);
  });

  it('ends when its user acts on the target', async () => {
    const issue = await createIssue(ann.api, project, { assignee_ids: [bob.user.id] });
    await bob.api.post(`${pathOf(issue)}/notes`, { body: 'I am on it.' }).expect(201);
    expect(await reasons(bob)).toEqual([]);
  });

  it('is made by a review request and ends with the merge request', async () => {
    const files = { 'b.txt': 'b' };
    const branch = `topic-${bob.user.id}`;
    await commitOn(app, project, { branch, from: 'main', user: ann.user, files });
    const opened = await openMergeRequest(ann.api, project, { source_branch: branch });
    const path = `/projects/${project.id}/merge_requests/${opened.iid}`;
    await ann.api.put(path, { reviewer_ids: [bob.user.id] }).expect(200);
    const [todo] = await todos(bob, '?type=MergeRequest');
    expect(todo).toMatchObject({ action_name: 'review_requested', target: { id: opened.id } });
    await ann.api.put(path, { state_event: 'close' }).expect(200);
    expect(await todos(bob)).toEqual([]);
  });

  it('is made by the assignment of an alert and ends when it is resolved', async () => {
    const alert = await makeAlert(app, project);
    const path = `/projects/${project.id}/alert_management_alerts/${alert.iid}`;
    await ann.api.put(path, { assignee_ids: [bob.user.id] }).expect(200);
    const [todo] = await todos(bob);
    expect(todo).toMatchObject({
      action_name: 'assigned',
      target_type: 'AlertManagement::Alert',
      target: { id: alert.id },
    });
    await ann.api.put(path, { status: 'resolved' }).expect(200);
    expect(await todos(bob)).toEqual([]);
  });
});

describe('POST …/todo', () => {
  it('adds one, once', async () => {
    const issue = await createIssue(ann.api, project);
    const alert = await makeAlert(app, project);
    const path = `/projects/${project.id}/alert_management_alerts/${alert.iid}`;
    for (const one of [pathOf(issue), path]) {
      const { body } = await bob.api.post(`${one}/todo`).expect(201);
      expect(body).toMatchObject({ action_name: 'marked', author: { id: bob.user.id } });
      await bob.api.post(`${one}/todo`).expect(304);
    }
    expect(await reasons(bob)).toEqual(['marked', 'marked']);
  });

  it('refuses bots, which have no to-dos', async () => {
    const issue = await createIssue(ann.api, project);
    const { body } = await ann.api
      .post(`/projects/${project.id}/access_tokens`, {
        name: 'bot',
        scopes: ['api'],
        access_level: 30,
        expires_at: day(5),
      })
      .expect(201);
    const bot = api(app.url, (body as { token: string }).token);
    await bot.post(`${pathOf(issue)}/todo`).expect(403);
  });
});

describe('GET /todos', () => {
  it('filters by reason, author, project, group, type and state', async () => {
    const issue = await createIssue(ann.api, project, { assignee_ids: [bob.user.id] });
    await bob.api.post(`${pathOf(await createIssue(ann.api, project))}/todo`).expect(201);
    const counts = async (query: string): Promise<number> => (await todos(bob, query)).length;
    expect(await counts('?action=assigned')).toBe(1);
    expect(await counts('?action=build_failed')).toBe(0);
    expect(await counts(`?author_id=${bob.user.id}`)).toBe(1);
    expect(await counts(`?project_id=${project.id}&group_id=${group.id}`)).toBe(2);
    expect(await counts('?project_id=0')).toBe(0);
    expect(await counts('?type=Issue')).toBe(2);
    expect(await counts('?type=MergeRequest')).toBe(0);
    await bob.api.get('/todos?state=later').expect(400);
    const [newest] = await todos(bob, '?per_page=1');
    expect(newest?.target?.id).not.toBe(issue.id);
  });

  it('marks one or all as done, and none of others', async () => {
    await createIssue(ann.api, project, { assignee_ids: [bob.user.id] });
    await createIssue(ann.api, project, { assignee_ids: [bob.user.id] });
    const [todo] = await todos(bob);
    await ann.api.post(`/todos/${todo?.id}/mark_as_done`).expect(404);
    const { body } = await bob.api.post(`/todos/${todo?.id}/mark_as_done`).expect(201);
    expect(body).toMatchObject({ id: todo?.id, state: 'done' });
    expect(await reasons(bob)).toEqual(['assigned']);
    await bob.api.post('/todos/mark_as_done').expect(204);
    expect(await reasons(bob)).toEqual([]);
  });
});

describe('pages', () => {
  it('add a to-do, mark it as done and undo it', async () => {
    const { pages, user } = await makeVisitor(app);
    await makeMember(app, { user, project, role: 'developer' });
    const issue = await createIssue(ann.api, project);
    const page = `/${project.fullPath}/-/issues/${issue.iid}`;
    const fields = { type: 'issue', id: String(issue.id), project_id: String(project.id) };
    const origin = app.config.baseUrl;
    const added = await pages
      .post('/dashboard/todos', fields)
      .set('Referer', origin + page)
      .expect(303);
    expect(added.headers['location']).toBe(page);
    const { text } = await pages.get(page).expect(200);
    const [, id] = /action="\/dashboard\/todos\/(\d+)\/done"/.exec(text) ?? [];
    expect(text).toMatch(/<span class="sr-only">To-dos<\/span><small>1<\/small>/);
    expect((await pages.get('/').expect(200)).text).toContain(issue.title);
    const done = await pages
      .post(`/dashboard/todos/${id}/done`)
      .set('Referer', `${origin}/dashboard/todos`)
      .expect(303);
    expect(done.headers['location']).toBe(`/dashboard/todos?undo=${id}`);
    const list = (await pages.get(`/dashboard/todos?undo=${id}`).expect(200)).text;
    expect(list).toContain('Undo');
    expect(list).not.toContain(issue.title);
    expect((await pages.get('/dashboard/todos?state=done').expect(200)).text).toContain(
      issue.title,
    );
    await pages.post(`/dashboard/todos/${id}/restore`).expect(303);
    expect((await pages.get('/dashboard/todos').expect(200)).text).toContain(issue.title);
    await pages.post('/dashboard/todos/done').expect(303);
    expect((await pages.get('/dashboard/todos').expect(200)).text).not.toContain(issue.title);
  });

  it('leave a to-do done while another one for the target becomes pending', async () => {
    const { pages, user } = await makeVisitor(app);
    await makeMember(app, { user, project, role: 'developer' });
    const issue = await createIssue(ann.api, project, { assignee_ids: [user.id] });
    await pages.post('/dashboard/todos/done').expect(303);
    const [done] = await rowsOf(user.id);
    const restored = await app.dataSource.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO todos (user_id, author_id, project_id, action, issue_id)
         VALUES ($1, $1, $2, 4, $3)`,
        [user.id, project.id, issue.id],
      );
      const response = pages.post(`/dashboard/todos/${done?.id}/restore`).then((it) => it);
      await eventually(async () => {
        const waiting = await app.dataSource.query<unknown[]>(
          `SELECT FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock' AND query LIKE '%UPDATE todos%'`,
        );
        return waiting.length > 0;
      });
      return { response };
    });
    expect((await restored.response).status).toBe(303);
    expect((await rowsOf(user.id)).map(({ isDone }) => isDone)).toEqual([true, false]);
  });

  it('show code in the beginning of a comment', async () => {
    const { pages, user } = await makeVisitor(app);
    await makeMember(app, { user, project, role: 'developer' });
    const { iid } = await createIssue(ann.api, project);
    const body = `Run \`npm <b>\`, @${user.username}`;
    await ann.api.post(`/projects/${project.id}/issues/${iid}/notes`, { body }).expect(201);
    const { text } = await pages.get('/dashboard/todos').expect(200);
    expect(text).toContain(`Run <code>npm &lt;b&gt;</code>, @${user.username}`);
  });

  it('add nothing that the visitor cannot see', async () => {
    const { pages, user } = await makeVisitor(app);
    const { id } = await createIssue(ann.api, project);
    const fields = { type: 'issue', id: String(id), project_id: String(project.id) };
    await pages.post('/dashboard/todos', fields).expect(303);
    const rows = await app.dataSource.query('SELECT FROM todos WHERE user_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });
});
