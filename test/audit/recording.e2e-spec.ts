import { beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, unique, type MadeActor } from '../support/factories.js';
import { makeGroup, makeMember, makeOwnedGroup } from '../support/project-factories.js';
import { Trail } from './trail.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const OVERWRITE = `INSERT INTO audit_events (id, action, target_type, entity_type)
  VALUES (1, 'x', 'User', 'User') ON CONFLICT (id) DO UPDATE SET action = 'y'`;

let app: TestApp;
let admin: MadeActor;
let owner: MadeActor;
let trail: Trail;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
  owner = await makeActor(app);
  trail = new Trail(admin.api);
});

describe('an entry', () => {
  it('records actor, IP address and values before and after', async () => {
    const group = await makeOwnedGroup(app, owner, { visibility: 'public' });
    await owner.api.put(`/groups/${group.id}`, { visibility: 'private' }).expect(200);

    expect(await trail.newest('Group', group.id)).toEqual({
      id: expect.any(Number),
      author_id: owner.user.id,
      entity_id: group.id,
      entity_type: 'Group',
      event_name: 'group_updated',
      details: {
        author_name: owner.user.name,
        impersonator_id: null,
        impersonator_name: null,
        target_id: group.id,
        target_type: 'Group',
        target_details: group.fullPath,
        ip_address: '127.0.0.1',
        entity_path: group.fullPath,
        change: 'visibility',
        from: 'public',
        to: 'private',
        changes: { visibility: { from: 'public', to: 'private' } },
        facts: {},
      },
      created_at: ISO,
    });
  });

  it('names the administrator behind sudo', async () => {
    const group = await makeOwnedGroup(app, owner);
    await admin.api.put(`/groups/${group.id}?sudo=${owner.user.id}`, { name: 'New' }).expect(200);

    expect(await trail.newest('Group', group.id)).toMatchObject({
      author_id: owner.user.id,
      details: {
        author_name: owner.user.name,
        impersonator_id: admin.user.id,
        impersonator_name: admin.user.name,
      },
    });
  });

  it('records the use of an impersonation token, whose own event names its creator', async () => {
    const target = await makeActor(app);
    const group = await makeGroup(app);
    await makeMember(app, { group, user: target.user, role: 'owner' });
    const created = await admin.api
      .post(`/users/${target.user.id}/impersonation_tokens`, { name: 'help', scopes: ['api'] })
      .expect(201);
    const { id, token } = created.body as { id: number; token: string };
    await api(app.url, token).put(`/groups/${group.id}`, { name: 'New' }).expect(200);

    expect(await trail.newest('Group', group.id)).toMatchObject({
      author_id: target.user.id,
      details: { facts: { impersonation_token_id: id } },
    });
    expect(await trail.newest('User', target.user.id)).toMatchObject({
      event_name: 'access_token_created',
      author_id: admin.user.id,
      details: { target_id: id, facts: { kind: 'impersonation' } },
    });
  });

  it('stays readable when everyone in it was deleted', async () => {
    const [author, target] = [await makeAdmin(app), await makeUser(app)];
    await author.api.post(`/users/${target.id}/block`).expect(201);
    await admin.api.delete(`/users/${target.id}`).expect(204);
    await admin.api.delete(`/users/${author.user.id}`).expect(204);

    const [deleted, blocked] = await trail.of('User', target.id);
    const names = { target_details: target.username, entity_path: target.username };
    expect(deleted).toMatchObject({ event_name: 'user_deleted', details: names });
    expect(blocked).toMatchObject({
      event_name: 'user_blocked',
      author_id: author.user.id,
      details: { ...names, author_name: author.user.name },
    });
  });

  it('is not written when nothing changes', async () => {
    const group = await makeOwnedGroup(app, owner);
    const user = await makeUser(app);
    await owner.api.put(`/groups/${group.id}`, { name: group.name }).expect(200);
    await admin.api.put(`/users/${user.id}`, { admin: false }).expect(200);

    expect(await trail.of('Group', group.id)).toEqual([]);
    expect(await trail.of('User', user.id)).toEqual([]);
  });

  it('is not written when the change is refused', async () => {
    const group = await makeOwnedGroup(app, owner);
    const stranger = await makeActor(app);
    await stranger.api.put(`/groups/${group.id}`, { name: 'Mine' }).expect(404);
    await owner.api.put(`/groups/${group.id}`, { path: '-' }).expect(400);

    expect(await trail.of('Group', group.id)).toEqual([]);
  });
});

describe('the audit log of users', () => {
  it('records their creation', async () => {
    const username = unique('new');
    const email = `${username}@example.com`;
    const user = { username, name: 'New', email, password: 'a-long-password-1', admin: true };
    const created = await admin.api.post('/users', user).expect(201);

    const { id } = created.body as { id: number };
    expect(await trail.told('User', id)).toEqual({
      event_name: 'user_created',
      author_id: admin.user.id,
      target: `User ${id}`,
      changes: {},
      facts: { username, email, admin: true },
    });
  });

  it('records changes, without the values of passwords', async () => {
    const user = await makeUser(app);
    const change = { admin: true, bio: '', email: user.email, password: 'another-long-pass-2' };
    await admin.api.put(`/users/${user.id}`, change).expect(200);

    const event = await trail.newest('User', user.id);
    expect(event.details.changes).toEqual({ admin: { from: false, to: true } });
    expect(event.details.facts).toEqual({ password: '[changed]' });
    expect(JSON.stringify(event)).not.toMatch(/argon2|another-long/);
  });

  it.each([
    ['block', 'unblock', 'blocked'],
    ['ban', 'unban', 'banned'],
    ['deactivate', 'activate', 'deactivated'],
  ] as const)('tells of %s and %s', async (action, reverse, state) => {
    const user = await makeUser(app, { lastActivityOn: '2020-01-01' });
    await admin.api.post(`/users/${user.id}/${action}`).expect(201);

    expect(await trail.told('User', user.id)).toMatchObject({
      event_name: `user_${state}`,
      changes: { state: { from: 'active', to: state } },
    });
    await admin.api.post(`/users/${user.id}/${reverse}`).expect(201);
    expect(await trail.told('User', user.id)).toMatchObject({
      changes: { state: { from: state, to: 'active' } },
    });
  });
});

describe('the audit log itself', () => {
  it.each([
    ['changed', `UPDATE audit_events SET action = 'x'`],
    ['shortened', 'DELETE FROM audit_events WHERE id = 1'],
    ['emptied', 'TRUNCATE audit_events'],
    ['changed on conflict', OVERWRITE],
  ])('cannot be %s', async (_, statement) => {
    await expect(app.dataSource.query(statement)).rejects.toThrow('audit_events is append only');
  });

  it('has no endpoint that writes', async () => {
    const user = await makeUser(app);
    await admin.api.post(`/users/${user.id}/block`).expect(201);
    const { id } = await trail.newest('User', user.id);
    for (const method of ['put', 'patch', 'delete'] as const) {
      await admin.api[method](`/audit_events/${id}`).expect(405);
    }
    await admin.api.post('/audit_events', {}).expect(405);
    await api(app.url).get('/audit_events').expect(401);
  });
});
