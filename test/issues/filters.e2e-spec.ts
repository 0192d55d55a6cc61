import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { createIssue, type IssueBody } from '../support/issue-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

const DAY_MS = 86_400_000;

let app: TestApp;
let owner: MadeActor;
let guest: MadeActor;
let place: MadeProject;
let path: string;

/** Creates four issues: each test names the results of a filter by their numbers. */
beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  place = await makeProject(app, { namespaceId: owner.user.namespaceId });
  path = `/projects/${place.id}/issues`;
  guest = await makeMemberOf(app, place, 'guest');
  const [me, they] = [owner.user.id, guest.user.id];
  await createIssue(owner.api, place, { title: 'b apple', labels: 'bug,urgent', assignee_id: me });
  await createIssue(owner.api, place, {
    title: 'a',
    description: 'apple',
    labels: 'bug',
    issue_type: 'incident',
    assignee_ids: [me, they],
  });
  await owner.api
    .post(`/projects/${place.id}/labels`, { name: 'Any thing', color: '#336699' })
    .expect(201);
  await createIssue(guest.api, place, { title: 'd', due_date: day(0), labels: 'Any thing' });
  await createIssue(owner.api, place, { title: 'c', due_date: day(-40), confidential: true });
  await owner.api.put(`${path}/2`, { state_event: 'close' }).expect(200);
});

/** YYYY-MM-DD, so many days from today in UTC. */
function day(offset: number): string {
  return new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
}

async function iids(client: MadeActor['api'], address: string): Promise<number[]> {
  const response = await client.get(address);
  expect([response.status, response.body]).toEqual([200, expect.any(Array)]);
  return (response.body as IssueBody[]).map(({ iid }) => iid);
}

describe('lists of issues', () => {
  it.each<[string, number[]]>([
    ['issue_type=issue', [4, 3, 1]],
    ['issue_type=incident', [2]],
    ['labels=bug', [2, 1]],
    ['labels=urgent,bug', [1]],
    ['labels[]=urgent&labels[]=bug', [1]],
    ['labels=BUG', []],
    ['labels=None', [4]],
    ['labels=Any', [3, 2, 1]],
    ['labels=Any%20thing', [3]],
    ['labels=', [4, 3, 2, 1]],
    ['assignee_id=None', [4, 3]],
    ['assignee_id=0', [4, 3]],
    ['assignee_id=Any', [2, 1]],
    ['assignee_id=', [4, 3, 2, 1]],
    ['assignee_id=999999999', []],
    ['assignee_username=nobody', []],
    ['scope=all', [4, 3, 2, 1]],
    ['scope=created_by_me', [4, 2, 1]],
    ['scope=assigned_to_me', [2, 1]],
    ['due_date=0', [2, 1]],
    ['due_date=any', [4, 3]],
    ['due_date=today', [3]],
    ['due_date=tomorrow', []],
    ['due_date=overdue', [4]],
    ['due_date=week', [3]],
    ['due_date=month', [3]],
    ['due_date=next_month_and_previous_two_weeks', [3]],
    ['search=apple', [2, 1]],
    ['search=apple&in=title', [1]],
    ['search=apple&in=description', [2]],
    ['search=apple&in=title,description', [2, 1]],
    ['search=apple&in=', [2, 1]],
    ['order_by=due_date&sort=asc', [4, 3, 1, 2]],
    ['order_by=due_date&sort=desc', [3, 4, 2, 1]],
    ['order_by=title&sort=asc', [2, 1, 4, 3]],
    ['state=opened&labels=bug&assignee_id=Any', [1]],
  ])('with %s find %j', async (query, expected) => {
    expect(await iids(owner.api, `${path}?${query}`)).toEqual(expected);
  });

  it('find the issues of all who are named, by id or by names', async () => {
    const { id, username } = guest.user;
    const mine = owner.user.username.toUpperCase();

    expect(await iids(owner.api, `${path}?assignee_id=${id}`)).toEqual([2]);
    expect(await iids(owner.api, `${path}?assignee_username=${mine}`)).toEqual([2, 1]);
    const both = `assignee_username[]=${username}&assignee_username[]=${mine}`;
    expect(await iids(owner.api, `${path}?${both}`)).toEqual([2]);
  });

  it.each<[string, string]>([
    ['assignee_id=1&assignee_username=x', 'assignee_id, assignee_username are mutually exclusive'],
    ['assignee_id=x', 'assignee_id is invalid'],
    ['assignee_id=-1', 'assignee_id is invalid'],
    ['issue_type=task', 'issue_type does not have a valid value'],
    ['due_date=2026-01-01', 'due_date does not have a valid value'],
    ['in=author', 'in does not have a valid value'],
    ['scope=mine', 'scope does not have a valid value'],
    ['order_by=weight', 'order_by does not have a valid value'],
  ])('refuse %s', async (query, error) => {
    const answers = [await owner.api.get(`${path}?${query}`)];
    answers.push(await owner.api.get(`/issues?${query}`));

    for (const { status, body } of answers) {
      expect([status, body]).toEqual([400, expect.objectContaining({ error })]);
    }
  });

  it('of the viewer are empty for anonymous requests', async () => {
    const open = await makeProject(app, {
      namespaceId: owner.user.namespaceId,
      visibility: 'public',
    });
    await createIssue(owner.api, open);
    const { api } = await makeActor(app);

    expect(await iids(api, `/projects/${open.id}/issues?scope=created_by_me`)).toEqual([]);
    expect(await iids(api, `/projects/${open.id}/issues`)).toEqual([1]);
  });

  it('show labels and people of each issue', async () => {
    const list = (await owner.api.get(`${path}?iids=2`)).body as IssueBody[];

    expect(list).toEqual([
      expect.objectContaining({
        labels: ['bug'],
        assignees: [
          expect.objectContaining({ username: owner.user.username }),
          expect.objectContaining({ username: guest.user.username }),
        ],
        issue_type: 'incident',
      }),
    ]);
  });
});

