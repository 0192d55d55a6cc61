import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { day, yesterday } from '../support/days.js';
import {
  makeActor,
  makeAdmin,
  makeTokenRow,
  makeUser,
  type MadeActor,
} from '../support/factories.js';
import { changeSettings } from '../support/settings.js';

const INPUT = { name: 'support', scopes: ['api'] };

let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

const pathOf = (user: { id: number }): string => `/users/${user.id}/impersonation_tokens`;

const ids = ({ body }: Response): number[] => (body as { id: number }[]).map(({ id }) => id);

function makeRow(
  user: { id: number },
  attributes: Pick<Partial<AccessToken>, 'kind' | 'revokedAt' | 'expiresAt'> = {},
): Promise<AccessToken> {
  return makeTokenRow(app, user, { kind: 'impersonation', ...attributes });
}

describe('POST /users/:user_id/impersonation_tokens', () => {
  it('creates a token with which the administrator acts as the user', async () => {
    const user = await makeUser(app);
    const { body } = await admin.api
      .post(pathOf(user), { ...INPUT, description: 'ticket 7', expires_at: day(2) })
      .expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'support',
      revoked: false,
      created_at: expect.any(String),
      description: 'ticket 7',
      scopes: ['api'],
      user_id: user.id,
      last_used_at: null,
      last_used_ips: [],
      active: true,
      expires_at: day(2),
      impersonation: true,
      token: expect.stringMatching(/^svcpat-[0-9a-v]{32}$/),
    });
    const { token } = body as { token: string };
    const me = await api(app.url, token).get('/user').expect(200);
    expect(me.body).toMatchObject({ id: user.id });
  });

  it.each([
    [{ name: 'x' }, { scopes: ["can't be blank"] }],
    [{ ...INPUT, scopes: ['sudo'] }, { scopes: ['can only contain available scopes'] }],
    [{ ...INPUT, expires_at: day(366) }, { expires_at: [`must be before ${day(365)}`] }],
    [{ ...INPUT, expires_at: '2020-01-01' }, { expires_at: ['must be in the future'] }],
  ])('answers 400 with the messages of each attribute for %j', async (input, message) => {
    const { body } = await admin.api.post(pathOf(await makeUser(app)), input).expect(400);
    expect(body).toEqual({ message });
  });

  it.each([
    [{ scopes: ['api'] }, 'name is missing'],
    [{ name: 'x', scopes: ['everything'] }, 'scopes does not have a valid value'],
  ])('answers 400 for %j', async (input, error) => {
    const { body } = await admin.api.post(pathOf(await makeUser(app)), input).expect(400);
    expect(body).toMatchObject({ error });
  });
});

describe('GET /users/:user_id/impersonation_tokens', () => {
  it('lists those of one user by their state', async () => {
    const user = await makeUser(app);
    const past = yesterday();
    const alive = await makeRow(user);
    const revoked = await makeRow(user, { revokedAt: past });
    const expired = await makeRow(user, { expiresAt: past });
    await makeRow(user, { kind: 'personal' });
    await makeRow(await makeUser(app));

    const list = (query: string): Promise<Response> =>
      admin.api.get(`${pathOf(user)}${query}`).expect(200);

    const all = [alive.id, revoked.id, expired.id];
    expect(ids(await list(''))).toEqual(all);
    expect(ids(await list('?state=all'))).toEqual(all);
    expect(ids(await list('?state=active'))).toEqual([alive.id]);
    expect(ids(await list('?state=inactive'))).toEqual([revoked.id, expired.id]);
    const page = await list('?per_page=1&page=2');
    expect([ids(page), page.headers['x-total']]).toEqual([[revoked.id], '3']);
    await admin.api.get(`${pathOf(user)}?state=asleep`).expect(400);
  });
});

describe('GET /users/:user_id/impersonation_tokens/:id', () => {
  it('shows one without its value', async () => {
    const user = await makeUser(app);
    const row = await makeRow(user);
    const { body } = await admin.api.get(`${pathOf(user)}/${row.id}`).expect(200);
    expect(body).toEqual({
      id: row.id,
      name: row.name,
      revoked: false,
      created_at: row.createdAt.toISOString(),
      description: null,
      scopes: ['api'],
      user_id: user.id,
      last_used_at: null,
      last_used_ips: [],
      active: true,
      expires_at: null,
      impersonation: true,
    });
  });

  it("answers 404 for others' tokens, personal tokens and unknown users", async () => {
    const user = await makeUser(app);
    const foreign = await makeRow(await makeUser(app));
    const personal = await makeRow(user, { kind: 'personal' });
    for (const { id } of [foreign, personal]) {
      const { body } = await admin.api.get(`${pathOf(user)}/${id}`).expect(404);
      expect(body).toEqual({ message: '404 Impersonation Token Not Found' });
    }
    const unknown = await admin.api.get(`${pathOf({ id: 99_999_999 })}/1`).expect(404);
    const list = await admin.api.get(pathOf({ id: 99_999_999 })).expect(404);
    expect([unknown.body, list.body]).toEqual([
      { message: '404 User Not Found' },
      { message: '404 User Not Found' },
    ]);
  });
});

describe('DELETE /users/:user_id/impersonation_tokens/:id', () => {
  it('ends the token at once', async () => {
    const user = await makeUser(app);
    const { body } = await admin.api.post(pathOf(user), INPUT).expect(201);
    const { id, token } = body as { id: number; token: string };
    await api(app.url, token).get('/user').expect(200);
    await admin.api.delete(`${pathOf(user)}/${id}`).expect(204);
    await api(app.url, token).get('/user').expect(401);
  });

  it('answers 412 when the token changed since the time of the client', async () => {
    const user = await makeUser(app);
    const { id } = await makeRow(user);
    await admin.api
      .delete(`${pathOf(user)}/${id}`)
      .set('If-Unmodified-Since', 'Tue, 01 Jan 2019 00:00:00 GMT')
      .expect(412);
    const row = await app.dataSource.manager.findOneByOrFail(AccessToken, { id });
    expect(row.revokedAt).toBeNull();
  });

  it('returns 404 for a token of another user', async () => {
    const foreign = await makeRow(await makeUser(app));
    await admin.api.delete(`${pathOf(await makeUser(app))}/${foreign.id}`).expect(404);
  });
});

describe('every endpoint of impersonation tokens', () => {
  it('is for administrators', async () => {
    const { user, api: own } = await makeActor(app);
    const { id } = await makeRow(user);
    const one = `${pathOf(user)}/${id}`;
    for (const [client, status] of [[own, 403] as const, [api(app.url), 401] as const]) {
      await client.get(pathOf(user)).expect(status);
      await client.post(pathOf(user), INPUT).expect(status);
      await client.get(one).expect(status);
      await client.delete(one).expect(status);
    }
  });
});

describe('where impersonation is turned off', () => {
  beforeAll(() => changeSettings(app, { impersonation_enabled: false }));
  afterAll(() => changeSettings(app, { impersonation_enabled: true }));

  it('no such tokens can be created, but existing ones can be listed and revoked', async () => {
    const user = await makeUser(app);
    const { id } = await makeRow(user);
    const { body } = await admin.api.post(pathOf(user), INPUT).expect(403);
    expect(body).toEqual({ message: '403 Forbidden - Impersonation is disabled' });
    expect(ids(await admin.api.get(pathOf(user)).expect(200))).toEqual([id]);
    await admin.api.delete(`${pathOf(user)}/${id}`).expect(204);
  });
});
