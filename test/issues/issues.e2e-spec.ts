import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/identity/members/roles.js';
import { api, type ApiClient } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { createIssue, type IssueBody } from '../support/issue-factories.js';
import {
  makeGroup,
  makeMember,
  makeMemberOf,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

/** A project of the owner's own namespace. */
function project(
  attributes: Partial<Parameters<typeof makeProject>[1]> = {},
): Promise<MadeProject> {
  return makeProject(app, { namespaceId: owner.user.namespaceId, ...attributes });
}

const member = (of: MadeProject, role: Role): Promise<MadeActor> => makeMemberOf(app, of, role);

async function iidsOf(client: ApiClient, path: string): Promise<number[]> {
  const response = await client.get(path);
  expect(response.status).toBe(200);
  return (response.body as IssueBody[]).map(({ iid }) => iid);
}

async function trail(targetId: number): Promise<unknown[]> {
  return app.dataSource.query(
    `SELECT author_id, action, target_name, entity_type, entity_id, details FROM audit_events
     WHERE target_type = 'Issue' AND target_id = $1 ORDER BY id`,
    [targetId],
  );
}

describe('POST /projects/:id/issues', () => {
  it('answers 201 with the whole issue', async () => {
    const place = await project();
    const response = await owner.api.post(
      `/projects/${encodeURIComponent(place.fullPath)}/issues`,
      {
        title: 'Roof leaks',
        description: 'Over the hall',
        confidential: true,
      },
    );

    expect(response.status).toBe(201);
    const { id, created_at: createdAt, updated_at: updatedAt } = response.body as IssueBody;
    expect(response.body).toEqual({
      id,
      iid: 1,
      project_id: place.id,
      title: 'Roof leaks',
      description: 'Over the hall',
      state: 'opened',
      created_at: createdAt,
      updated_at: updatedAt,
      closed_at: null,
      closed_by: null,
      author: {
        id: owner.user.id,
        username: owner.user.username,
        name: owner.user.name,
        state: 'active',
        locked: false,
        avatar_url: null,
        web_url: `${app.url}/${owner.user.username}`,
      },
      type: 'ISSUE',
      issue_type: 'issue',
      severity: 'UNKNOWN',
      confidential: true,
      discussion_locked: false,
      labels: [],
      milestone: null,
      assignees: [],
      assignee: null,
      user_notes_count: 0,
      merge_requests_count: 0,
      upvotes: 0,
      downvotes: 0,
      due_date: null,
      time_stats: {
        time_estimate: 0,
        total_time_spent: 0,
        human_time_estimate: null,
        human_total_time_spent: null,
      },
      task_completion_status: { count: 0, completed_count: 0 },
      has_tasks: false,
      blocking_issues_count: 0,
      moved_to_id: null,
      imported: false,
      imported_from: 'none',
      service_desk_reply_to: null,
      subscribed: true,
      web_url: `${app.url}/${place.fullPath}/-/issues/1`,
      references: { short: '#1', relative: '#1', full: `${place.fullPath}#1` },
      _links: {
        self: `${app.url}/api/v4/projects/${place.id}/issues/1`,
        notes: `${app.url}/api/v4/projects/${place.id}/issues/1/notes`,
        award_emoji: `${app.url}/api/v4/projects/${place.id}/issues/1/award_emoji`,
        project: `${app.url}/api/v4/projects/${place.id}`,
      },
    });
    const [listed] = (await owner.api.get(`/projects/${place.id}/issues`)).body as IssueBody[];
    expect({ ...listed, subscribed: true }).toEqual(response.body);
    expect(listed).not.toHaveProperty('subscribed');
  });

  it('numbers issues within their project, also those of many at once', async () => {
    const [place, other] = [await project(), await project()];
    const made = await Promise.all(Array.from({ length: 20 }, () => createIssue(owner.api, place)));

    expect(made.map(({ iid }) => iid).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
    expect((await createIssue(owner.api, other)).iid).toBe(1);
  });

  it('never gives a number twice', async () => {
    const place = await project();
    await createIssue(owner.api, place);
    const { iid } = await createIssue(owner.api, place);
    expect((await owner.api.delete(`/projects/${place.id}/issues/${iid}`)).status).toBe(204);

    expect((await createIssue(owner.api, place)).iid).toBe(3);
  });

  it.each<[string, object, object]>([
    ['no title', {}, { message: '400 (Bad request) "title" not given', error: 'title is missing' }],
    ['an empty title', { title: ' ' }, { error: 'title is empty' }],
    ['a title that is a list', { title: ['x'] }, { error: 'title is invalid' }],
    [
      'a title of 256 characters',
      { title: 'x'.repeat(256) },
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      'a word for confidential',
      { title: 'x', confidential: 'maybe' },
      { error: 'confidential is invalid' },
    ],
  ])('refuses %s', async (_, body, expected) => {
    const { id } = await project();
    const response = await owner.api.post(`/projects/${id}/issues`, body);

    expect([response.status, response.body]).toEqual([400, expect.objectContaining(expected)]);
  });

  it('is for signed-in users who see the project', async () => {
    const open = await project({ visibility: 'public' });
    const closed = await project();
    const [stranger, guest] = [await makeActor(app), await member(closed, 'guest')];

    expect((await api(app.url).post(`/projects/${open.id}/issues`, { title: 'x' })).status).toBe(
      401,
    );
    await createIssue(stranger.api, open);
    await createIssue(guest.api, closed);
    const hidden = await stranger.api.post(`/projects/${closed.id}/issues`, { title: 'x' });
    expect([hidden.status, hidden.body]).toEqual([404, { message: '404 Project Not Found' }]);
  });

  it('is refused with 403 where issues are off or the project is archived', async () => {
    const off = await project({ issuesEnabled: false });
    const archived = await project();
    const { iid } = await createIssue(owner.api, archived);
    await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [archived.id]);

    for (const { id } of [off, archived]) {
      expect((await owner.api.post(`/projects/${id}/issues`, { title: 'x' })).status).toBe(403);
    }
    expect((await owner.api.get(`/projects/${off.id}/issues`)).status).toBe(403);
    expect((await owner.api.get(`/projects/${off.id}/issues/1`)).status).toBe(403);
    expect((await owner.api.get(`/projects/${archived.id}/issues/${iid}`)).status).toBe(200);
    const path = `/projects/${archived.id}/issues/${iid}`;
    expect((await owner.api.put(path, { title: 'y' })).status).toBe(403);
    expect((await owner.api.delete(path)).status).toBe(403);
  });
});

describe('reading issues', () => {
  it('finds one by its number, and answers 404 for any other', async () => {
    const place = await project();
    const { id, iid } = await createIssue(owner.api, place);
    const path = `/projects/${place.id}/issues`;

    expect((await owner.api.get(`${path}/${iid}`)).body).toMatchObject({ id, iid });
    const missing = await owner.api.get(`${path}/99999999999999999999`);
    expect([missing.status, missing.body]).toEqual([404, { message: '404 Not found' }]);
    expect((await owner.api.get(`${path}/x`)).body).toMatchObject({
      error: 'issue_iid is invalid',
    });
  });

  it('shows confidential issues to their author, Reporters and above only', async () => {
    const place = await project({ visibility: 'public' });
    const author = await makeActor(app);
    const { iid } = await createIssue(author.api, place, { confidential: true });
    const path = `/projects/${place.id}/issues`;
    const may = [author, await member(place, 'reporter'), await makeAdmin(app)];
    const mayNot = [await makeActor(app), await member(place, 'guest'), { api: api(app.url) }];

    for (const { api: client } of may) {
      expect((await client.get(`${path}/${iid}`)).status).toBe(200);
      expect(await iidsOf(client, path)).toEqual([iid]);
    }
    for (const { api: client } of mayNot) {
      const response = await client.get(`${path}/${iid}`);
      expect([response.status, response.body]).toEqual([404, { message: '404 Not found' }]);
      const list = await client.get(path);
      expect([list.body, list.headers['x-total']]).toEqual([[], '0']);
    }
    const change = await mayNot[0]?.api.put(`${path}/${iid}`, { title: 'x' });
    expect(change?.status).toBe(404);
  });

  it('hides the issues of authors who lost sight of the project from them', async () => {
    const place = await project();
    const guest = await member(place, 'guest');
    await createIssue(guest.api, place);
    await app.dataSource.query('DELETE FROM members WHERE user_id = $1', [guest.user.id]);

    expect((await guest.api.get('/issues')).body).toEqual([]);
  });

  it('takes members of groups above for members', async () => {
    const group = await makeGroup(app);
    const place = await makeProject(app, { namespaceId: group.id });
    const reporter = await makeActor(app);
    await makeMember(app, { group, user: reporter.user, role: 'reporter' });
    await createIssue((await makeAdmin(app)).api, place, { confidential: true });

    expect(await iidsOf(reporter.api, `/projects/${place.id}/issues`)).toEqual([1]);
  });
});

describe('the number of open issues', () => {
  it('stands in the project, without closed and confidential ones', async () => {
    const place = await project();
    const { iid } = await createIssue(owner.api, place);
    await createIssue(owner.api, place);
    await createIssue(owner.api, place, { confidential: true });
    await owner.api
      .put(`/projects/${place.id}/issues/${iid}`, { state_event: 'close' })
      .expect(200);
    const { body } = await owner.api.get(`/projects/${place.id}`).expect(200);
    expect(body).toMatchObject({ open_issues_count: 1 });
  });
});

describe('filters of lists', () => {
  it.each<[string, number[]]>([
    ['', [4, 3, 2, 1]],
    ['?sort=asc', [1, 2, 3, 4]],
    ['?order_by=title&sort=asc', [4, 1, 3, 2]],
    ['?order_by=updated_at&sort=asc', [1, 2, 4, 3]],
    ['?state=opened', [4, 2, 1]],
    ['?state=closed', [3]],
    ['?state=all', [4, 3, 2, 1]],
    ['?iids[]=1&iids[]=4', [4, 1]],
    ['?iids=2,3', [3, 2]],
    ['?confidential=true', [2]],
    ['?confidential=false', [4, 3, 1]],
    ['?search=WINDOW', [2, 1]],
    ['?search=100%25', [4]],
    ['?author_username=NOBODY', []],
    ['?author_id=-1', []],
    ['?created_after=2999-01-01', []],
    ['?created_before=2999-01-01T00:00:00Z', [4, 3, 2, 1]],
    ['?updated_after=2000-01-01&updated_before=2999-01-01', [4, 3, 2, 1]],
  ])('%s finds %j', async (query, expected) => {
    const place = await project();
    await createIssue(owner.api, place, { title: 'b window' });
    await createIssue(owner.api, place, {
      title: 'd',
      description: 'A window',
      confidential: true,
    });
    await createIssue(owner.api, place, { title: 'c' });
    await createIssue(owner.api, place, { title: 'a 100%' });
    await owner.api.put(`/projects/${place.id}/issues/3`, { state_event: 'close' }).expect(200);

    expect(await iidsOf(owner.api, `/projects/${place.id}/issues${query}`)).toEqual(expected);
  });

  it('by author take name or id, not both', async () => {
    const place = await project();
    const guest = await member(place, 'guest');
    await createIssue(owner.api, place);
    const { iid } = await createIssue(guest.api, place);
    const path = `/projects/${place.id}/issues`;
    const { id, username } = guest.user;

    expect(await iidsOf(owner.api, `${path}?author_id=${id}`)).toEqual([iid]);
    expect(await iidsOf(owner.api, `${path}?author_username=${username.toUpperCase()}`)).toEqual([
      iid,
    ]);
    const both = await owner.api.get(`${path}?author_id=${id}&author_username=${username}`);
    expect([both.status, both.body]).toEqual([
      400,
      expect.objectContaining({ error: 'author_id, author_username are mutually exclusive' }),
    ]);
  });

  it.each(['state=new', 'order_by=weight', 'sort=up', 'iids[]=x', 'scope=mine'])(
    'refuse %s',
    async (query) => {
      expect((await owner.api.get(`/issues?${query}`)).status).toBe(400);
    },
  );

  it('come in pages', async () => {
    const place = await project();
    for (let n = 0; n < 3; n += 1) await createIssue(owner.api, place);
    const response = await owner.api.get(`/projects/${place.id}/issues?per_page=2&page=2`);

    expect((response.body as IssueBody[]).map(({ iid }) => iid)).toEqual([1]);
    expect(response.headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2' });
  });
});

describe('GET /issues', () => {
  it('lists what one wrote oneself, with references that say where', async () => {
    const place = await project({ visibility: 'public' });
    const author = await makeActor(app);
    await createIssue(owner.api, place);
    const { id, iid } = await createIssue(author.api, place);
    const response = await author.api.get('/issues');

    const full = `${place.fullPath}#${iid}`;
    expect(response.body).toEqual([
      expect.objectContaining({ id, references: { short: `#${iid}`, relative: full, full } }),
    ]);
    expect((await author.api.get('/issues?scope=assigned_to_me')).body).toEqual([]);
  });

  it('with scope=all lists what one may see, and nothing where issues are off', async () => {
    const place = await project({ visibility: 'public' });
    const hidden = await project();
    const off = await project({ visibility: 'public' });
    const title = unique('needle');
    for (const one of [place, hidden, off]) await createIssue(owner.api, one, { title });
    await app.dataSource.query('UPDATE projects SET issues_enabled = false WHERE id = $1', [
      off.id,
    ]);
    const response = await (await makeActor(app)).api.get(`/issues?scope=all&search=${title}`);

    expect((response.body as IssueBody[]).map((issue) => issue['project_id'])).toEqual([place.id]);
  });

  it('is for people who are signed in', async () => {
    expect((await api(app.url).get('/issues')).status).toBe(401);
  });
});

describe('PUT /projects/:id/issues/:issue_iid', () => {
  it('closes and reopens, and closing twice changes nothing', async () => {
    const place = await project();
    const { iid } = await createIssue(owner.api, place);
    const path = `/projects/${place.id}/issues/${iid}`;
    const close = () => owner.api.put(path, { state_event: 'close' });

    const closed = (await close()).body as IssueBody;
    expect(closed).toMatchObject({ state: 'closed', closed_by: { id: owner.user.id } });
    expect(closed['closed_at']).toMatch(/^\d{4}-/);
    expect((await close()).body).toEqual(closed);
    expect((await owner.api.put(path, { state_event: 'reopen' })).body).toMatchObject({
      state: 'opened',
      closed_at: null,
      closed_by: null,
    });
  });

  it('changes texts; null clears the description', async () => {
    const place = await project();
    const { iid } = await createIssue(owner.api, place, { description: 'Old' });
    const path = `/projects/${place.id}/issues/${iid}`;

    expect((await owner.api.put(path, { title: 'New' })).body).toMatchObject({
      title: 'New',
      description: 'Old',
    });
    expect((await owner.api.put(path, { description: null })).body).toMatchObject({
      title: 'New',
      description: null,
    });
  });

  it.each<[object, string]>([
    [
      {},
      'add_labels, assignee_id, assignee_ids, confidential, description, discussion_locked, due_date, issue_type, labels, milestone_id, remove_labels, state_event, title are missing, at least one parameter must be provided',
    ],
    [{ title: '' }, 'title is empty'],
    [{ state_event: 'burn' }, 'state_event does not have a valid value'],
  ])('refuses %j', async (body, error) => {
    const place = await project();
    const { iid } = await createIssue(owner.api, place);
    const response = await owner.api.put(`/projects/${place.id}/issues/${iid}`, body);

    expect([response.status, response.body]).toEqual([400, expect.objectContaining({ error })]);
  });

  it('is for the author, Reporters and above', async () => {
    const place = await project({ visibility: 'public' });
    const author = await makeActor(app);
    const { iid } = await createIssue(author.api, place);
    const path = `/projects/${place.id}/issues/${iid}`;
    const change = { description: unique('x') };

    for (const role of ['reporter', 'developer', 'maintainer', 'owner'] as const) {
      expect((await (await member(place, role)).api.put(path, change)).status).toBe(200);
    }
    expect((await author.api.put(path, change)).status).toBe(200);
    expect((await (await makeActor(app)).api.put(path, change)).status).toBe(403);
    expect((await (await member(place, 'guest')).api.put(path, change)).status).toBe(403);
    expect((await api(app.url).put(path, change)).status).toBe(401);
  });

  it('lets Reporters change who sees the issue, not its author, and records it', async () => {
    const place = await project({ visibility: 'public' });
    const author = await makeActor(app);
    const reporter = await member(place, 'reporter');
    const { id, iid, title } = await createIssue(author.api, place);
    const path = `/projects/${place.id}/issues/${iid}`;

    expect((await author.api.put(path, { confidential: true })).status).toBe(403);
    expect((await author.api.put(path, { confidential: false })).status).toBe(200);
    expect((await reporter.api.put(path, { confidential: true })).body).toMatchObject({
      confidential: true,
    });
    expect(await trail(id)).toEqual([
      {
        author_id: reporter.user.id,
        action: 'issue_confidentiality_changed',
        target_name: title,
        entity_type: 'Project',
        entity_id: place.id,
        details: { iid, confidential: { from: false, to: true } },
      },
    ]);
  });

  it('and DELETE answer 412 when the issue changed since the given date', async () => {
    const place = await project();
    const { iid } = await createIssue(owner.api, place);
    const path = `/projects/${place.id}/issues/${iid}`;
    const longAgo = 'Wed, 21 Oct 2015 07:28:00 GMT';

    const put = owner.api.put(path, { title: 'x' }).set('If-Unmodified-Since', longAgo);
    expect((await put).status).toBe(412);
    expect((await owner.api.delete(path).set('If-Unmodified-Since', longAgo)).status).toBe(412);
  });
});

describe('DELETE /projects/:id/issues/:issue_iid', () => {
  it('is for Owners, answers 204 and is recorded', async () => {
    const place = await project();
    const maintainer = await member(place, 'maintainer');
    const { id, iid, title } = await createIssue(maintainer.api, place);
    const path = `/projects/${place.id}/issues/${iid}`;

    expect((await maintainer.api.delete(path)).status).toBe(403);
    const response = await owner.api.delete(path);
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await owner.api.get(path)).status).toBe(404);
    expect((await owner.api.delete(path)).status).toBe(404);
    expect(await trail(id)).toEqual([
      {
        author_id: owner.user.id,
        action: 'issue_deleted',
        target_name: title,
        entity_type: 'Project',
        entity_id: place.id,
        details: { iid },
      },
    ]);
  });
});

describe('issues of people who are deleted', () => {
  it('stay, written by the ghost user', async () => {
    const place = await project({ visibility: 'public' });
    const author = await makeActor(app);
    const { iid } = await createIssue(author.api, place);
    const path = `/projects/${place.id}/issues/${iid}`;
    await author.api.put(path, { state_event: 'close' }).expect(200);
    await (await makeAdmin(app)).api.delete(`/users/${author.user.id}`).expect(204);

    expect((await owner.api.get(path)).body).toMatchObject({
      author: { name: 'Ghost User' },
      closed_by: { name: 'Ghost User' },
    });
  });
});
