import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { day } from '../support/days.js';
import { makeActor, makeAdmin, makeUser, unique, type MadeActor } from '../support/factories.js';
import {
  makeGroup,
  makeMember,
  makeOwnedGroup,
  makeProject,
  type MadeGroup,
} from '../support/project-factories.js';

const NOT_FOUND = { message: '404 Not found' };
const FORBIDDEN = { message: '403 Forbidden' };

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function groupOwnedBy(owner: MadeActor): Promise<MadeGroup> {
  const group = await makeGroup(app);
  await makeMember(app, { group, user: owner.user, role: 'owner' });
  return group;
}

describe('members of a project', () => {
  it('are added by user id, listed, shown, changed and removed', async () => {
    const owner = await makeActor(app);
    const { user } = await makeActor(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const path = `/projects/${project.id}/members`;

    const added = await owner.api
      .post(path, { user_id: user.id, access_level: 30, expires_at: '2099-01-02' })
      .expect(201);

    const basic = (who: MadeActor['user']): object => ({
      id: who.id,
      username: who.username,
      name: who.name,
      state: 'active',
      locked: false,
      avatar_url: null,
      web_url: `${app.url}/${who.username}`,
    });
    expect(added.body).toEqual({
      ...basic(user),
      access_level: 30,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      expires_at: '2099-01-02',
      created_by: basic(owner.user),
      membership_state: 'active',
    });
    expect((await owner.api.get(path).expect(200)).body).toEqual([added.body]);
    expect((await owner.api.get(`${path}/${user.id}`).expect(200)).body).toEqual(added.body);
    const changed = await owner.api.put(`${path}/${user.id}`, { access_level: 40 }).expect(200);
    expect(changed.body).toMatchObject({ access_level: 40, expires_at: '2099-01-02' });
    const cleared = { access_level: 40, expires_at: null };
    const unlimited = await owner.api.put(`${path}/${user.id}`, cleared).expect(200);
    expect(unlimited.body).toMatchObject({ expires_at: null });
    const removed = await owner.api.delete(`${path}/${user.id}`).expect(204);
    expect(removed.text).toBe('');
    expect((await owner.api.get(`${path}/${user.id}`).expect(404)).body).toEqual(NOT_FOUND);
    const actions = await app.dataSource.manager.find(AuditEvent, {
      where: { entityType: 'Project', entityId: project.id },
      order: { id: 'ASC' },
    });
    expect(actions.map(({ action }) => action)).toEqual([
      'member_created',
      'member_updated',
      'member_updated',
      'member_removed',
    ]);
  });

  it('are added by username in any case', async () => {
    const owner = await makeActor(app);
    const user = await makeUser(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });

    const body = { username: user.username.toUpperCase(), access_level: 10 };
    const added = await owner.api.post(`/projects/${project.id}/members`, body).expect(201);

    expect(added.body).toMatchObject({ id: user.id, access_level: 10, expires_at: null });
  });

  it('returns 409 for an existing member', async () => {
    const owner = await makeActor(app);
    const user = await makeUser(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    await makeMember(app, { project, user, role: 'guest' });

    const body = { user_id: user.id, access_level: 30 };
    const answer = await owner.api.post(`/projects/${project.id}/members`, body).expect(409);

    expect(answer.body).toEqual({ message: 'Member already exists' });
  });

  it('answers 412 when the membership changed since the client looked', async () => {
    const [owner, { user }] = [await makeActor(app), await makeActor(app)];
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    await makeMember(app, { project, user, role: 'guest' });
    const path = `/projects/${project.id}/members/${user.id}`;
    const [long, later] = [new Date(0).toUTCString(), new Date(Date.now() + 60_000).toUTCString()];
    const change = { access_level: 20 };

    const put = await owner.api.put(path, change).set('If-Unmodified-Since', long).expect(412);
    await owner.api.delete(path).set('If-Unmodified-Since', long).expect(412);

    expect(put.body).toEqual({ message: '412 Precondition Failed' });
    await owner.api.put(path, change).set('If-Unmodified-Since', later).expect(200);
    await owner.api.delete(path).set('If-Unmodified-Since', later).expect(204);
  });

  it('takes over a membership that has expired', async () => {
    const owner = await makeActor(app);
    const user = await makeUser(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    await makeMember(app, { project, user, role: 'guest', expiresAt: '2020-01-01' });
    const path = `/projects/${project.id}/members`;
    expect((await owner.api.get(path).expect(200)).body).toEqual([]);

    const body = { user_id: user.id, access_level: 30 };
    const added = await owner.api.post(path, body).expect(201);

    expect(added.body).toMatchObject({ access_level: 30, expires_at: null });
  });

  it.each([
    [
      { access_level: 30 },
      'user_id, username are missing, at least one parameter must be provided',
    ],
    [{ access_level: 30, user_id: 1, username: 'x' }, 'user_id, username are mutually exclusive'],
    [{ user_id: 1 }, 'access_level is missing'],
    [{ user_id: 1, access_level: 31 }, 'access_level does not have a valid value'],
    [{ user_id: 1, access_level: 'x' }, 'access_level is invalid'],
    [{ user_id: 'x', access_level: 30 }, 'user_id is invalid'],
    [{ user_id: 1, access_level: 30, expires_at: 'soon' }, 'expires_at is invalid'],
  ])('answers 400 to %j', async (body, error) => {
    const owner = await makeActor(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });

    const answer = await owner.api.post(`/projects/${project.id}/members`, body).expect(400);

    expect(answer.body).toMatchObject({ error });
  });

  it('answers 404 for an unknown user and 400 for a date in the past', async () => {
    const owner = await makeActor(app);
    const user = await makeUser(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const path = `/projects/${project.id}/members`;

    const unknown = await owner.api.post(path, { user_id: 999_999, access_level: 30 }).expect(404);
    const past = await owner.api
      .post(path, { user_id: user.id, access_level: 30, expires_at: '2020-01-01' })
      .expect(400);

    const today = await owner.api
      .post(path, { user_id: user.id, access_level: 30, expires_at: day(0) })
      .expect(400);

    expect(unknown.body).toEqual({ message: '404 User Not Found' });
    expect(today.body).toEqual({ message: { expires_at: ['must be later than today'] } });
    expect(past.body).toEqual({ message: { expires_at: ['cannot be a date in the past'] } });
  });

  it('lets a Maintainer manage up to their own level only', async () => {
    const owner = await makeActor(app);
    const maintainer = await makeActor(app);
    const [user, second] = [await makeUser(app), await makeUser(app)];
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    await makeMember(app, { project, user: maintainer.user, role: 'maintainer' });
    await makeMember(app, { project, user: second, role: 'owner' });
    const path = `/projects/${project.id}/members`;

    const above = { user_id: user.id, access_level: 50 };
    expect((await maintainer.api.post(path, above).expect(403)).body).toEqual(FORBIDDEN);
    await maintainer.api.post(path, { user_id: user.id, access_level: 40 }).expect(201);
    await maintainer.api.put(`${path}/${user.id}`, { access_level: 50 }).expect(403);
    await maintainer.api.put(`${path}/${second.id}`, { access_level: 30 }).expect(403);
    await maintainer.api.delete(`${path}/${second.id}`).expect(403);
    await maintainer.api.delete(`${path}/${user.id}`).expect(204);
  });

  it('lets a Developer leave but not manage', async () => {
    const owner = await makeActor(app);
    const developer = await makeActor(app);
    const user = await makeUser(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    await makeMember(app, { project, user: developer.user, role: 'developer' });
    await makeMember(app, { project, user, role: 'guest' });
    const path = `/projects/${project.id}/members`;

    await developer.api.post(path, { user_id: user.id, access_level: 10 }).expect(403);
    await developer.api.delete(`${path}/${user.id}`).expect(403);
    await developer.api.delete(`${path}/${developer.user.id}`).expect(204);

    await developer.api.get(path).expect(404);
  });

  it('shows with /all the highest level of everyone, inherited ones included', async () => {
    const owner = await makeActor(app);
    const group = await groupOwnedBy(owner);
    const subgroup = await makeGroup(app, { parentId: group.id });
    const project = await makeProject(app, { namespaceId: subgroup.id });
    const user = await makeUser(app);
    await makeMember(app, { group, user, role: 'reporter' });
    await makeMember(app, { project, user, role: 'developer' });
    const path = `/projects/${project.id}/members`;

    const direct = await owner.api.get(path).expect(200);
    const all = await owner.api.get(`${path}/all`).expect(200);
    const one = await owner.api.get(`${path}/all/${owner.user.id}`).expect(200);

    const levels = (body: { id: number; access_level: number }[]): number[][] =>
      body.map(({ id, access_level }) => [id, access_level]);
    expect(levels(direct.body)).toEqual([[user.id, 30]]);
    expect(levels(all.body)).toEqual([
      [owner.user.id, 50],
      [user.id, 30],
    ]);
    expect(all.headers['x-total']).toBe('2');
    const second = await owner.api.get(`${path}/all?per_page=1&page=2`).expect(200);
    expect([levels(second.body), second.headers['x-total']]).toEqual([[[user.id, 30]], '2']);
    const beyond = await owner.api.get(`${path}/all?page=9`).expect(200);
    expect([beyond.body, beyond.headers['x-total']]).toEqual([[], '2']);
    expect(one.body).toMatchObject({ id: owner.user.id, access_level: 50 });
  });

  it('refuses a level below the one that is inherited', async () => {
    const owner = await makeActor(app);
    const group = await groupOwnedBy(owner);
    const project = await makeProject(app, { namespaceId: group.id });
    const user = await makeUser(app);
    await makeMember(app, { group, user, role: 'developer' });

    const body = { user_id: user.id, access_level: 20 };
    const answer = await owner.api.post(`/projects/${project.id}/members`, body).expect(400);

    const text = `should be greater than or equal to Developer inherited membership from group ${group.name}`;
    expect(answer.body).toEqual({ message: { access_level: [text] } });
  });

  it('filters by name and by ids', async () => {
    const owner = await makeActor(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const users = [await makeUser(app), await makeUser(app), await makeUser(app)];
    for (const user of users) await makeMember(app, { project, user, role: 'guest' });
    const path = `/projects/${project.id}/members`;
    const ids = async (query: string): Promise<number[]> => {
      const { body } = await owner.api.get(`${path}?${query}`).expect(200);
      return (body as { id: number }[]).map(({ id }) => id);
    };
    const [first, second, third] = users.map(({ id }) => id);

    expect(await ids(`query=${users[1]?.username}`)).toEqual([second]);
    expect(await ids(`user_ids[]=${first}&user_ids[]=${third}`)).toEqual([first, third]);
    expect(await ids(`skip_users[]=${first}`)).toEqual([second, third]);
    expect(await ids('per_page=1&page=2')).toEqual([second]);
  });

  it('filters those of the groups above by name, page by page with their total', async () => {
    const owner = await makeActor(app);
    const group = await makeOwnedGroup(app, owner);
    const project = await makeProject(app, { namespaceId: group.id });
    const name = unique('Grace ');
    const users = [await makeUser(app, { name }), await makeUser(app, { name })];
    for (const user of users) await makeMember(app, { group, user, role: 'guest' });
    const [first, second] = users;
    if (second !== undefined) await makeMember(app, { project, user: second, role: 'developer' });
    const path = `/projects/${project.id}/members/all?query=${encodeURIComponent(name)}&per_page=1`;
    const pageOf = async (page: number) => owner.api.get(`${path}&page=${page}`).expect(200);

    const [one, two] = [await pageOf(1), await pageOf(2)];
    expect(one.body).toMatchObject([{ id: first?.id, access_level: 10 }]);
    expect(two.body).toMatchObject([{ id: second?.id, access_level: 30 }]);
    expect([one.headers['x-total'], two.headers['x-total']]).toEqual(['2', '2']);
    expect((await pageOf(3)).body).toEqual([]);
  });

  it('answers 401 to changes without a token and 404 where the project is not seen', async () => {
    const owner = await makeActor(app);
    const stranger = await makeActor(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const path = `/projects/${project.id}/members`;
    const body = { user_id: stranger.user.id, access_level: 30 };

    await api(app.url).post(path, body).expect(401);
    const answer = await stranger.api.post(path, body).expect(404);

    expect(answer.body).toEqual({ message: '404 Project Not Found' });
  });
});

describe('members of a group', () => {
  it('are managed by owners, not by maintainers', async () => {
    const owner = await makeActor(app);
    const maintainer = await makeActor(app);
    const user = await makeUser(app);
    const group = await groupOwnedBy(owner);
    await makeMember(app, { group, user: maintainer.user, role: 'maintainer' });
    const path = `/groups/${group.id}/members`;

    await maintainer.api.post(path, { user_id: user.id, access_level: 10 }).expect(403);
    const added = await owner.api.post(path, { user_id: user.id, access_level: 20 }).expect(201);
    expect(added.body).toMatchObject({ id: user.id, access_level: 20 });
    await owner.api.put(`${path}/${user.id}`, { access_level: 30 }).expect(200);
    expect((await owner.api.get(`${path}/${user.id}`)).body).toMatchObject({ access_level: 30 });
    await maintainer.api.delete(`${path}/${user.id}`).expect(403);
    await owner.api.delete(`${path}/${user.id}`).expect(204);
    await owner.api.delete(`${path}/${user.id}`).expect(404);
  });

  it('always keep one owner', async () => {
    const [owner, second] = [await makeActor(app), await makeUser(app)];
    const group = await groupOwnedBy(owner);
    const path = `/groups/${group.id}/members`;

    const last = await owner.api.delete(`${path}/${owner.user.id}`).expect(403);
    expect(last.body).toEqual(FORBIDDEN);
    await owner.api.put(`${path}/${owner.user.id}`, { access_level: 40 }).expect(403);

    await makeMember(app, { group, user: second, role: 'owner' });
    await owner.api.delete(`${path}/${owner.user.id}`).expect(204);
  });

  it('cannot make the ownership of the only owner end one day', async () => {
    const [owner, second] = [await makeActor(app), await makeActor(app)];
    const group = await groupOwnedBy(owner);
    const path = `/groups/${group.id}/members/${owner.user.id}`;
    const change = { access_level: 50, expires_at: '2099-01-02' };
    const refused = await owner.api.put(path, change).expect(403);
    expect(refused.body).toEqual(FORBIDDEN);
    await makeMember(app, { group, user: second.user, role: 'owner' });
    await owner.api.put(path, change).expect(200);
  });

  it('may leave a subgroup without owner of its own when the group above has one', async () => {
    const [owner, sub] = [await makeActor(app), await makeActor(app)];
    const group = await groupOwnedBy(owner);
    const subgroup = await makeGroup(app, { parentId: group.id });
    await makeMember(app, { group: subgroup, user: sub.user, role: 'owner' });

    await sub.api.delete(`/groups/${subgroup.id}/members/${sub.user.id}`).expect(204);
  });

  it('lose what they have below the group with it, unless that is to stay', async () => {
    const [owner, user] = [await makeActor(app), await makeUser(app)];
    const group = await groupOwnedBy(owner);
    const subgroup = await makeGroup(app, { parentId: group.id });
    const project = await makeProject(app, { namespaceId: subgroup.id });
    const join = async (): Promise<void> => makeMember(app, { group, user, role: 'guest' });
    await join();
    await makeMember(app, { group: subgroup, user, role: 'reporter' });
    await makeMember(app, { project, user, role: 'developer' });
    const path = `/groups/${group.id}/members/${user.id}`;
    const below = `/projects/${project.id}/members/all/${user.id}`;

    await owner.api.delete(`${path}?skip_subresources=true`).expect(204);
    expect((await owner.api.get(below).expect(200)).body).toMatchObject({ access_level: 30 });
    await join();
    await owner.api.delete(path).expect(204);
    await owner.api.get(below).expect(404);
  });

  it('stop two owners from removing each other at the same time', async () => {
    const [first, second] = [await makeActor(app), await makeActor(app)];
    const group = await groupOwnedBy(first);
    await makeMember(app, { group, user: second.user, role: 'owner' });
    const path = `/groups/${group.id}/members`;

    const answers = await Promise.all([
      first.api.delete(`${path}/${first.user.id}`),
      second.api.delete(`${path}/${second.user.id}`),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
  });

  it('are added by administrators at any level', async () => {
    const admin = await makeAdmin(app);
    const user = await makeUser(app);
    const group = await makeGroup(app);

    const body = { user_id: user.id, access_level: 50 };
    await admin.api.post(`/groups/${group.id}/members`, body).expect(201);
  });
});
