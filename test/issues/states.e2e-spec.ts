import { beforeAll, describe, expect, it } from '@jest/globals';
import { Activity } from '../../src/core/activity/activity.service.js';
import { Alert } from '../../src/alerts/alert.entity.js';
import { openIncidents } from '../../src/workspace/issues/sql/incidents.js';
import { IssueStates, type ClosedIssues } from '../../src/workspace/issues/issue-states.service.js';
import { makeAlert } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import { createIssue, systemNotes, type IssueBody } from '../support/issue-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;
const closings: ClosedIssues[] = [];
let refused: number | null = null;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  app.app.get(IssueStates).onClosed((tx, closed) => {
    if (tx.queryRunner?.isTransactionActive !== true) throw new Error('outside a transaction');
    if (refused !== null && closed.issueIds.includes(refused)) throw new Error('not this one');
    closings.push(closed);
    return Promise.resolve();
  });
});

function project(): Promise<MadeProject> {
  return makeProject(app, { namespaceId: owner.user.namespaceId, visibility: 'public' });
}

function closingsOf(issueId: number): ClosedIssues[] {
  return closings.filter(({ issueIds }) => issueIds.includes(issueId));
}

async function events(path: string): Promise<Record<string, unknown>[]> {
  const response = await owner.api.get(`${path}/resource_state_events`).expect(200);
  return response.body as Record<string, unknown>[];
}

