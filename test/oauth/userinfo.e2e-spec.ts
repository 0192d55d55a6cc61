import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { UserEmail, type User, type UserState } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeToken, makeUser } from '../support/factories.js';
import { picture } from '../support/images.js';
import { makeGroup, makeMember, makeProject } from '../support/project-factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

type Attributes = NonNullable<Parameters<typeof makeToken>[2]>;

function makeOAuthToken(user: { id: number }, attributes: Attributes = {}): Promise<string> {
  return makeToken(app, user, { kind: 'oauth', scopes: ['openid'], ...attributes });
}

function userinfo(token: string): Test {
  return request(app.url).get('/oauth/userinfo').set('Authorization', `Bearer ${token}`);
}

function challenge(description: string): string {
  return `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${description}"`;
}

describe('GET /oauth/userinfo', () => {
  it('tells who the user is and leaves empty claims out', async () => {
    const user = await makeUser(app);
    const { body, headers } = await userinfo(await makeOAuthToken(user)).expect(200);
    expect(body).toEqual({
      sub: String(user.id),
      sub_legacy: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: user.name,
      nickname: user.username,
      preferred_username: user.username,
      profile: `${app.url}/${user.username}`,
      groups: [],
    });
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toBe('application/json');
  });

  it('names groups, those below them, and roles under the address of the instance', async () => {
    const user = await makeUser(app, { websiteUrl: 'https://ada.example' });
    const owned = await makeGroup(app);
    const below = await makeGroup(app, { parentId: owned.id });
    const [maintained, developed, visited, left] = await Promise.all([
      makeGroup(app),
      makeGroup(app),
      makeGroup(app),
      makeGroup(app),
    ]);
    await makeMember(app, { group: owned, user, role: 'owner' });
    await makeMember(app, { group: maintained, user, role: 'maintainer' });
    await makeMember(app, { group: developed, user, role: 'developer' });
    await makeMember(app, { group: visited, user, role: 'guest' });
    await makeMember(app, { group: left, user, role: 'owner', expiresAt: '2020-01-01' });
    const project = await makeProject(app, { namespaceId: left.id });
    await makeMember(app, { project, user, role: 'owner' });
    const { body } = await userinfo(await makeOAuthToken(user)).expect(200);
    const groups = [owned, below, maintained, developed, visited].map(({ fullPath }) => fullPath);
    expect(body.groups.sort()).toEqual(groups.sort());
    expect(body).toMatchObject({
      website: 'https://ada.example',
      [`${app.url}/claims/groups/owner`]: [owned.fullPath],
      [`${app.url}/claims/groups/maintainer`]: [maintained.fullPath],
      [`${app.url}/claims/groups/developer`]: [developed.fullPath],
    });
  });

  it('names the avatar of who has one', async () => {
    const actor = await makeActor(app);
    const { body: uploaded } = await actor.api
      .put('/user/avatar')
      .attach('avatar', await picture(), 'me.png')
      .expect(200);
    const { body } = await userinfo(await makeOAuthToken(actor.user)).expect(200);
    expect(body.picture).toBe(uploaded.avatar_url);
  });

  it('answers the same to POST, with the token in the header or in the form', async () => {
    const token = await makeOAuthToken(await makeUser(app));
    const { body } = await userinfo(token).expect(200);
    const path = '/oauth/userinfo';
    const byHeader = request(app.url).post(path).set('Authorization', `Bearer ${token}`);
    const byForm = request(app.url).post(path).type('form').send({ access_token: token });
    expect((await byHeader.expect(200)).body).toEqual(body);
    expect((await byForm.expect(200)).body).toEqual(body);
  });
});

describe('the e-mail claims', () => {
  async function claims(attributes: Partial<User>, scopes: Attributes['scopes']) {
    const user = await makeUser(app, attributes);
    const { body } = await userinfo(await makeOAuthToken(user, { scopes })).expect(200);
    return { user, email: body.email, verified: body.email_verified };
  }

  it('are about the primary address with the scope email', async () => {
    const { user, email, verified } = await claims({ publicEmail: 'shown@example.com' }, [
      'openid',
      'email',
    ]);
    expect([email, verified]).toEqual([user.email, true]);
  });

  it('are about the public address without that scope, verified only when it was proven', async () => {
    const shown = await claims({ publicEmail: 'claimed@example.com' }, ['openid']);
    expect([shown.email, shown.verified]).toEqual(['claimed@example.com', false]);
    const values = { userId: shown.user.id, email: 'Claimed@example.com', confirmedAt: new Date() };
    await app.dataSource.manager.insert(UserEmail, values);
    const { body } = await userinfo(await makeOAuthToken(shown.user)).expect(200);
    expect(body).toMatchObject({ email: 'claimed@example.com', email_verified: true });
  });

  it('count the public address as proven when it is the confirmed primary one', async () => {
    const address = { email: 'both@example.com', publicEmail: 'BOTH@example.com' };
    const { email, verified } = await claims(address, ['openid']);
    expect([email, verified]).toEqual(['BOTH@example.com', true]);
  });
});

describe('a refusal of /oauth/userinfo', () => {
  async function expectRefusal(asked: Test, status: number, description?: string) {
    const { text, headers } = await asked.expect(status);
    expect(text).toBe('');
    const header = headers['www-authenticate'];
    expect(header).toBe(description === undefined ? undefined : challenge(description));
  }

  it('is an empty 401 with a challenge for no token, an unknown one and one of another kind', async () => {
    const personal = await makeToken(app, await makeUser(app));
    const nobody = request(app.url).get('/oauth/userinfo');
    await expectRefusal(nobody, 401, 'The access token is invalid');
    await expectRefusal(userinfo('0'.repeat(64)), 401, 'The access token is invalid');
    await expectRefusal(userinfo(personal), 401, 'The access token is invalid');
    const list = request(app.url)
      .post('/oauth/userinfo')
      .send({ access_token: ['a'] });
    await expectRefusal(list, 401, 'The access token is invalid');
  });

  it('tells expired and revoked tokens apart', async () => {
    const user = await makeUser(app);
    const past = new Date(Date.now() - 1_000);
    const expired = await makeOAuthToken(user, { expiresAt: past });
    await expectRefusal(userinfo(expired), 401, 'The access token expired');
    const revoked = await makeOAuthToken(user, { revokedAt: past, expiresAt: past });
    await expectRefusal(userinfo(revoked), 401, 'The access token was revoked');
  });

  it('is an empty 403 without the scope openid', async () => {
    const token = await makeOAuthToken(await makeUser(app), { scopes: ['api', 'email'] });
    await expectRefusal(userinfo(token), 403);
  });

  it.each<UserState>(['blocked', 'banned', 'deactivated', 'pending'])(
    'is an empty 403 for a user who is %s',
    async (state) => {
      const token = await makeOAuthToken(await makeUser(app, { state }));
      await expectRefusal(userinfo(token), 403);
    },
  );

  it('is an empty 403 for a user who has not confirmed any address', async () => {
    const token = await makeOAuthToken(await makeUser(app, { confirmedAt: null }));
    await expectRefusal(userinfo(token), 403);
  });

  it('is 400 for two tokens at once', async () => {
    const token = await makeOAuthToken(await makeUser(app));
    const { body } = await userinfo(token).query({ access_token: token }).expect(400);
    expect(body.error).toBe('invalid_request');
  });
});
