import { beforeAll, describe, expect, it } from '@jest/globals';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { commitOn, openMergeRequest } from '../support/merge-request-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

/** A public project's merge request by its owner. */
async function place(body: Record<string, unknown> = {}) {
  const { namespaceId } = owner.user;
  const files = { 'a.txt': 'one\n' };
  const project = await makeProject(app, { namespaceId, visibility: 'public', files });
  const change = { branch: 'feature', from: 'main', user: owner.user, files: { 'b.txt': 'b' } };
  await commitOn(app, project, change);
  const { iid } = await openMergeRequest(owner.api, project, {
    source_branch: 'feature',
    ...body,
  });
  return { project, path: `/projects/${project.id}/merge_requests/${iid}` };
}

async function isSubscribed({ api: client }: MadeActor, path: string): Promise<unknown> {
  const response = await client.get(path).expect(200);
  return (response.body as Record<string, unknown>)['subscribed'];
}

const archive = ({ id }: MadeProject) =>
  app.dataSource.manager.update(Project, { id }, { archived: true });

describe('subscribing to a merge request', () => {
  it('returns 201 with the merge request, and 304 without a body to subscribers', async () => {
    const { path } = await place();
    const reader = await makeActor(app);
    expect(await isSubscribed(reader, path)).toBe(false);

    const response = await reader.api.post(`${path}/subscribe`).expect(201);
    const shown = await reader.api.get(path).expect(200);
    expect(response.body).toEqual({ ...(shown.body as object), subscribed: true });
    expect(shown.body).toMatchObject({ subscribed: true });

    const again = await reader.api.post(`${path}/subscribe`).expect(304);
    expect(again.text).toBe('');
  });

  it('can be undone, and done again', async () => {
    const { path } = await place();
    const reader = await makeActor(app);
    await reader.api.post(`${path}/unsubscribe`).expect(304);
    await reader.api.post(`${path}/subscribe`).expect(201);
    const response = await reader.api.post(`${path}/unsubscribe`).expect(201);
    expect(response.body).toMatchObject({ subscribed: false });
    await reader.api.post(`${path}/unsubscribe`).expect(304);
    await reader.api.post(`${path}/subscribe`).expect(201);
    expect(await isSubscribed(reader, path)).toBe(true);
  });

  it('depends on the level of a participant', async () => {
    const reviewer = await makeActor(app);
    const { path } = await place({ reviewer_ids: [reviewer.user.id] });
    await reviewer.api.put('/notification_settings', { level: 'mention' }).expect(200);
    expect(await isSubscribed(reviewer, path)).toBe(false);
    await reviewer.api.post(`${path}/subscribe`).expect(201);
    expect(await isSubscribed(reviewer, path)).toBe(true);
  });

  it('includes participants until they unsubscribe', async () => {
    const reviewer = await makeActor(app);
    const { path } = await place({ reviewer_ids: [reviewer.user.id] });
    for (const one of [owner, reviewer]) {
      await one.api.post(`${path}/subscribe`).expect(304);
      await one.api.post(`${path}/unsubscribe`).expect(201);
      expect(await isSubscribed(one, path)).toBe(false);
    }
  });

  it('comes with being named and with commenting', async () => {
    const [named, commenter, bystander] = await Promise.all([1, 2, 3].map(() => makeActor(app)));
    if (!named || !commenter || !bystander) throw new Error('nobody was made');
    const { path } = await place({ description: `For @${named.user.username}` });
    await commenter.api.post(`${path}/notes`, { body: 'Nice' }).expect(201);
    expect(await isSubscribed(named, path)).toBe(true);
    expect(await isSubscribed(commenter, path)).toBe(true);
    expect(await isSubscribed(bystander, path)).toBe(false);
  });

  it('is also a command of comments, for everyone who can comment', async () => {
    const { path } = await place();
    const reader = await makeActor(app);
    const say = (body: string) => reader.api.post(`${path}/notes`, { body }).expect(202);
    await say('/subscribe');
    expect(await isSubscribed(reader, path)).toBe(true);
    await say('/unsubscribe');
    expect(await isSubscribed(reader, path)).toBe(false);
  });

  it('works in archived projects', async () => {
    const { project, path } = await place();
    await archive(project);
    const reader = await makeActor(app);
    await reader.api.post(`${path}/subscribe`).expect(201);
  });

  it('refuses who is not signed in, and what the viewer may not see', async () => {
    const { project, path } = await place();
    await api(app.url).post(`${path}/subscribe`).expect(401);
    await owner.api.post(`/projects/${project.id}/merge_requests/99/subscribe`).expect(404);
    await owner.api.put(`/projects/${project.id}`, { visibility: 'private' }).expect(200);
    const guest = await makeMemberOf(app, project, 'guest');
    await guest.api.post(`${path}/subscribe`).expect(403);
    await (await makeActor(app)).api.post(`${path}/subscribe`).expect(404);
  });
});
