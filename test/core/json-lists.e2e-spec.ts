import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NewEvent } from '../../src/core/activity/event.entity.js';
import { Sql } from '../../src/core/sql/sql.service.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeAlert } from '../support/alert-factories.js';
import { recordEvent } from '../support/event-factories.js';
import { makeAdmin, type MadeActor } from '../support/factories.js';
import { commitOn, openMergeRequest } from '../support/merge-request-factories.js';
import { makeGroup, makeMemberOf, makeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

/** Runs statements of other processes and returns what the list says then, and its ETag. */
async function listAfter(path: string, ...changes: (readonly [string, unknown[]])[]) {
  for (const [text, values] of changes) await app.dataSource.query(text, values);
  const { body, headers } = await admin.api.get(path).expect(200);
  const [item] = body as Record<string, unknown>[];
  return { item, tag: String(headers['etag']) };
}

describe('lists whose items are kept', () => {
  it('show every change of a project at once', async () => {
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    const path = `/groups/${group.id}/projects`;
    const before = await listAfter(path);
    const whole = await admin.api.get(`/projects/${project.id}`).expect(200);
    expect(before.item).toEqual(whole.body);
    await admin.api.get(path).set('If-None-Match', before.tag).expect(304);

    const { user } = admin;
    const steps = [
      ['UPDATE projects SET description = $2 WHERE id = $1', [project.id, 'Wood']],
      ['UPDATE namespaces SET full_name = $2 WHERE id = $1', [group.id, 'Renamed']],
      [`UPDATE groups SET avatar = repeat('a', 64) WHERE id = $1`, [group.id]],
      ['UPDATE groups SET emails_enabled = false WHERE id = $1', [group.id]],
      [
        'INSERT INTO issues (project_id, iid, author_id, title) VALUES ($1, 1, $2, $3)',
        [project.id, user.id, 'x'],
      ],
      [
        'INSERT INTO members (project_id, user_id, access_level) VALUES ($1, $2, 30)',
        [project.id, user.id],
      ],
      [
        'INSERT INTO members (namespace_id, user_id, access_level) VALUES ($1, $2, 40)',
        [group.id, user.id],
      ],
    ] as const;
    const tags = [before.tag];
    for (const step of steps) tags.push((await listAfter(path, [step[0], [...step[1]]])).tag);
    expect(new Set(tags).size).toBe(tags.length);
    const { item, tag } = await listAfter(path);
    expect(tag).toBe(tags.at(-1));
    expect(item).toEqual((await admin.api.get(`/projects/${project.id}`).expect(200)).body);
    expect(item).toMatchObject({
      description: 'Wood',
      emails_enabled: false,
      open_issues_count: 1,
      permissions: { project_access: { access_level: 30 }, group_access: { access_level: 40 } },
    });
  });

  it('show every change of an issue at once', async () => {
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    const { user } = await makeMemberOf(app, project, 'developer');
    const path = `/projects/${project.id}/issues`;
    const made = await admin.api.post(path, { title: 'Chisel' }).expect(201);
    const { id, iid } = made.body as { id: number; iid: number };
    const milestone = await admin.api.post(`/projects/${project.id}/milestones`, { title: 'v1' });
    const { id: milestoneId } = milestone.body as { id: number };
    const steps = [
      ['UPDATE issues SET milestone_id = $2 WHERE id = $1', [id, milestoneId]],
      [`UPDATE milestones SET due_date = '2020-01-01' WHERE id = $1`, [milestoneId]],
      ['INSERT INTO issue_assignees (issue_id, user_id) VALUES ($1, $2)', [id, user.id]],
      ['UPDATE users SET name = $2 WHERE id = $1', [user.id, 'Joiner']],
      [`INSERT INTO notes (issue_id, author_id, body) VALUES ($1, $2, 'x')`, [id, user.id]],
      ['UPDATE projects SET path = $2 WHERE id = $1', [project.id, `${project.path}-moved`]],
    ] as const;
    const tags = [(await listAfter(path)).tag];
    for (const step of steps) tags.push((await listAfter(path, [step[0], [...step[1]]])).tag);
    expect(new Set(tags).size).toBe(tags.length);
    const { item } = await listAfter(path);
    const one = await admin.api.get(`${path}/${iid}`).expect(200);
    expect({ ...item, subscribed: true }).toEqual(one.body);
    expect(item).toMatchObject({ user_notes_count: 1, assignee: { name: 'Joiner' } });
  });

  it('show every change of a merge request at once', async () => {
    const group = await makeGroup(app);
    const files = { 'a.txt': 'a\n' };
    const project = await makeProject(app, { namespaceId: group.id, files });
    const { user } = await makeMemberOf(app, project, 'developer');
    await commitOn(app, project, { branch: 'b', from: 'main', user, files: { 'b.txt': 'b\n' } });
    const made = await openMergeRequest(admin.api, project, { source_branch: 'b', title: 'Saw' });
    const path = `/projects/${project.id}/merge_requests`;
    const milestone = await admin.api.post(`/projects/${project.id}/milestones`, { title: 'v1' });
    const { id: milestoneId } = milestone.body as { id: number };
    const { id, iid } = made;
    const person =
      'INSERT INTO merge_request_people (merge_request_id, user_id, role) VALUES ($1, $2, $3)';
    const steps = [
      ['UPDATE merge_requests SET milestone_id = $2 WHERE id = $1', [id, milestoneId]],
      [`UPDATE milestones SET due_date = '2020-01-01' WHERE id = $1`, [milestoneId]],
      [person, [id, user.id, 'reviewer']],
      [person, [id, user.id, 'assignee']],
      ['UPDATE users SET name = $2 WHERE id = $1', [user.id, 'Sawyer']],
      [`INSERT INTO notes (merge_request_id, author_id, body) VALUES ($1, $2, 'x')`, [id, user.id]],
      [
        'UPDATE merge_requests SET auto_merge_user_id = $2, auto_merge_sha = head_sha WHERE id = $1',
        [id, user.id],
      ],
      ['UPDATE users SET name = $2 WHERE id = $1', [user.id, 'Joiner']],
      ['UPDATE projects SET path = $2 WHERE id = $1', [project.id, `${project.path}-moved`]],
    ] as const;
    const tags = [(await listAfter(path)).tag];
    for (const step of steps) tags.push((await listAfter(path, [step[0], [...step[1]]])).tag);
    expect(new Set(tags).size).toBe(tags.length);
    const { item } = await listAfter(path);
    const labelled = await admin.api.get(`${path}?with_labels_details=true`).expect(200);
    expect([item]).toEqual(labelled.body);
    expect(item).toMatchObject({
      iid,
      user_notes_count: 1,
      merge_user: { name: 'Joiner' },
      reviewers: [{ name: 'Joiner' }],
    });
  });

  it('show every change of what an event names at once', async () => {
    const project = await makeProject(app, { namespaceId: (await makeGroup(app)).id });
    const { user } = await makeMemberOf(app, project, 'developer');
    const [projectId, authorId] = [project.id, admin.user.id];
    const insert = async (table: string, columns: string, values: unknown[]): Promise<number> => {
      const marks = values.map((_, index) => `$${index + 1}`).join(', ');
      const text = `INSERT INTO ${table} (${columns}) VALUES (${marks}) RETURNING id`;
      return (await app.dataSource.query<{ id: number }[]>(text, values))[0]?.id ?? 0;
    };
    const numbered = 'project_id, iid, title';
    const issue = await insert('issues', `${numbered}, author_id`, [projectId, 1, 'a', authorId]);
    const request = await insert(
      'merge_requests',
      `${numbered}, author_id, source_branch, target_branch, head_sha, base_sha, merge_status`,
      [projectId, 1, 'a', authorId, 'b', 'main', 'a'.repeat(40), 'b'.repeat(40), 'unchecked'],
    );
    const milestone = await insert('milestones', numbered, [projectId, 1, 'a']);
    const page = await insert('wiki_pages', 'project_id, path', [projectId, 'a.md']);
    const written = 'author_id, body, issue_id';
    const note = await insert('notes', written, [authorId, 'a', issue]);
    const foreign = await insert('notes', written, [user.id, 'a', issue]);
    const beside = await insert('notes', 'author_id, body, merge_request_id', [
      authorId,
      'a',
      request,
    ]);
    const snippet = (await makeSnippet(app, { projectId, authorId, files: null })).id;
    const below = await insert('notes', 'author_id, body, snippet_id', [authorId, 'a', snippet]);
    const path = `/projects/${projectId}/events`;
    let words = 0;
    const says = async (
      event: Pick<NewEvent, 'action' | 'target' | 'noteable'>,
      changes: readonly (readonly [table: string, column: string, id: number])[],
    ): Promise<void> => {
      await recordEvent(app, { projectId, authorId, ...event });
      const tags = [(await listAfter(path)).tag];
      for (const [table, column, id] of changes) {
        const word = `Word ${(words += 1)}`;
        const change = `UPDATE ${table} SET ${column} = $2 WHERE id = $1`;
        // Wiki pages have a title by the ending of their file.
        const { item, tag } = await listAfter(path, [change, [id, `${word}.md`]]);
        expect(JSON.stringify(item)).toContain(word);
        // Another statement reads pages of other sizes.
        expect((await listAfter(`${path}?per_page=1`)).item).toEqual(item);
        tags.push(tag);
      }
      expect(new Set(tags).size).toBe(changes.length + 1);
    };
    await says({ action: 'created', target: { type: 'issue', id: issue } }, [
      ['issues', 'title', issue],
      ['users', 'name', authorId],
    ]);
    await says({ action: 'created', target: { type: 'merge_request', id: request } }, [
      ['merge_requests', 'title', request],
    ]);
    await says({ action: 'created', target: { type: 'milestone', id: milestone } }, [
      ['milestones', 'title', milestone],
    ]);
    await says({ action: 'created', target: { type: 'project', id: projectId } }, [
      ['projects', 'name', projectId],
    ]);
    await says({ action: 'created', target: { type: 'wiki_page', id: page } }, [
      ['wiki_pages', 'path', page],
    ]);
    const onIssue = { type: 'issue', id: issue } as const;
    await says({ action: 'commented', target: { type: 'note', id: note }, noteable: onIssue }, [
      ['notes', 'body', note],
      ['issues', 'title', issue],
    ]);
    await says({ action: 'commented', target: { type: 'note', id: foreign }, noteable: onIssue }, [
      ['users', 'name', user.id],
    ]);
    const onSnippet = { type: 'snippet', id: snippet } as const;
    await says({ action: 'commented', target: { type: 'note', id: below }, noteable: onSnippet }, [
      ['snippets', 'title', snippet],
    ]);
    const onRequest = { type: 'merge_request', id: request } as const;
    await says({ action: 'commented', target: { type: 'note', id: beside }, noteable: onRequest }, [
      ['merge_requests', 'title', request],
    ]);
  });

  it('read a comment of any length, and an event that is changed meanwhile', async () => {
    const project = await makeProject(app, { namespaceId: (await makeGroup(app)).id });
    const issues = `/projects/${project.id}/issues`;
    await admin.api.post(issues, { title: 'Chisel' }).expect(201);
    await admin.api.post(`${issues}/1/notes`, { body: 'long '.repeat(3_000) }).expect(201);
    const path = `/projects/${project.id}/events`;
    for (let times = 0; times < 2; times += 1) {
      const { body } = await admin.api.get(path).expect(200);
      expect(body).toMatchObject([{ note: { body: 'long '.repeat(3_000) } }, {}]);
    }
    const sql = app.app.get(Sql);
    const page = sql.page.bind(sql);
    const spy = jest.spyOn(sql, 'page').mockImplementationOnce(async (query, paging) => {
      const read = await page(query, paging);
      await admin.api.put(`${issues}/1`, { title: 'Plane' }).expect(200);
      return read as never;
    });
    const { body } = await admin.api.get(path).expect(200);
    expect(spy).toHaveBeenCalledTimes(2);
    spy.mockRestore();
    expect(body).toMatchObject([{ target_title: 'Plane' }, { target_title: 'Plane' }]);
  });

  it('lose no item when one leaves the list between both statements', async () => {
    const project = await makeProject(app, { namespaceId: (await makeGroup(app)).id });
    const path = `/projects/${project.id}/issues`;
    for (const title of ['Chisel', 'Plane']) await admin.api.post(path, { title }).expect(201);
    const sql = app.app.get(Sql);
    const page = sql.page.bind(sql);
    const spy = jest.spyOn(sql, 'page').mockImplementationOnce(async (query, paging) => {
      const read = await page(query, paging);
      await admin.api.put(`${path}/2`, { state_event: 'close' }).expect(200);
      return read as never;
    });
    const { body, headers } = await admin.api.get(`${path}?state=opened`).expect(200);
    spy.mockRestore();
    expect(body).toMatchObject([{ title: 'Chisel' }]);
    expect(headers['x-total']).toBe('1');
  });

  it('show every change of groups, users, members and alerts at once', async () => {
    const parent = await makeGroup(app);
    const group = await makeGroup(app, { parentId: parent.id });
    const project = await makeProject(app, { namespaceId: group.id });
    const { user } = await makeMemberOf(app, project, 'developer');
    const { id: alertId } = await makeAlert(app, project);
    const groups = `/groups/${parent.id}/subgroups`;
    const users = `/users?username=${user.username}`;
    const members = `/projects/${project.id}/members/all`;
    const alerts = `/projects/${project.id}/alert_management_alerts`;
    for (const path of [groups, users, members, alerts]) await listAfter(path);

    const byGroup = await listAfter(groups, [
      'UPDATE groups SET emails_enabled = false WHERE id = $1',
      [parent.id],
    ]);
    expect(byGroup.item).toMatchObject({ id: group.id, emails_enabled: false });
    const byUser = await listAfter(users, [
      'UPDATE users SET locked_at = now(), bio = $2 WHERE id = $1',
      [user.id, 'Turner'],
    ]);
    expect(byUser.item).toMatchObject({ locked: true, bio: 'Turner' });
    const byMember = await listAfter(members, [
      'UPDATE users SET name = $2 WHERE id = $1',
      [user.id, 'Renamed'],
    ]);
    expect(byMember.item).toMatchObject({ name: 'Renamed', access_level: 30 });
    const byAlert = await listAfter(
      alerts,
      ['UPDATE alerts SET event_count = 7, assignee_id = $2 WHERE id = $1', [alertId, user.id]],
      ['UPDATE projects SET path = $2 WHERE id = $1', [project.id, `${project.path}-moved`]],
    );
    expect(byAlert.item).toMatchObject({
      event_count: 7,
      assignees: [{ id: user.id, name: 'Renamed' }],
      web_url: expect.stringContaining(`${project.path}-moved`) as unknown,
    });
  });
});
