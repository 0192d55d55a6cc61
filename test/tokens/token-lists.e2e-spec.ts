import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { yesterday } from '../support/days.js';
import {
  makeActor,
  makeAdmin,
  makeToken,
  makeTokenRow,
  makeUser,
  tokenRow,
  type MadeActor,
} from '../support/factories.js';

const UNAUTHORIZED = { message: '401 Unauthorized' };
let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

const names = ({ body }: Response): string[] => (body as { name: string }[]).map((t) => t.name);

const ids = ({ body }: Response): number[] => (body as { id: number }[]).map(({ id }) => id);

describe('GET /personal_access_tokens', () => {
  it("lists the user's own tokens without their values", async () => {
    const { user, token, api: own } = await makeActor(app);
    const row = await tokenRow(app, token);
    await makeToken(app, await makeUser(app));
    await makeToken(app, user, { kind: 'impersonation' });
    await makeToken(app, user, { kind: 'oauth' });

    const response = await own.get('/personal_access_tokens').expect(200);

    expect(response.headers).toMatchObject({ 'x-total': '1', 'x-page': '1' });
    expect(response.body).toEqual([
      {
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
      },
    ]);
  });

  it('is refused without a token, and to tokens that may not read', async () => {
    const { user } = await makeActor(app);
    const weak = await makeToken(app, user, { scopes: ['self_rotate'] });
    await api(app.url).get('/personal_access_tokens').expect(401);
    await api(app.url, weak).get('/personal_access_tokens').expect(403);
  });

  it('returns 401 for tokens of another user, whether the user exists or not', async () => {
    const { user, api: own } = await makeActor(app);
    for (const id of [admin.user.id, 99_999_999]) {
      const { body } = await own.get(`/personal_access_tokens?user_id=${id}`).expect(401);
      expect(body).toEqual(UNAUTHORIZED);
    }
    await own.get(`/personal_access_tokens?user_id=${user.id}`).expect(200);
  });

  it('shows administrators all tokens, impersonation tokens included', async () => {
    const { user, token } = await makeActor(app);
    const { id: impersonation } = await makeTokenRow(app, user, { kind: 'impersonation' });

    const since = new Date(Date.now() - 60_000).toISOString();
    const recent = `/personal_access_tokens?per_page=100&created_after=${since}&sort=created_desc`;
    const all = await admin.api.get(recent).expect(200);
    const one = await admin.api.get(`/personal_access_tokens?user_id=${user.id}`).expect(200);

    expect(ids(all)).toEqual(expect.arrayContaining([impersonation]));
    expect(ids(one)).toEqual([(await tokenRow(app, token)).id, impersonation]);
    expect(one.body).toEqual([
      expect.not.objectContaining({ impersonation: expect.anything() }),
      expect.objectContaining({ impersonation: true }),
    ]);
  });

  it('answers administrators 404 for an unknown user', async () => {
    const { body } = await admin.api.get('/personal_access_tokens?user_id=99999999').expect(404);
    expect(body).toEqual({ message: '404 User Not Found' });
  });

  it.each([
    ['state=sleeping', 'state does not have a valid value'],
    ['sort=size', 'sort does not have a valid value'],
    ['expires_before=tomorrow', 'expires_before is invalid'],
    ['created_after=soon', 'created_after is invalid'],
    ['revoked=perhaps', 'revoked is invalid'],
    ['user_id=me', 'user_id is invalid'],
  ])('refuses %s', async (query, error) => {
    const { body } = await admin.api.get(`/personal_access_tokens?${query}`).expect(400);
    expect(body).toMatchObject({ error });
  });
});

describe('the filters of GET /personal_access_tokens', () => {
  let owner: MadeActor;
  beforeAll(async () => {
    owner = await makeActor(app);
    const { user } = owner;
    const day = (offset: number): Date => new Date(Date.UTC(2030, 0, 10 + offset));
    await app.dataSource.manager.update(AccessToken, { userId: user.id }, { name: 'presented' });
    const make = (name: string, attributes: Omit<Partial<AccessToken>, 'scopes'>) =>
      makeTokenRow(app, user, { name, ...attributes });
    await make('bee', { createdAt: day(0), expiresAt: day(5), lastUsedAt: day(-1) });
    await make('Ant', { createdAt: day(1), expiresAt: day(3), lastUsedAt: day(2) });
    await make('cat', { createdAt: day(2), revokedAt: day(0) });
    await make('dog', { createdAt: day(3), expiresAt: yesterday() });
  });

  const MADE = `created_after=${encodeURIComponent('2030-01-01T00:00:00Z')}`;
  const listed = async (query: string): Promise<string[]> =>
    names(await owner.api.get(`/personal_access_tokens?${MADE}&${query}`).expect(200));

  it.each([
    ['state=active', ['bee', 'Ant']],
    ['state=inactive', ['cat', 'dog']],
    ['revoked=true', ['cat']],
    ['revoked=false', ['bee', 'Ant', 'dog']],
    ['created_before=2030-01-11T00:00:00Z', ['bee']],
    ['created_after=2030-01-11T12:00:00Z', ['cat', 'dog']],
    ['last_used_before=2030-01-10', ['bee']],
    ['last_used_after=2030-01-10', ['Ant']],
    ['expires_before=2030-01-14', ['Ant', 'dog']],
    ['expires_after=2030-01-14', ['bee']],
    ['search=AN', ['Ant']],
    ['search=%25', []],
    ['search=', ['bee', 'Ant', 'cat', 'dog']],
  ])('%s finds %j', async (query, expected) => {
    expect((await listed(query)).sort()).toEqual([...expected].sort());
  });

  it.each([
    ['created_asc', ['bee', 'Ant', 'cat', 'dog']],
    ['created_desc', ['dog', 'cat', 'Ant', 'bee']],
    ['expires_asc', ['dog', 'Ant', 'bee', 'cat']],
    ['expires_desc', ['cat', 'bee', 'Ant', 'dog']],
    ['last_used_asc', ['cat', 'dog', 'bee', 'Ant']],
    ['last_used_desc', ['Ant', 'bee', 'dog', 'cat']],
  ])('sort=%s orders them as %j', async (sort, expected) => {
    expect(await listed(`sort=${sort}`)).toEqual(expected);
  });

  it('sort by name goes both ways', async () => {
    const forth = await listed('sort=name_asc');
    const back = await listed('sort=name_desc');
    expect(forth).toHaveLength(4);
    expect(back).toEqual([...forth].reverse());
  });

  it('pages', async () => {
    const response = await owner.api
      .get(`/personal_access_tokens?${MADE}&sort=created_asc&per_page=3&page=2`)
      .expect(200);
    expect([names(response), response.headers['x-total']]).toEqual([['dog'], '4']);
  });
});
