import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeUser, unique, type MadeActor } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { createIssue } from '../support/issue-factories.js';
import { signedIn } from '../support/page-client.js';
import {
  makeMemberOf,
  makeOwnedGroup,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';

interface LabelBody {
  id: number;
  name: string;
  color: string;
  [key: string]: unknown;
}

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

interface Place {
  group: MadeGroup;
  project: MadeProject;
  labels: string;
  groupLabels: string;
}

async function place(visibility: 'private' | 'public' = 'private'): Promise<Place> {
  const group = await makeOwnedGroup(app, owner, { visibility });
  const project = await makeProject(app, { namespaceId: group.id, visibility });
  const labels = `/projects/${project.id}/labels`;
  return { group, project, labels, groupLabels: `/groups/${group.id}/labels` };
}

async function make(path: string, body: object): Promise<LabelBody> {
  const response = await owner.api.post(path, { color: '#d9534f', ...body });
  expect([response.status, response.body]).toEqual([201, expect.anything()]);
  return response.body as LabelBody;
}

async function namesOf(path: string): Promise<string[]> {
  const { body } = await owner.api.get(path).expect(200);
  return (body as LabelBody[]).map(({ name }) => name);
}

async function labelsOf({ project }: Place, iid: number): Promise<unknown> {
  const { body } = await owner.api.get(`/projects/${project.id}/issues/${iid}`).expect(200);
  return (body as LabelBody)['labels'];
}

describe('labels of groups below a group', () => {
  it('are listed for those who can see these groups', async () => {
    const { group, groupLabels } = await place('public');
    const below = await makeOwnedGroup(app, owner, { parentId: group.id, visibility: 'private' });
    const { name } = await make(`/groups/${below.id}/labels`, { name: unique('secret') });
    const path = `${groupLabels}?include_descendant_groups=true`;
    expect(await namesOf(path)).toEqual([name]);
    const stranger = await makeActor(app);
    expect((await stranger.api.get(path).expect(200)).body).toEqual([]);
    expect((await api(app.url).get(path).expect(200)).body).toEqual([]);
  });
});

describe('labels of a project', () => {
  it('are created with all attributes', async () => {
    const here = await place();
    const label = { name: 'bug', color: 'Tomato', description: 'Broken <b>', priority: 1 };
    expect(await make(here.labels, label)).toEqual({
      id: expect.any(Number),
      name: 'bug',
      color: '#ff6347',
      text_color: '#1F1E24',
      description: 'Broken <b>',
      description_html: 'Broken &lt;b&gt;',
      priority: 1,
      is_project_label: true,
      open_issues_count: 0,
      closed_issues_count: 0,
      open_merge_requests_count: 0,
      subscribed: false,
    });
  });

  it('are refused without a name or color, and twice', async () => {
    const here = await place();
    await owner.api.post(here.labels, { name: 'bug' }).expect(400);
    await owner.api.post(here.labels, { color: '#fff' }).expect(400);
    const bad = await owner.api.post(here.labels, { name: 'a,b', color: 'bluish' }).expect(400);
    expect(bad.body).toEqual({
      message: { title: ['is invalid'], color: ['must be a valid color code'] },
    });
    await make(here.groupLabels, { name: 'shared' });
    await make(here.labels, { name: 'bug' });
    for (const name of ['bug', 'shared']) {
      await owner.api
        .post(here.labels, { name, color: '#fff' })
        .expect(409, { message: 'Label already exists' });
    }
  });

  it('are listed with those of the groups above, searched and counted', async () => {
    const here = await place();
    await make(here.labels, { name: 'bug', description: 'Something broken' });
    await make(here.groupLabels, { name: 'area' });
    await createIssue(owner.api, here.project, { labels: 'bug,area' });
    const closed = await createIssue(owner.api, here.project, { labels: 'bug' });
    const path = `/projects/${here.project.id}/issues/${closed.iid}`;
    await owner.api.put(path, { state_event: 'close' }).expect(200);
    expect(await namesOf(here.labels)).toEqual(['area', 'bug']);
    expect(await namesOf(`${here.labels}?include_ancestor_groups=false`)).toEqual(['bug']);
    expect(await namesOf(`${here.labels}?search=broken`)).toEqual(['bug']);
    expect(await namesOf(here.groupLabels)).toEqual(['area']);
    expect(await namesOf(`${here.groupLabels}?only_group_labels=false`)).toEqual(['area', 'bug']);
    const { body } = await owner.api.get(`${here.labels}?with_counts=true`).expect(200);
    expect(body).toMatchObject([
      { name: 'area', is_project_label: false, open_issues_count: 1, closed_issues_count: 0 },
      { name: 'bug', is_project_label: true, open_issues_count: 1, closed_issues_count: 1 },
    ]);
    const plain = await owner.api.get(here.labels).expect(200);
    expect((plain.body as LabelBody[])[0]).not.toHaveProperty('open_issues_count');
  });

  it('count many issues every half a minute, and few each time', async () => {
    const here = await place();
    await make(here.labels, { name: 'common' });
    await make(here.labels, { name: 'rare' });
    const add = (labels: string[], closed: boolean, count: number) =>
      app.dataSource.query(
        `INSERT INTO issues (project_id, iid, author_id, title, labels, state, closed_at)
         SELECT $1, coalesce((SELECT max(iid) FROM issues WHERE project_id = $1), 0) + n, $2, 'Many',
           $3, CASE WHEN $4 THEN 'closed' ELSE 'opened' END, CASE WHEN $4 THEN now() END
         FROM generate_series(1, $5::int) n`,
        [here.project.id, owner.user.id, labels, closed, count],
      );
    const counts = async (): Promise<unknown[]> => {
      const { body } = await owner.api.get(`${here.labels}?with_counts=true`).expect(200);
      return (body as LabelBody[]).map((label) => {
        return [label.name, label['closed_issues_count'], label['open_issues_count']];
      });
    };

    await add(['common'], true, 10_000);
    expect(await counts()).toEqual([
      ['common', 10_000, 0],
      ['rare', 0, 0],
    ]);
    await add(['common', 'rare'], true, 1);
    await add(['common', 'rare'], false, 1);
    expect(await counts()).toEqual([
      ['common', 10_001, 1],
      ['rare', 1, 1],
    ]);
    await add(['common', 'rare'], true, 1);
    await add(['common', 'rare'], false, 1);
    expect(await counts()).toEqual([
      ['common', 10_001, 1],
      ['rare', 2, 2],
    ]);
  });

  it('are created by their first use, unless a group has them', async () => {
    const here = await place();
    await make(here.groupLabels, { name: 'shared', color: '#00ff00' });
    await createIssue(owner.api, here.project, { labels: 'shared,new' });
    const { body } = await owner.api.get(here.labels).expect(200);
    expect(body).toMatchObject([
      { name: 'new', color: '#6699cc', is_project_label: true },
      { name: 'shared', color: '#00ff00', is_project_label: false },
    ]);
    const list = `/projects/${here.project.id}/issues?with_labels_details=true`;
    const issues = await owner.api.get(list).expect(200);
    expect(issues.body).toMatchObject([
      {
        labels: [
          { name: 'new', color: '#6699cc' },
          { name: 'shared', text_color: '#1F1E24' },
        ],
      },
    ]);
  });

  it('are renamed and deleted on issues as well', async () => {
    const here = await place();
    const { id } = await make(here.labels, { name: 'bug' });
    const { iid } = await createIssue(owner.api, here.project, { labels: 'bug,ui' });
    const renamed = await owner.api.put(`${here.labels}/bug`, { new_name: 'defect' }).expect(200);
    expect(renamed.body).toMatchObject({ id, name: 'defect', color: '#d9534f' });
    expect(await labelsOf(here, iid)).toEqual(['defect', 'ui']);
    await owner.api.put(`${here.labels}/${id}`, { new_name: 'ui' }).expect(400);
    await owner.api.put(`${here.labels}/${id}`, {}).expect(400);
    await owner.api.delete(`${here.labels}/${id}`).expect(204);
    expect(await labelsOf(here, iid)).toEqual(['ui']);
    await owner.api.get(`${here.labels}/defect`).expect(404, { message: '404 Label Not Found' });
  });

  it('are updated and deleted by the deprecated endpoints', async () => {
    const here = await place();
    await make(here.labels, { name: 'bug' });
    await owner.api.put(here.labels, { name: 'bug', color: '#fff' }).expect(200);
    await owner.api.delete(`${here.labels}?name=bug`).expect(204);
    expect(await namesOf(here.labels)).toEqual([]);
  });

  it('are promoted to the group, which other projects then share', async () => {
    const here = await place();
    const other = await makeProject(app, { namespaceId: here.group.id });
    await make(here.labels, { name: 'bug', color: '#123456' });
    await make(`/projects/${other.id}/labels`, { name: 'bug' });
    const planner = await makeMemberOf(app, here.project, 'planner');
    await planner.api.put(`${here.labels}/bug/promote`).expect(403);
    const { body } = await owner.api.put(`${here.labels}/bug/promote`).expect(200);
    expect(body).toMatchObject({ name: 'bug', color: '#123456' });
    const { body: shared } = await owner.api.get(`/projects/${other.id}/labels`).expect(200);
    expect(shared).toMatchObject([{ color: '#123456', is_project_label: false }]);
    await owner.api.delete(`${here.labels}/bug`).expect(404);
    const own = await makeProject(app, { namespaceId: owner.user.namespaceId });
    await make(`/projects/${own.id}/labels`, { name: 'bug' });
    await owner.api.put(`/projects/${own.id}/labels/bug/promote`).expect(400);
  });

  it('count only what the viewer can see', async () => {
    const here = await place('public');
    await createIssue(owner.api, here.project, { labels: 'bug' });
    await createIssue(owner.api, here.project, { labels: 'bug', confidential: true });
    const stranger = await makeActor(app);
    for (const [actor, count] of [
      [stranger, 1],
      [owner, 2],
    ] as const) {
      const { body } = await actor.api.get(`${here.labels}/bug`).expect(200);
      expect(body).toMatchObject({ open_issues_count: count });
    }
  });

  it('stay with color and description in a project that moves to another group', async () => {
    const here = await place();
    const shared = { name: 'shared', color: '#00ff00', description: 'Of all' };
    await make(here.groupLabels, shared);
    await make(here.groupLabels, { name: 'unused' });
    await createIssue(owner.api, here.project, { labels: 'shared' });
    const other = await makeOwnedGroup(app, owner);
    const transfer = `/projects/${here.project.id}/transfer`;
    await owner.api.put(transfer, { namespace: other.id }).expect(200);
    const { body } = await owner.api.get(here.labels).expect(200);
    expect(body).toMatchObject([{ ...shared, is_project_label: true }]);
    expect(body).toHaveLength(1);
  });

  it('stay in the projects of a group that leaves the group above', async () => {
    const { group: above } = await place();
    const group = await makeOwnedGroup(app, owner, { parentId: above.id });
    const project = await makeProject(app, { namespaceId: group.id });
    const shared = { name: 'shared', color: '#00ff00', description: 'Of all' };
    await make(`/groups/${above.id}/labels`, shared);
    await make(`/groups/${above.id}/labels`, { name: 'unused' });
    await make(`/groups/${group.id}/labels`, { name: 'own', color: '#0000ff' });
    await createIssue(owner.api, project, { labels: 'own,shared' });
    await owner.api.post(`/groups/${group.id}/transfer`).expect(201);
    const { body } = await owner.api.get(`/projects/${project.id}/labels`).expect(200);
    expect(body).toMatchObject([
      { name: 'own', color: '#0000ff', is_project_label: false },
      { ...shared, is_project_label: true },
    ]);
    expect(body).toHaveLength(2);
  });

  it('are not created by Guests, whose issues get those that exist', async () => {
    const here = await place();
    await make(here.labels, { name: 'bug' });
    const guest = await makeMemberOf(app, here.project, 'guest');
    const { iid } = await createIssue(guest.api, here.project, { labels: 'bug,new' });
    expect(await labelsOf(here, iid)).toEqual(['bug']);
    expect(await namesOf(here.labels)).toEqual(['bug']);
    const planner = await makeMemberOf(app, here.project, 'planner');
    const planned = await createIssue(planner.api, here.project, { labels: 'new' });
    expect(await labelsOf(here, planned.iid)).toEqual(['new']);
  });

  it('are renamed after a deadlock with a change of the issues', async () => {
    const here = await place();
    await make(here.labels, { name: 'bug' });
    const [one, other] = [
      await createIssue(owner.api, here.project, { labels: 'bug' }),
      await createIssue(owner.api, here.project, { labels: 'bug' }),
    ];
    const lock = 'SELECT FROM issues WHERE id = $1 FOR UPDATE';
    const renaming = await app.dataSource.transaction(async (tx) => {
      // The renaming gives way.
      await tx.query(`SET LOCAL deadlock_timeout = '1min'`);
      await tx.query(lock, [other.id]);
      const answer = owner.api.put(`${here.labels}/bug`, { new_name: 'defect' }).then((it) => it);
      const free = `${lock} SKIP LOCKED`;
      await eventually(async () => (await app.dataSource.query(free, [one.id])).length === 0);
      await tx.query(lock, [one.id]);
      return { answer };
    });
    expect(await renaming.answer).toMatchObject({ status: 200, body: { name: 'defect' } });
    expect(await labelsOf(here, one.iid)).toEqual(['defect']);
  });
});

describe('subscriptions to labels', () => {
  it('begin and end once, and are those of the viewer', async () => {
    const here = await place('public');
    const { id } = await make(here.labels, { name: 'bug' });
    const reader = await makeActor(app);
    const path = `${here.labels}/${id}`;
    const { body } = await reader.api.post(`${path}/subscribe`).expect(201);
    expect(body).toMatchObject({ id, subscribed: true, open_issues_count: 0 });
    await reader.api.post(`${path}/subscribe`).expect(304);
    expect((await reader.api.get(here.labels)).body).toMatchObject([{ id, subscribed: true }]);
    expect((await owner.api.get(path)).body).toMatchObject({ subscribed: false });
    const ended = await reader.api.post(`${here.labels}/bug/unsubscribe`).expect(201);
    expect(ended.body).toMatchObject({ id, subscribed: false });
    await reader.api.post(`${path}/unsubscribe`).expect(304);
    await reader.api.post(`${here.labels}/nothing/subscribe`).expect(404);
  });

  it('to a label of a group are the same from its projects', async () => {
    const here = await place();
    const { id } = await make(here.groupLabels, { name: 'late' });
    await owner.api.post(`${here.labels}/late/subscribe`).expect(201);
    await owner.api.post(`${here.groupLabels}/${id}/subscribe`).expect(304);
    const { body } = await owner.api.get(`${here.groupLabels}/${id}`).expect(200);
    expect(body).toMatchObject({ subscribed: true });
    await owner.api.post(`${here.groupLabels}/late/unsubscribe`).expect(201);
  });

  it('go over to the label of the group when it is promoted', async () => {
    const here = await place();
    await make(here.labels, { name: 'bug' });
    const reader = await makeMemberOf(app, here.project, 'guest');
    await reader.api.post(`${here.labels}/bug/subscribe`).expect(201);
    const { body } = await owner.api.put(`${here.labels}/bug/promote`).expect(200);
    expect(body).toMatchObject({ subscribed: false });
    expect((await reader.api.get(`${here.labels}/bug`)).body).toMatchObject({ subscribed: true });
  });

  it('begin and end by a button, also of those who change no labels', async () => {
    const here = await place('public');
    const { id } = await make(here.labels, { name: 'bug' });
    const reader = await makeActor(app);
    const pages = await signedIn(app, reader.user);
    const path = `/${here.project.fullPath}/-/labels`;
    expect(textOf((await pages.get(path).expect(200)).text)).toContain('Subscribe to bug');
    await pages.post(`${path}/${id}/subscription`, { subscribed: 'true' }).expect(303);
    expect(textOf((await pages.get(path)).text)).toContain('Unsubscribe from bug');
    expect((await reader.api.get(here.labels)).body).toMatchObject([{ subscribed: true }]);
    await pages.post(`${path}/${id}/subscription`, { subscribed: 'false' }).expect(303);
    expect((await reader.api.get(here.labels)).body).toMatchObject([{ subscribed: false }]);
  });
});

describe('pages of labels', () => {
  it('create, change and delete labels of projects and groups', async () => {
    const here = await place();
    const pages = await signedIn(app, owner.user);
    for (const list of [
      `/${here.project.fullPath}/-/labels`,
      `/groups/${here.group.fullPath}/-/labels`,
    ]) {
      expect(textOf((await pages.get(list).expect(200)).text)).toContain('No labels yet');
      await pages.get(`${list}/new`).expect(200);
      const bad = await pages.post(`${list}/new`, { name: 'x', color: 'custom' }).expect(422);
      expect(textOf(bad.text)).toContain('Color');
      const sent = { name: 'bug', color: 'custom', custom_color: '#abcdef', description: 'Oops' };
      await pages.post(`${list}/new`, sent).expect(303);
      const { text } = await pages.get(list).expect(200);
      expect(text).toContain('fill="#abcdef"');
      const [, edit = ''] = /href="([^"]*\/\d+\/edit)"/.exec(text) ?? [];
      expect((await pages.get(edit).expect(200)).text).toContain('value="#abcdef"');
      await pages.post(edit, { name: 'defect', color: '#d73a31' }).expect(303);
      expect(textOf((await pages.get(list).expect(200)).text)).toContain('defect');
      await pages.post(edit.replace('edit', 'delete')).expect(303);
    }
  });

  it('are read by everyone who sees the project, and changed by Planners', async () => {
    const here = await place('public');
    const list = `/${here.project.fullPath}/-/labels`;
    const stranger = await signedIn(app, await makeUser(app));
    const { text } = await stranger.get(list).expect(200);
    expect(text).not.toContain('New label');
    await stranger.get(`${list}/new`).expect(404);
    await stranger.post(`${list}/new`, { name: 'x', color: '#fff' }).expect(404);
  });
});

