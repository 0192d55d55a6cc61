import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/identity/members/roles.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import { createMilestone, type MilestoneBody } from '../support/milestone-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

interface Place {
  project: MadeProject;
  path: string;
}

async function place(attributes: Partial<Parameters<typeof makeProject>[1]> = {}): Promise<Place> {
  const { namespaceId } = owner.user;
  const project = await makeProject(app, { namespaceId, ...attributes });
  return { project, path: `/projects/${project.id}/milestones` };
}

const member = (of: MadeProject, role: Role): Promise<MadeActor> => makeMemberOf(app, of, role);

const make = ({ project }: Place, body: object = {}): Promise<MilestoneBody> =>
  createMilestone(owner.api, project, body);

async function titlesOf(path: string): Promise<string[]> {
  const response = await owner.api.get(path).expect(200);
  return (response.body as MilestoneBody[]).map(({ title }) => title);
}

/** Actions of the events about milestones of the project, oldest first, and what they name. */
function eventsOf({ project }: Place): Promise<{ action: number; targetId: number | null }[]> {
  return app.dataSource.query(
    `SELECT action, target_id AS "targetId" FROM events
     WHERE project_id = $1 AND target_type = 3 AND author_id = $2 ORDER BY id`,
    [project.id, owner.user.id],
  );
}

/** Until so many statements wait for the lock of another transaction. */
async function untilWaiting(count: number): Promise<void> {
  await eventually(async () => {
    const waiting: unknown[] = await app.dataSource.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length === count;
  });
}

describe('POST /projects/:id/milestones', () => {
  it('answers 201 with the whole milestone', async () => {
    const here = await place();
    const response = await owner.api.post(here.path, {
      title: ' 10.0 ',
      description: 'The **loom** runs',
      start_date: '2031-02-01',
      due_date: '2031-03-01',
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.any(Number),
      iid: 1,
      project_id: here.project.id,
      title: '10.0',
      description: 'The **loom** runs',
      state: 'active',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      due_date: '2031-03-01',
      start_date: '2031-02-01',
      expired: false,
      web_url: `${app.url}/${here.project.fullPath}/-/milestones/1`,
    });
    expect(await eventsOf(here)).toEqual([{ action: 1, targetId: response.body.id }]);
  });

  it.each([
    [{}, { error: 'title is missing', message: '400 (Bad request) "title" not given' }],
    [{ title: ' ' }, { message: { title: ["can't be blank"] } }],
    [
      { title: 'x'.repeat(256) },
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      { title: 'x', start_date: '2031-02-02', due_date: '2031-02-01' },
      { message: { due_date: ['must not be before the start date'] } },
    ],
    [
      { title: 'x', due_date: '2031-02-30' },
      { error: 'due_date is invalid', message: '400 (Bad request) due_date is invalid' },
    ],
  ])('refuses what it cannot have (%#)', async (body, refusal) => {
    const here = await place();
    const response = await owner.api.post(here.path, body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(refusal);
    expect(await titlesOf(here.path)).toEqual([]);
  });

  it('takes one that begins and ends on the same day', async () => {
    const day = '2031-02-01';
    expect(await make(await place(), { start_date: day, due_date: day })).toMatchObject({
      start_date: day,
      due_date: day,
    });
  });

  it('refuses a title that is taken, also at once, and counts without gaps', async () => {
    const here = await place();
    const asked = await Promise.all(
      [1, 2, 3, 4].map(() => owner.api.post(here.path, { title: '1.0' })),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect(asked.find(({ status }) => status === 400)?.body).toEqual({
      message: { title: ['has already been taken'] },
    });
    expect(await make(here, { title: '2.0' })).toMatchObject({ iid: 2 });
    await make(await place(), { title: '1.0' });
  });

  it('numbers those that are made at once one after the other, deleted ones included', async () => {
    const here = await place();
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => make(here)));
    expect(made.map(({ iid }) => iid).sort()).toEqual([1, 2, 3, 4, 5]);
    const last = made.find(({ iid }) => iid === 5);
    await owner.api.delete(`${here.path}/${last?.id}`).expect(204);
    expect(await make(here)).toMatchObject({ iid: 6 });
  });
});