describe('the state of an issue', () => {
  it('leaves events and notes of each change, and none of a repeated one', async () => {
    const place = await project();
    const { id, iid } = await createIssue(owner.api, place);
    const reporter = await makeMemberOf(app, place, 'reporter');
    const path = `/projects/${place.id}/issues/${iid}`;
    await owner.api.put(path, { state_event: 'reopen' }).expect(200);
    await reporter.api.put(path, { state_event: 'close' }).expect(200);
    await owner.api.put(path, { state_event: 'close' }).expect(200);
    await owner.api.put(path, { state_event: 'reopen' }).expect(200);

    const [closed, reopened, ...rest] = await events(path);
    expect(rest).toEqual([]);
    expect(closed).toEqual({
      id: expect.any(Number),
      user: {
        id: reporter.user.id,
        username: reporter.user.username,
        name: reporter.user.name,
        state: 'active',
        locked: false,
        avatar_url: null,
        web_url: `${app.url}/${reporter.user.username}`,
      },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      resource_type: 'Issue',
      resource_id: id,
      source_commit: null,
      source_merge_request_id: null,
      state: 'closed',
    });
    expect(reopened).toMatchObject({ user: { id: owner.user.id }, state: 'reopened' });
    expect(await systemNotes(app, id)).toEqual(['closed', 'reopened']);
    expect(closingsOf(id)).toEqual([{ issueIds: [id], actorId: reporter.user.id }]);
  });

  it('is closed once when many close it at the same time', async () => {
    const place = await project();
    const { id, iid } = await createIssue(owner.api, place);
    const path = `/projects/${place.id}/issues/${iid}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => owner.api.put(path, { state_event: 'close' })),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await events(path)).toHaveLength(1);
    expect(closingsOf(id)).toHaveLength(1);
  });

  it('stays when a listener fails', async () => {
    const place = await project();
    const { id, iid } = await createIssue(owner.api, place);
    const path = `/projects/${place.id}/issues/${iid}`;
    refused = id;
    expect((await owner.api.put(path, { state_event: 'close', title: 'New' })).status).toBe(500);
    refused = null;

    expect((await owner.api.get(path)).body).toMatchObject({ state: 'opened' });
    expect(await events(path)).toEqual([]);
    expect(await systemNotes(app, id)).toEqual([]);
  });

  it('changes for many issues at once, those that are open', async () => {
    const place = await project();
    const issues: IssueBody[] = [];
    for (let n = 0; n < 3; n += 1) issues.push(await createIssue(owner.api, place));
    const [a, b, c] = issues.map(({ id }) => id) as [number, number, number];
    const states = app.app.get(IssueStates, { strict: false });
    const actor = { actorId: owner.user.id };
    const run = app.dataSource;

    expect(await run.transaction((tx) => states.close(tx, [b], actor))).toEqual([b]);
    expect(await run.transaction((tx) => states.close(tx, [c, b, a], actor))).toEqual([a, c]);
    expect(await run.transaction((tx) => states.close(tx, [], actor))).toEqual([]);
    expect(await run.transaction((tx) => states.reopen(tx, [a, -1], actor))).toEqual([a]);
    expect(closingsOf(a)).toEqual([{ issueIds: [a, c], actorId: owner.user.id }]);
    const list = (await owner.api.get(`/projects/${place.id}/issues?sort=asc`)).body as IssueBody[];
    expect(list.map((issue) => issue['state'])).toEqual(['opened', 'closed', 'closed']);
  });
});

describe('GET …/resource_state_events', () => {
  it('shows one event, and 404 for events of other issues', async () => {
    const place = await project();
    const path = `/projects/${place.id}/issues`;
    for (const n of [1, 2]) {
      await createIssue(owner.api, place);
      await owner.api.put(`${path}/${n}`, { state_event: 'close' }).expect(200);
    }
    const [event] = await events(`${path}/1`);
    const address = `resource_state_events/${String(event?.['id'])}`;

    expect((await owner.api.get(`${path}/1/${address}`)).body).toEqual(event);
    const other = await owner.api.get(`${path}/2/${address}`);
    expect([other.status, other.body]).toEqual([404, { message: '404 Not found' }]);
    expect((await owner.api.get(`${path}/1/resource_state_events/x`)).status).toBe(400);
  });

  it('hides those of confidential issues', async () => {
    const place = await project();
    const { iid } = await createIssue(owner.api, place, { confidential: true });
    const path = `/projects/${place.id}/issues/${iid}/resource_state_events`;

    expect((await (await makeActor(app)).api.get(path)).status).toBe(404);
    expect((await owner.api.get(path)).body).toEqual([]);
  });

  it('credits the ghost user with what deleted people did', async () => {
    const place = await project();
    const { iid } = await createIssue(owner.api, place);
    const reporter = await makeMemberOf(app, place, 'reporter');
    const path = `/projects/${place.id}/issues/${iid}`;
    await reporter.api.put(path, { state_event: 'close' }).expect(200);
    await (await makeAdmin(app)).api.delete(`/users/${reporter.user.id}`).expect(204);

    expect(await events(path)).toMatchObject([{ user: { name: 'Ghost User' } }]);
  });
});

describe('incidents that are opened many at once', () => {
  const incident = (place: MadeProject, title: string) => ({
    projectId: place.id,
    authorId: owner.user.id,
    title,
    description: `About ${title}`,
    severity: 'high' as const,
    confidential: false,
  });

  const activity = () => app.app.get(Activity);

  it('get numbers in their order in each project, and titles that say something', async () => {
    const [one, two] = [await project(), await project()];
    await createIssue(owner.api, one);
    const opened = await app.dataSource.transaction((tx) =>
      openIncidents(
        tx,
        [
          incident(one, 'A'),
          incident(two, 'B'),
          { ...incident(one, 'New: Alert'), assigneeIds: [owner.user.id] },
          incident(one, 'C'),
        ],
        activity(),
      ),
    );

    expect(opened.map(({ iid }) => iid)).toEqual([2, 1, 3, 4]);
    const path = `/projects/${one.id}/issues`;
    expect((await owner.api.get(`${path}/3`)).body).toMatchObject({
      id: opened[2]?.id,
      title: 'New: Incident 3',
      description: 'About New: Alert',
      type: 'INCIDENT',
      severity: 'HIGH',
      author: { id: owner.user.id },
      assignees: [{ id: owner.user.id }],
    });
    expect(await createIssue(owner.api, one)).toMatchObject({ iid: 5 });
    expect(await openIncidents(app.dataSource.manager, [], activity())).toEqual([]);
  });

  it('never share a number with issues that are made meanwhile', async () => {
    const places = [await project(), await project()] as const;
    const batch = (n: number) =>
      app.dataSource.transaction((tx) =>
        // The projects come in another order each time.
        openIncidents(
          tx,
          (n % 2 === 0 ? places : places.toReversed()).map(toTwo).flat(),
          activity(),
        ),
      );
    const toTwo = (place: MadeProject) => [incident(place, 'A'), incident(place, 'B')];
    const singles = Array.from({ length: 10 }, () => createIssue(owner.api, places[0]));
    await Promise.all([...Array.from({ length: 10 }, (_, n) => batch(n)), ...singles]);

    for (const [position, { id }] of places.entries()) {
      const rows: { iid: number }[] = await app.dataSource.query(
        'SELECT iid FROM issues WHERE project_id = $1 ORDER BY iid',
        [id],
      );
      const count = position === 0 ? 30 : 20;
      expect(rows.map(({ iid }) => iid)).toEqual(Array.from({ length: count }, (_, n) => n + 1));
    }
  });

  it('are cut where a description ends', async () => {
    const place = await project();
    const long = { ...incident(place, 'A'), description: 'é'.repeat(1_048_577) };
    await app.dataSource.transaction((tx) => openIncidents(tx, [long], activity()));

    const { body } = await owner.api.get(`/projects/${place.id}/issues/1`).expect(200);
    expect((body as { description: string }).description).toHaveLength(1_048_576);
  });
});

describe('an issue that is deleted', () => {
  it('leaves its alerts, and takes what was noted about it', async () => {
    const place = await project();
    const { id, iid } = await createIssue(owner.api, place, { assignee_id: owner.user.id });
    const path = `/projects/${place.id}/issues/${iid}`;
    await owner.api.put(path, { state_event: 'close' }).expect(200);
    const alert = await makeAlert(app, place, { issueId: id });
    await owner.api.delete(path).expect(204);

    const kept = await app.dataSource.manager.findOneByOrFail(Alert, { id: alert.id });
    expect(kept.issueId).toBeNull();
    expect(await systemNotes(app, id)).toEqual([]);
  });
});