describe('GET /issues', () => {
  it('lists what one is to work on, confidential issues too, and nothing else', async () => {
    const list = await guest.api.get('/issues?scope=assigned_to_me');
    expect((list.body as IssueBody[]).map(({ iid }) => iid)).toEqual([2]);

    await owner.api.put(`${path}/2`, { confidential: true }).expect(200);
    const assigned = (await guest.api.get('/issues?scope=assigned_to_me')).body as IssueBody[];
    expect(assigned.map(({ iid }) => iid)).toEqual([2]);
    await owner.api.put(`${path}/2`, { assignee_ids: [owner.user.id] }).expect(200);
    expect((await guest.api.get('/issues?scope=assigned_to_me')).body).toEqual([]);
    const assignees = [owner.user.id, guest.user.id];
    await owner.api.put(`${path}/2`, { confidential: false, assignee_ids: assignees }).expect(200);
  });
});

describe('statistics of issues', () => {
  it('count a project by state, as far as the viewer sees it', async () => {
    const address = `/projects/${place.id}/issues_statistics`;
    const counts = { all: 4, closed: 1, opened: 3 };

    expect((await owner.api.get(address)).body).toEqual({ statistics: { counts } });
    expect((await guest.api.get(address)).body).toEqual({
      statistics: { counts: { all: 3, closed: 1, opened: 2 } },
    });
    expect((await owner.api.get(`${address}?labels=bug&search=apple`)).body).toEqual({
      statistics: { counts: { all: 2, closed: 1, opened: 1 } },
    });
    expect((await owner.api.get(`${address}?search=${unique('none')}`)).body).toEqual({
      statistics: { counts: { all: 0, closed: 0, opened: 0 } },
    });
  });

  it('count many of a state every half a minute, and few each time', async () => {
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const add = async (state: 'opened' | 'closed', count: number): Promise<void> => {
      await app.dataSource.query(
        `INSERT INTO issues (project_id, iid, author_id, title, state, closed_at)
         SELECT $1, coalesce((SELECT max(iid) FROM issues WHERE project_id = $1), 0) + n, $2, 'Many',
           $3, CASE WHEN $3 = 'closed' THEN now() END FROM generate_series(1, $4::int) n`,
        [project.id, owner.user.id, state, count],
      );
    };
    const counts = async (): Promise<unknown> =>
      (await owner.api.get(`/projects/${project.id}/issues_statistics`).expect(200)).body;

    await add('closed', 10_000);
    expect(await counts()).toEqual({
      statistics: { counts: { all: 10_000, closed: 10_000, opened: 0 } },
    });
    await add('closed', 1);
    await add('opened', 1);
    const known = { all: 10_002, closed: 10_001, opened: 1 };
    expect(await counts()).toEqual({ statistics: { counts: known } });
    await add('closed', 1);
    await add('opened', 1);
    const kept = { all: 10_003, closed: 10_001, opened: 2 };
    expect(await counts()).toEqual({ statistics: { counts: kept } });
  });

  it("count one's own issues unless asked otherwise", async () => {
    const counts = { all: 1, closed: 0, opened: 1 };
    expect((await guest.api.get('/issues_statistics')).body).toEqual({ statistics: { counts } });
    const assigned = await guest.api.get('/issues_statistics?scope=assigned_to_me');
    expect(assigned.body).toEqual({ statistics: { counts: { all: 1, closed: 1, opened: 0 } } });
  });

  it('refuse bad filters, strangers and projects without issues', async () => {
    const address = `/projects/${place.id}/issues_statistics`;
    const off = await makeProject(app, {
      namespaceId: owner.user.namespaceId,
      issuesEnabled: false,
    });

    expect((await owner.api.get(`${address}?assignee_id=x`)).status).toBe(400);
    expect((await (await makeActor(app)).api.get(address)).status).toBe(404);
    expect((await owner.api.get(`/projects/${off.id}/issues_statistics`)).status).toBe(403);
  });
});
