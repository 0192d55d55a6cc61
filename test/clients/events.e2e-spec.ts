import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { clientOf, idsOf, refusalOf, type Client } from './client.js';

let app: OwnTestApp;
let author: MadeActor;
let client: Client;
beforeAll(async () => {
  app = await startTestApp();
  author = await makeActor(app);
  client = clientOf(app, author);
});
afterAll(() => app.close());

describe('events', () => {
  it('are listed of oneself, of a user and of a project, page by page', async () => {
    const project = await client.Projects.create({
      name: unique('project-'),
      visibility: 'public',
    });
    const { iid } = await client.Issues.create(project.id, 'It squeaks');
    await client.IssueNotes.create(project.id, iid, 'Loudly');
    await client.Issues.edit(project.id, iid, { stateEvent: 'close' });
    const path = String(project.path_with_namespace);
    const events = await client.Events.all({ projectId: path, perPage: 1 });
    expect(events.map(({ action_name: name }) => name)).toEqual([
      'closed',
      'commented on',
      'opened',
      'created',
    ]);
    expect(events[1]).toMatchObject({ note: { body: 'Loudly', noteable_iid: iid } });
    const { id, username } = author.user;
    const lists = [{ userId: id }, { userId: username }, { scope: 'all' }, {}];
    for (const list of lists) {
      expect([list, idsOf(await client.Events.all({ ...list, sort: 'asc' } as never))]).toEqual([
        list,
        idsOf(events).toReversed(),
      ]);
    }
  });

  it('are filtered by kind, target and day', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    const projectId = project.id;
    await client.Issues.create(projectId, 'It squeaks');
    const day = (shift: number): string =>
      new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10);
    const found = await client.Events.all({
      projectId,
      action: 'created',
      targetType: 'issue',
      after: day(-1),
      before: day(1),
    } as never);
    expect(found).toMatchObject([{ target_type: 'Issue', target_title: 'It squeaks' }]);
    expect(await client.Events.all({ projectId, after: day(0) } as never)).toEqual([]);
    const refused = client.Events.all({ projectId, action: 'opened' } as never);
    expect((await refusalOf(refused)).status).toBe(400);
  });
});
