import { beforeAll, describe, expect, it } from '@jest/globals';
import type { User } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeActor, makeToken, makeUser } from '../support/factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const INTERNAL = 'This action cannot be performed by internal users';
const PENDING = 'Your account is pending approval from your administrator and hence blocked.';
const DEACTIVATED =
  'Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account at ';
const UNCONFIRMED =
  'Your primary email address is not confirmed. Please check your inbox for the confirmation instructions.';
const BLOCKED = 'Your account has been blocked.';

describe('a user who may not act', () => {
  it.each<[string, Partial<User>, string]>([
    ['internal', { userType: 'internal', state: 'blocked' }, INTERNAL],
    ['pending approval', { state: 'pending', confirmedAt: null }, PENDING],
    ['deactivated', { state: 'deactivated', confirmedAt: null }, DEACTIVATED],
    ['unconfirmed', { confirmedAt: null }, UNCONFIRMED],
    ['unconfirmed and blocked', { state: 'blocked', confirmedAt: null }, UNCONFIRMED],
    ['blocked', { state: 'blocked' }, BLOCKED],
    ['banned', { state: 'banned' }, BLOCKED],
  ])('gets 403 when %s', async (_state, attributes, reason) => {
    const { api: client } = await makeActor(app, attributes);
    const { body } = await client.get('/version').expect(403);
    const suffix = reason === DEACTIVATED ? app.url : '';
    expect(body).toEqual({ message: `403 Forbidden - ${reason}${suffix}` });
  });

  it("learns that before the token's scopes are checked", async () => {
    const blocked = await makeUser(app, { state: 'blocked' });
    const token = await makeToken(app, blocked, { scopes: ['read_repository'] });
    const { body } = await api(app.url, token).get('/version').expect(403);
    expect(body).toEqual({ message: `403 Forbidden - ${BLOCKED}` });
  });

  it('learns first that the token has expired', async () => {
    const blocked = await makeUser(app, { state: 'blocked' });
    const token = await makeToken(app, blocked, { expiresAt: new Date(0) });
    await api(app.url, token).get('/version').expect(401);
  });
});

describe('a bot', () => {
  it('can act like any other user', async () => {
    const { api: client } = await makeActor(app, { userType: 'project_bot' });
    await client.get('/version').expect(200);
  });
});