describe('GET /projects/:id/milestones', () => {
  it('lists those that are due first, filtered by number, state, title, text and time', async () => {
    const here = await place();
    await make(here, { title: 'never', description: 'the silk loom' });
    await make(here, { title: 'late', due_date: '2032-01-01' });
    const { id } = await make(here, { title: 'early', due_date: '2031-01-01' });
    expect(await titlesOf(here.path)).toEqual(['early', 'late', 'never']);
    await owner.api.put(`${here.path}/${id}`, { state_event: 'close' }).expect(200);
    expect(await titlesOf(`${here.path}?state=active`)).toEqual(['late', 'never']);
    expect(await titlesOf(`${here.path}?state=closed`)).toEqual(['early']);
    expect(await titlesOf(`${here.path}?state=all&per_page=1&page=2`)).toEqual(['late']);
    expect(await titlesOf(`${here.path}?iids[]=1&iids[]=3`)).toEqual(['early', 'never']);
    expect(await titlesOf(`${here.path}?title=late`)).toEqual(['late']);
    expect(await titlesOf(`${here.path}?title=lat`)).toEqual([]);
    expect(await titlesOf(`${here.path}?search=L`)).toEqual(['early', 'late', 'never']);
    expect(await titlesOf(`${here.path}?search=SILK`)).toEqual(['never']);
    expect(await titlesOf(`${here.path}?search=%25`)).toEqual([]);
    expect(await titlesOf(`${here.path}?updated_after=2000-01-01`)).toHaveLength(3);
    expect(await titlesOf(`${here.path}?updated_before=2000-01-01`)).toEqual([]);
    await owner.api.get(`${here.path}?state=opened`).expect(400, {
      error: 'state does not have a valid value',
      message: '400 (Bad request) state does not have a valid value',
    });
  });
});

describe('GET and PUT /projects/:id/milestones/:milestone_id', () => {
  it('shows one of the project only, by its id', async () => {
    const [here, other] = [await place(), await place()];
    const made = await make(here);
    const response = await owner.api.get(`${here.path}/${made.id}`).expect(200);
    expect(response.body).toEqual(made);
    const elsewhere = `${other.path}/${made.id}`;
    const missing = await owner.api.get(elsewhere);
    expect([missing.status, missing.body]).toEqual([404, { message: '404 Milestone Not Found' }]);
    await owner.api.put(elsewhere, { title: 'x' }).expect(404);
    await owner.api.delete(elsewhere).expect(404);
    await owner.api.get(`${here.path}/x`).expect(400);
  });

  it('is expired from the day after it was due', async () => {
    const here = await place();
    const day = (offset: number): string =>
      new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    expect(await make(here, { due_date: day(-1) })).toMatchObject({ expired: true });
    expect(await make(here, { due_date: day(1) })).toMatchObject({ expired: false });
    expect(await make(here)).toMatchObject({ expired: false });
  });

  it('changes what is given, closes and activates', async () => {
    const here = await place();
    const { id } = await make(here, { title: '1.0', description: 'a', due_date: '2031-01-01' });
    const path = `${here.path}/${id}`;
    const put = async (body: object): Promise<MilestoneBody> =>
      (await owner.api.put(path, body).expect(200)).body as MilestoneBody;
    expect(await put({ title: '1.1', description: '' })).toMatchObject({
      title: '1.1',
      description: null,
      due_date: '2031-01-01',
    });
    expect(await put({ due_date: '', start_date: '2032-01-01' })).toMatchObject({
      due_date: null,
      start_date: '2032-01-01',
    });
    for (const [event, state] of [
      ['close', 'closed'],
      ['close', 'closed'],
      ['activate', 'active'],
      ['activate', 'active'],
    ]) {
      expect(await put({ state_event: event })).toMatchObject({ state, title: '1.1' });
    }
    const actions = (await eventsOf(here)).map(({ action }) => action);
    expect(actions).toEqual([1, 3, 4]);
  });

  it('leaves the time of the last change when nothing differs', async () => {
    const here = await place();
    const made = await make(here, { title: '1.0' });
    const response = await owner.api.put(`${here.path}/${made.id}`, { title: '1.0' }).expect(200);
    expect(response.body).toEqual(made);
  });

  it('refuses what a milestone cannot have, a taken title, and nothing at all', async () => {
    const here = await place();
    await make(here, { title: '1.0' });
    const { id } = await make(here, { title: '2.0', start_date: '2031-02-02' });
    const path = `${here.path}/${id}`;
    const refused = async (body: object): Promise<unknown> =>
      (await owner.api.put(path, body).expect(400)).body;
    expect(await refused({ title: '1.0' })).toEqual({
      message: { title: ['has already been taken'] },
    });
    expect(await refused({ title: '' })).toEqual({ message: { title: ["can't be blank"] } });
    expect(await refused({ due_date: '2031-02-01' })).toEqual({
      message: { due_date: ['must not be before the start date'] },
    });
    expect(await refused({ state_event: 'reopen' })).toMatchObject({
      error: 'state_event does not have a valid value',
    });
    expect(await refused({})).toMatchObject({
      error:
        'description, due_date, start_date, state_event, title are missing, ' +
        'at least one parameter must be provided',
    });
    const old = 'Wed, 01 Jan 2020 00:00:00 GMT';
    await owner.api.put(path, { title: 'x' }).set('If-Unmodified-Since', old).expect(412);
    await owner.api.delete(path).set('If-Unmodified-Since', old).expect(412);
  });
});

