import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, unique } from '../support/factories.js';
import { makeGroup, makeMember, makeProject } from '../support/project-factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

/**
 * Sends the requests while the namespace's row is locked and releases it when all of them wait,
 * having looked at the state before the others' changes and before what happens meanwhile.
 */
async function atOnce(
  namespaceId: number,
  send: (() => Promise<Response>)[],
  meanwhile?: () => Promise<unknown>,
): Promise<number[]> {
  const blocker = app.dataSource.createQueryRunner();
  await blocker.startTransaction();
  await blocker.query('SELECT 1 FROM namespaces WHERE id = $1 FOR UPDATE', [namespaceId]);
  const answers = Promise.all(send.map((request) => request()));
  await eventually(async () => {
    const waiting = await app.dataSource.query<unknown[]>(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
       AND wait_event_type = 'Lock'`,
    );
    return waiting.length >= send.length;
  });
  await meanwhile?.();
  await blocker.rollbackTransaction();
  await blocker.release();
  return (await answers).map(({ status }) => status);
}

describe('two changes at once', () => {
  it('of a group both last', async () => {
    const owner = await makeActor(app);
    const group = await makeGroup(app);
    await makeMember(app, { group, user: owner.user, role: 'owner' });
    const [path, name] = [unique('new-path'), 'New Name'];

    const statuses = await atOnce(group.id, [
      async () => owner.api.put(`/groups/${group.id}`, { path }),
      async () => owner.api.put(`/groups/${group.id}`, { name }),
    ]);

    expect(statuses).toEqual([200, 200]);
    const { body } = await owner.api.get(`/groups/${group.id}`).expect(200);
    expect(body).toMatchObject({ path, name, full_path: path, full_name: name });
  });

  it('of a project both last, so that what became private stays so', async () => {
    const [owner, maintainer] = [await makeActor(app), await makeActor(app)];
    const { namespaceId } = owner.user;
    const project = await makeProject(app, { namespaceId, visibility: 'public' });
    await makeMember(app, { project, user: maintainer.user, role: 'maintainer' });
    const path = unique('new-path');

    const statuses = await atOnce(namespaceId, [
      async () => owner.api.put(`/projects/${project.id}`, { visibility: 'private', path }),
      async () => maintainer.api.put(`/projects/${project.id}`, { description: 'New' }),
    ]);

    expect(statuses).toEqual([200, 200]);
    const { body } = await owner.api.get(`/projects/${project.id}`).expect(200);
    expect(body).toMatchObject({ visibility: 'private', path, description: 'New' });
  });

  it('let a project that became private arrive private in another group', async () => {
    const owner = await makeActor(app);
    const { namespaceId } = owner.user;
    const project = await makeProject(app, { namespaceId, visibility: 'public' });
    const group = await makeGroup(app, { visibility: 'public' });
    await makeMember(app, { group, user: owner.user, role: 'owner' });
    const path = `/projects/${project.id}`;

    const statuses = await atOnce(
      group.id,
      [async () => owner.api.put(`${path}/transfer`, { namespace: group.id })],
      async () => owner.api.put(path, { visibility: 'private' }).expect(200),
    );

    expect(statuses).toEqual([200]);
    const { body } = await owner.api.get(path).expect(200);
    expect(body).toMatchObject({
      visibility: 'private',
      path_with_namespace: `${group.fullPath}/${project.path}`,
    });
  });
});