describe('suggestions', () => {
  it('complete names of people, labels, milestones and issues', async () => {
    const here = await place();
    await make(here.labels, { name: 'payment <b>' });
    await createIssue(owner.api, here.project, { title: 'Payment fails' });
    await owner.api
      .post(`/projects/${here.project.id}/milestones`, { title: 'Payment 1.0' })
      .expect(201);
    const pages = await signedIn(app, owner.user);
    const suggest = async (kind: string, query: string): Promise<string[]> => {
      const path = `/${here.project.fullPath}/-/suggestions/${kind}?${query}`;
      const { text } = await pages.get(path).expect(200);
      return [...text.matchAll(/data-value="([^"]*)"/g)].map(([, value = '']) => value);
    };
    expect(await suggest('labels', 'q=pay')).toEqual(['payment &lt;b>']);
    expect(await suggest('labels', 'q=&any=1')).toEqual(['none', 'any', 'payment &lt;b>']);
    expect(await suggest('milestones', 'q=1.0')).toEqual(['Payment 1.0']);
    expect(await suggest('issues', 'q=fails')).toEqual(['1']);
    expect(await suggest('issues', 'q=1')).toEqual(['1']);
    expect(await suggest('users', `q=${owner.user.username}`)).toEqual([owner.user.username]);
    expect(await suggest('users', 'q=%25')).toEqual([]);
    const stranger = await signedIn(app, await makeUser(app));
    for (const kind of ['labels', 'milestones', 'issues', 'users', 'merge_requests', 'branches']) {
      await stranger.get(`/${here.project.fullPath}/-/suggestions/${kind}`).expect(404);
    }
  });
});
