import { beforeAll, describe, expect, it } from '@jest/globals';
import { User, type UserState } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { day } from '../support/days.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, makeUser, type MadeActor } from '../support/factories.js';

let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

async function stateOf(id: number): Promise<UserState> {
  return (await app.dataSource.manager.findOneByOrFail(User, { id })).state;
}

describe('POST /users/:id/<action>', () => {
  it.each<[string, UserState, UserState]>([
    ['block', 'active', 'blocked'],
    ['block', 'deactivated', 'blocked'],
    ['unblock', 'blocked', 'active'],
    ['activate', 'deactivated', 'active'],
    ['activate', 'active', 'active'],
    ['deactivate', 'active', 'deactivated'],
    ['ban', 'active', 'banned'],
    ['unban', 'banned', 'active'],
    ['approve', 'pending', 'active'],
  ])('%s makes %s into %s and answers true', async (action, from, to) => {
    const { id } = await makeUser(app, { state: from });
    const { body } = await admin.api.post(`/users/${id}/${action}`).expect(201);
    expect([body, await stateOf(id)]).toEqual([true, to]);
  });

  it.each<[string, UserState, null | false]>([
    ['block', 'blocked', null],
    ['block', 'banned', null],
    ['deactivate', 'deactivated', null],
    ['unblock', 'active', false],
  ])('%s of a user who is %s already answers %p', async (action, state, answer) => {
    const { id } = await makeUser(app, { state });
    const { body } = await admin.api.post(`/users/${id}/${action}`).expect(201);
    expect([body, await stateOf(id)]).toEqual([answer, state]);
  });

  it.each<[string, UserState, string]>([
    ['unblock', 'deactivated', 'Deactivated users cannot be unblocked by the API'],
    ['activate', 'blocked', 'A blocked user must be unblocked to be activated'],
    ['deactivate', 'blocked', 'A blocked user must be unblocked to be deactivated'],
    ['ban', 'blocked', 'You cannot ban blocked users.'],
    ['unban', 'active', 'You cannot unban active users.'],
  ])('%s is refused to a user who is %s', async (action, state, reason) => {
    const { id } = await makeUser(app, { state });
    const { body } = await admin.api.post(`/users/${id}/${action}`).expect(403);
    expect(body).toEqual({ message: `403 Forbidden - ${reason}` });
    expect(await stateOf(id)).toBe(state);
  });

  it('refuses administrators who block themselves', async () => {
    const { body } = await admin.api.post(`/users/${admin.user.id}/block`).expect(403);
    expect(body).toEqual({
      message: '403 Forbidden - The API initiating user cannot be blocked by the API',
    });
  });

  it('deactivates only who was away for 90 days', async () => {
    const active = await makeUser(app, { lastActivityOn: day(-89) });
    const dormant = await makeUser(app, { lastActivityOn: day(-91) });
    const { body } = await admin.api.post(`/users/${active.id}/deactivate`).expect(403);
    expect(body).toEqual({
      message:
        '403 Forbidden - The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated',
    });
    await admin.api.post(`/users/${dormant.id}/deactivate`).expect(201);
  });

  it('takes effect on the next request of the user and back again', async () => {
    const { user, api } = await makeActor(app);
    await api.get('/version').expect(200);
    await admin.api.post(`/users/${user.id}/block`).expect(201);
    await eventually(() => api.get('/version').expect(403), { seconds: 4 });
    await admin.api.post(`/users/${user.id}/unblock`).expect(201);
    await eventually(() => api.get('/version').expect(200), { seconds: 4 });
  });

  it.each(['block', 'unblock', 'activate', 'deactivate', 'ban', 'unban', 'approve', 'reject'])(
    '%s answers 403 to others and 404 for an unknown user',
    async (action) => {
      const other = await makeActor(app);
      await other.api.post(`/users/${admin.user.id}/${action}`).expect(403);
      const { body } = await admin.api.post(`/users/987654321/${action}`).expect(404);
      expect(body).toEqual({ message: '404 User Not Found' });
    },
  );
});

describe('a request to join', () => {
  it('is approved once', async () => {
    const { id } = await makeUser(app, { state: 'pending' });
    await admin.api.post(`/users/${id}/approve`).expect(201);
    const { body } = await admin.api.post(`/users/${id}/approve`).expect(409);
    expect(body).toEqual({
      message: 'The user you are trying to approve is not pending approval',
    });
  });

  it('leaves nothing behind when rejected', async () => {
    const { id } = await makeUser(app, { state: 'pending' });
    const { body } = await admin.api.post(`/users/${id}/reject`).expect(201);
    expect(body).toBe(true);
    await admin.api.get(`/users/${id}`).expect(404);
  });

  it('cannot be rejected once the user is in', async () => {
    const { id } = await makeUser(app);
    const { body } = await admin.api.post(`/users/${id}/reject`).expect(409);
    expect(body).toEqual({ message: 'User does not have a pending request' });
  });
});
