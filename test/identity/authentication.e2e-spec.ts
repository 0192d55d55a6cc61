import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { Scope } from '../../src/core/access/scopes.js';
import { api, type ApiClient } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken, makeUser, type MadeUser } from '../support/factories.js';

const UNAUTHORIZED = { message: '401 Unauthorized' };
const HIGHER_PRIVILEGES =
  'The request requires higher privileges than provided by the access token.';

let app: TestApp;
let user: MadeUser;
beforeAll(async () => {
  app = await sharedTestApp();
  user = await makeUser(app);
});

async function clientWith(...scopes: Scope[]): Promise<ApiClient> {
  return api(app.url, await makeToken(app, user, { scopes }));
}

function insufficient(scope: string): object {
  return { error: 'insufficient_scope', error_description: HIGHER_PRIVILEGES, scope };
}

describe('a request that is not authenticated', () => {
  it('learns nothing but 401 from the current user, and no way to authenticate', async () => {
    const { body, headers } = await api(app.url).get('/user').expect(401);
    expect(body).toEqual(UNAUTHORIZED);
    expect(headers).not.toHaveProperty('www-authenticate');
  });

  it('is 401 with an unknown token, though the list of projects is public', async () => {
    const { body, headers } = await api(app.url, 'bad').get('/projects').expect(401);
    expect(body).toEqual(UNAUTHORIZED);
    expect(headers).not.toHaveProperty('www-authenticate');
    await api(app.url).get('/projects').expect(200);
  });

  it('learns that its token has expired, in the body and for clients of RFC 6750', async () => {
    const token = await makeToken(app, user, { expiresAt: new Date(0) });
    const { body, headers } = await api(app.url, token).get('/user').expect(401);
    const description = 'Token is expired. You can either do re-authorization or token refresh.';
    expect(body).toEqual({ error: 'invalid_token', error_description: description });
    expect(headers['www-authenticate']).toBe(
      `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${description}"`,
    );
  });

  it('is 400 when it presents a token both as bearer and as parameter', async () => {
    const token = await makeToken(app, user);
    const { body } = await request(app.url)
      .get(`/api/v4/user?access_token=${token}`)
      .set('Authorization', `Bearer ${token}`)
      .expect(400);
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: 'Both Authorization header and payload includes access token.',
    });
  });
});

describe('the scopes of a token', () => {
  it('keep read_api from creating a project and name what would do', async () => {
    const reader = await clientWith('read_api');
    const { body } = await reader.post('/projects', { name: 'Unwritten' }).expect(403);
    expect(body).toEqual(insufficient('api read_api'));
  });

  it.each(['/user', '/users', '/version', '/metadata'])('open %s to read_user', async (path) => {
    await (await clientWith('read_user')).get(path).expect(200);
  });

  it.each(['/user', '/users', '/version', '/metadata'])(
    'close %s to read_repository and name read_user first',
    async (path) => {
      const { body } = await (await clientWith('read_repository')).get(path).expect(403);
      expect(body).toEqual(insufficient('read_user api read_api'));
    },
  );

  it('are not widened by being public: read_user does not open the list of projects', async () => {
    const { body } = await (await clientWith('read_user')).get('/projects').expect(403);
    expect(body).toEqual(insufficient('api read_api'));
  });
});

describe('the token of a blocked user', () => {
  it('is refused with the reason on public endpoints', async () => {
    const blocked = await makeUser(app, { state: 'blocked' });
    const client = api(app.url, await makeToken(app, blocked));
    const { body } = await client.get('/projects').expect(403);
    expect(body).toEqual({ message: '403 Forbidden - Your account has been blocked.' });
  });
});