describe('DELETE /projects/:id/milestones/:milestone_id', () => {
  it('leaves the issues, and events that name nothing', async () => {
    const here = await place();
    const { id } = await make(here);
    const issue = await createIssue(owner.api, here.project, { milestone_id: id });
    await owner.api.put(`${here.path}/${id}`, { state_event: 'close' }).expect(200);
    await owner.api.delete(`${here.path}/${id}`).expect(204);
    await owner.api.get(`${here.path}/${id}`).expect(404);
    await owner.api.delete(`${here.path}/${id}`).expect(404);
    const left = await owner.api.get(`/projects/${here.project.id}/issues/${issue.iid}`);
    expect(left.body).toMatchObject({ id: issue.id, milestone: null });
    expect(await eventsOf(here)).toEqual([1, 3, 10].map((action) => ({ action, targetId: null })));
  });

  it('is done once although an issue joins while two deletions wait', async () => {
    const here = await place();
    const { id } = await make(here);
    const [first, second] = await app.dataSource.transaction(async (tx) => {
      await tx.query('SELECT id FROM milestones WHERE id = $1 FOR KEY SHARE', [id]);
      const deletions = [owner.api.delete(`${here.path}/${id}`).then(({ status }) => status)];
      await untilWaiting(1);
      await createIssue(owner.api, here.project, { milestone_id: id });
      deletions.push(owner.api.delete(`${here.path}/${id}`).then(({ status }) => status));
      await untilWaiting(2);
      return deletions;
    });
    expect([await first, await second].sort()).toEqual([204, 404]);
  });

  it('is done once when it is asked for at once, while issues join and leave', async () => {
    const here = await place();
    const [gone, kept] = [await make(here), await make(here)];
    const issues = await Promise.all(
      [1, 2, 3, 4].map(() => createIssue(owner.api, here.project, { milestone_id: gone.id })),
    );
    const move = (iid: number, id: number) =>
      owner.api.put(`/projects/${here.project.id}/issues/${iid}`, { milestone_id: id });
    const [first, second, ...moved] = await Promise.all([
      owner.api.delete(`${here.path}/${gone.id}`),
      owner.api.delete(`${here.path}/${gone.id}`),
      ...issues.flatMap(({ iid }) => [move(iid, kept.id), move(iid, gone.id)]),
    ]);
    expect([first?.status, second?.status].sort()).toEqual([204, 404]);
    expect(moved.map(({ status }) => status)).toEqual(moved.map(() => 200));
    expect((await eventsOf(here)).map(({ action }) => action)).toEqual([1, 1, 10]);
  });
});

describe('Who may do what with milestones', () => {
  it('lets everyone read in public projects and Planners change', async () => {
    const here = await place({ visibility: 'public' });
    const { id } = await make(here);
    const path = `${here.path}/${id}`;
    await api(app.url).get(path).expect(200);
    await api(app.url).get(here.path).expect(200);
    await api(app.url).post(here.path, { title: 'x' }).expect(401);
    for (const actor of [await makeActor(app), await member(here.project, 'guest')]) {
      await actor.api.get(path).expect(200);
      await actor.api.post(here.path, { title: 'x' }).expect(403);
      await actor.api.put(path, { title: 'x' }).expect(403);
      await actor.api.delete(path).expect(403);
    }
    const planner = await member(here.project, 'planner');
    await planner.api.post(here.path, { title: 'x' }).expect(201);
    await planner.api.put(path, { title: 'y' }).expect(200);
    await planner.api.delete(path).expect(204);
    await (await makeAdmin(app)).api.post(here.path, { title: 'z' }).expect(201);
  });

  it('hides private projects from strangers, not from Guests', async () => {
    const here = await place();
    const { id } = await make(here);
    await (await makeActor(app)).api.get(`${here.path}/${id}`).expect(404);
    await api(app.url).get(here.path).expect(404);
    await (await member(here.project, 'guest')).api.get(`${here.path}/${id}`).expect(200);
  });

  it('changes nothing in archived projects', async () => {
    const here = await place();
    const { id } = await make(here);
    await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [
      here.project.id,
    ]);
    await owner.api.get(`${here.path}/${id}`).expect(200);
    await owner.api.post(here.path, { title: 'x' }).expect(403);
    await owner.api.put(`${here.path}/${id}`, { title: 'x' }).expect(403);
    await owner.api.delete(`${here.path}/${id}`).expect(403);
  });

  it('needs issues or merge requests in the project', async () => {
    const issuesOff = await place({ issuesEnabled: false });
    await make(issuesOff);
    await owner.api.get(issuesOff.path).expect(200);
    const bothOff = await place({ issuesEnabled: false, mergeRequestsEnabled: false });
    for (const answer of [
      await owner.api.get(bothOff.path),
      await owner.api.get(`${bothOff.path}/1`),
      await owner.api.post(bothOff.path, { title: 'x' }),
    ]) {
      expect([answer.status, answer.body]).toEqual([403, { message: '403 Forbidden' }]);
    }
  });
});
