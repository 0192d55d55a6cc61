import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { createIssue, systemNotes, type IssueBody } from '../support/issue-factories.js';
import { createMilestone } from '../support/milestone-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

function place(attributes: Partial<Parameters<typeof makeProject>[1]> = {}): Promise<MadeProject> {
  return makeProject(app, { namespaceId: owner.user.namespaceId, ...attributes });
}

async function put(project: MadeProject, iid: number, body: object): Promise<IssueBody> {
  const path = `/projects/${project.id}/issues/${iid}`;
  return (await owner.api.put(path, body).expect(200)).body as IssueBody;
}

async function titlesOf(path: string, by: MadeActor = owner): Promise<string[]> {
  const response = await by.api.get(path).expect(200);
  return (response.body as IssueBody[]).map(({ title }) => title).sort();
}

describe('the milestone of an issue', () => {
  it('is set at creation and shown whole, alone and in lists', async () => {
    const project = await place();
    const milestone = await createMilestone(owner.api, project, { due_date: '2031-01-01' });
    const issue = await createIssue(owner.api, project, { milestone_id: milestone.id });
    expect(issue['milestone']).toEqual(milestone);
    const listed = await owner.api.get(`/projects/${project.id}/issues`).expect(200);
    expect(listed.body[0].milestone).toEqual(milestone);
  });

  it('is changed and taken away, which the timeline tells', async () => {
    const project = await place();
    const first = await createMilestone(owner.api, project, { title: '1.0' });
    const second = await createMilestone(owner.api, project, { title: 'The *new* loom' });
    const { id, iid } = await createIssue(owner.api, project);
    expect(await put(project, iid, { milestone_id: first.id })).toMatchObject({
      milestone: { title: '1.0' },
    });
    expect(await put(project, iid, { milestone_id: second.id })).toMatchObject({
      milestone: { id: second.id },
    });
    await put(project, iid, { milestone_id: second.id });
    expect(await put(project, iid, { milestone_id: 0 })).toMatchObject({ milestone: null });
    expect(await put(project, iid, { milestone_id: '' })).toMatchObject({ milestone: null });
    expect(await systemNotes(app, id)).toEqual([
      'changed milestone to %1.0',
      'changed milestone to %"The \\*new\\* loom"',
      'removed milestone',
    ]);
  });

  it('stays as it is when the project has no such milestone', async () => {
    const project = await place();
    const foreign = await createMilestone(owner.api, await place());
    const own = await createMilestone(owner.api, project);
    expect(await createIssue(owner.api, project, { milestone_id: foreign.id })).toMatchObject({
      milestone: null,
    });
    const { iid } = await createIssue(owner.api, project, { milestone_id: own.id });
    for (const milestone_id of [foreign.id, 9_007_199_254_740_991, -1]) {
      expect(await put(project, iid, { milestone_id })).toMatchObject({
        milestone: { id: own.id },
      });
    }
  });

  it('is for members at creation and for who keeps the issues later', async () => {
    const project = await place({ visibility: 'public' });
    const { id: milestone_id } = await createMilestone(owner.api, project);
    const stranger = await makeActor(app);
    const mine = await createIssue(stranger.api, project, { milestone_id });
    expect(mine['milestone']).toBeNull();
    const path = `/projects/${project.id}/issues/${mine.iid}`;
    const changed = await stranger.api.put(path, { milestone_id, title: 'New' }).expect(200);
    expect(changed.body).toMatchObject({ title: 'New', milestone: null });
    const guest = await makeMemberOf(app, project, 'guest');
    expect(await createIssue(guest.api, project, { milestone_id })).toMatchObject({
      milestone: { id: milestone_id },
    });
  });
});

describe('lists of issues by milestone', () => {
  it('find them by title, by words and by the time of the milestone', async () => {
    const project = await place();
    const later = await createMilestone(owner.api, project, {
      title: '2.0',
      start_date: '2000-01-01',
      due_date: '2999-01-01',
    });
    const past = await createMilestone(owner.api, project, {
      title: '1.0',
      due_date: '2001-01-01',
    });
    await createIssue(owner.api, project, { title: 'a', milestone_id: later.id });
    await createIssue(owner.api, project, { title: 'b', milestone_id: past.id });
    await createIssue(owner.api, project, { title: 'c' });
    const path = `/projects/${project.id}/issues`;
    const found: [string, string[]][] = [
      ['milestone=2.0', ['a']],
      ['milestone=None', ['c']],
      ['milestone=any', ['a', 'b']],
      ['milestone=3.0', []],
      ['milestone_id=None', ['c']],
      ['milestone_id=Any', ['a', 'b']],
      ['milestone_id=Upcoming', ['a']],
      ['milestone_id=Started', ['a']],
    ];
    for (const [query, titles] of found) {
      expect([query, await titlesOf(`${path}?${query}`)]).toEqual([query, titles]);
      expect([query, await titlesOf(`/issues?${query}`)]).toEqual([
        query,
        expect.arrayContaining(titles),
      ]);
      const counted = await owner.api.get(`/projects/${project.id}/issues_statistics?${query}`);
      expect(counted.body.statistics.counts.all).toBe(titles.length);
    }
    await owner.api.put(`/projects/${project.id}/milestones/${later.id}`, {
      state_event: 'close',
    });
    expect(await titlesOf(`${path}?milestone_id=Upcoming`)).toEqual([]);
    await owner.api.get(`${path}?milestone=1.0&milestone_id=Any`).expect(400, {
      error: 'milestone, milestone_id are mutually exclusive',
      message: '400 (Bad request) milestone, milestone_id are mutually exclusive',
    });
    await owner.api.get(`${path}?milestone_id=7`).expect(400);
  });
});

describe('GET /projects/:id/milestones/:milestone_id/issues', () => {
  it('lists the issues that the viewer may see', async () => {
    const project = await place({ visibility: 'public' });
    const { id } = await createMilestone(owner.api, project);
    const open = await createIssue(owner.api, project, { title: 'open', milestone_id: id });
    await createIssue(owner.api, project, {
      title: 'hidden',
      milestone_id: id,
      confidential: true,
    });
    await createIssue(owner.api, project, { title: 'other' });
    const path = `/projects/${project.id}/milestones/${id}/issues`;
    expect(await titlesOf(path)).toEqual(['hidden', 'open']);
    const stranger = await makeActor(app);
    const seen = await stranger.api.get(path).expect(200);
    const alone = await owner.api.get(`/projects/${project.id}/issues/${open.iid}`);
    const { subscribed, ...listed } = alone.body as IssueBody;
    expect(subscribed).toBe(true);
    expect(seen.body).toEqual([listed]);
    expect(await titlesOf(`${path}?per_page=1`)).toEqual(['hidden']);
  });

  it('is refused for other milestones and where issues are off', async () => {
    const project = await place();
    const foreign = await createMilestone(owner.api, await place());
    await owner.api.get(`/projects/${project.id}/milestones/${foreign.id}/issues`).expect(404);
    const off = await place({ issuesEnabled: false });
    const { id } = await createMilestone(owner.api, off);
    await owner.api.get(`/projects/${off.id}/milestones/${id}/issues`).expect(403);
  });
});
