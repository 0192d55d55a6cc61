import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { Scope } from '../../../src/core/access/scopes.js';
import { basic, makeProject, raw } from '../../git-http/world.js';
import { api } from '../../support/api-client.js';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import { authorizePath, paramsOf } from '../../support/authorization.js';
import { makeUser, type MadeUser } from '../../support/factories.js';
import {
  CALLBACK,
  clientFields,
  makeApplication,
  makeGrant,
  makeOAuthTokens,
  postToken,
  randomHex,
  type MadeApplication,
  type TokenBody,
} from '../../support/oauth-factories.js';
import { signedIn } from '../../support/page-client.js';
import { exchange, getAs, postForm } from './attacker.js';

let app: TestApp;
let user: MadeUser;
let client: MadeApplication;
let native: MadeApplication;
beforeAll(async () => {
  app = await sharedTestApp();
  user = await makeUser(app);
  client = await makeApplication(app, {
    scopes: ['api', 'read_user', 'read_repository', 'openid'],
  });
  native = await makeApplication(app, { confidential: false });
});

describe('a token of another user', () => {
  it.each([
    ['a confidential client', () => client],
    ['a public client', () => native],
  ] as const)('lives on when another application revokes it that came from %s', async (_, of) => {
    const tokens = await makeOAuthTokens(app, { application: of(), user });
    const stranger = await makeApplication(app);
    const strangers: Record<string, string>[] = [
      clientFields(stranger),
      { client_id: (await makeApplication(app, { confidential: false })).uid },
      {},
    ];
    for (const half of [tokens.access_token, tokens.refresh_token]) {
      for (const fields of strangers) {
        await postForm(app, '/oauth/revoke', { token: half, ...fields }).expect(403);
      }
    }
    await getAs(app, tokens.access_token).expect(200);
  });

  it('is not revealed to another application', async () => {
    const tokens = await makeOAuthTokens(app, { application: client, user });
    const stranger = await makeApplication(app);
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const fields = { token, ...clientFields(stranger) };
      const { body } = await postForm(app, '/oauth/introspect', fields).expect(200);
      expect(body).toEqual({ active: false });
    }
  });
});

describe('a token that was made for something else', () => {
  it('is refused by the API: from another issuer, as an id_token, as a refresh token', async () => {
    const scopes = ['api', 'openid'];
    const tokens = await makeOAuthTokens(app, { application: client, user, scopes });
    const payload = (tokens.id_token ?? '').split('.')[1] ?? '';
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const foreign = [tokens.id_token ?? '', unsigned, tokens.refresh_token, randomHex()];
    for (const token of foreign) {
      for (const path of ['/api/v4/user', '/oauth/userinfo', '/oauth/token/info']) {
        await getAs(app, token, path).expect(401);
      }
    }
  });

  it('opens no repository, no write and no other user beyond its scope', async () => {
    const project = await makeProject(app);
    const tokenOf = async (scope: Scope) =>
      (await makeOAuthTokens(app, { application: client, user: project.owner, scopes: [scope] }))
        .access_token;
    const discover = async (service: string, token: string) => {
      const path = `/${project.fullPath}.git/info/refs?service=git-${service}-pack`;
      return (await raw(app, path, { headers: { Authorization: basic(token, 'oauth2') } })).status;
    };
    const [readUser, openid] = [await tokenOf('read_user'), await tokenOf('openid')];
    expect(await discover('upload', readUser)).toBe(403);
    expect(await discover('upload', openid)).toBe(403);
    expect(await discover('receive', await tokenOf('read_repository'))).toBe(403);
    await getAs(app, readUser, '/oauth/userinfo').expect(403);
    await getAs(app, openid).expect(403);
    const write = api(app.url).post('/snippets', { title: 'x' });
    await write.set('Authorization', `Bearer ${readUser}`).expect(403);
    const admin = await makeUser(app, { admin: true });
    const apiOnly = await makeOAuthTokens(app, { application: client, user: admin });
    await getAs(app, apiOnly.access_token).set('Sudo', user.username).expect(403);
  });

  it('of client credentials has no user, even if a user has its name', async () => {
    const namesake = await makeUser(app, { username: client.uid });
    const fields = { grant_type: 'client_credentials', scope: 'api openid' };
    const { body } = await postToken(app, { ...fields, ...clientFields(client) }).expect(200);
    const { access_token: token, id_token: idToken } = body as TokenBody;
    expect(idToken).toBeUndefined();
    expect(namesake.username).toBe(client.uid);
    for (const path of ['/api/v4/user', '/oauth/userinfo'])
      await getAs(app, token, path).expect(401);
    const info = await getAs(app, token, '/oauth/token/info').expect(200);
    expect(info.body.resource_owner_id).toBeNull();
  });
});

describe('an application that asks for more than it was registered with', () => {
  it.each(['sudo', 'read_user sudo', 'email everything'])(
    'gets invalid_scope: %s',
    async (scope) => {
      const pages = await signedIn(app, user);
      const answer = await pages.get(authorizePath(client, { scope })).expect(302);
      const params = paramsOf(answer.headers['location']);
      expect(params.get('error')).toBe('invalid_scope');
      expect(params.get('error_description')).toContain(scope.split(' ').at(-1));
      const grants: Record<string, string>[] = [
        { grant_type: 'client_credentials' },
        { grant_type: 'password', username: user.username, password: 'x' },
      ];
      for (const fields of grants) {
        const { body } = await postToken(app, { ...fields, scope, ...clientFields(client) });
        expect(body).toMatchObject({ error: 'invalid_scope' });
      }
    },
  );

  it('gets no more by asking for it when it exchanges the code', async () => {
    const code = await makeGrant(app, { application: client, user, scopes: ['read_user'] });
    const { body } = await exchange(app, client, { code, scope: 'api' }).expect(200);
    expect(body).toMatchObject({ scope: 'read_user' });
  });
});

describe('a secret in an address', () => {
  const query = () => new URLSearchParams(clientFields(client)).toString();

  it.each(['/oauth/token', '/oauth/revoke', '/oauth/introspect'])(
    'does not count at %s, by GET or by POST',
    async (path) => {
      const { access_token: token } = await makeOAuthTokens(app, { application: client, user });
      const fields = { token, grant_type: 'client_credentials' };
      const rest = new URLSearchParams(fields).toString();
      const got = await request(app.url).get(`${path}?${query()}&${rest}`);
      expect([404, 405]).toContain(got.status);
      const posted = await postForm(app, `${path}?${query()}`, fields).expect(400);
      expect(posted.body).toMatchObject({ error: 'invalid_request' });
      await getAs(app, token).expect(200);
    },
  );
});

describe('a request for a token that can be read in two ways', () => {
  const send = (type: string, body: string) =>
    request(app.url).post('/oauth/token').set('Content-Type', type).send(body);
  const FORM = 'application/x-www-form-urlencoded';

  it.each([
    ['twice the client', FORM, 'client_id=other&client_id='],
    ['twice the type of grant', FORM, 'grant_type=client_credentials&grant_type=password'],
    ['twice the same under an encoded name', FORM, 'scope=api&scop%65=api'],
    ['a list', FORM, 'scope[]=api'],
    ['a list beside a text', FORM, 'scope=api&scope[]=openid'],
    ['a list in JSON', 'application/json', '{"scope":["api"]}'],
    ['a hash in JSON', 'application/json', '{"scope":{"api":true}}'],
    ['a JSON list', 'application/json', '[{"scope":"api"}]'],
    ['a name twice in JSON', 'application/json', '{"scope":"read_user","scope":"api"}'],
    ['broken JSON', 'application/json', '{"scope":"api"'],
    ['JSON that says it is a form', FORM, '{"scope":"api"}'],
  ])('is refused with %s', async (_, type, extra) => {
    const fields = new URLSearchParams({
      grant_type: 'client_credentials',
      ...clientFields(client),
    });
    const isJsonObject = type !== FORM && extra.startsWith('{');
    const json = JSON.stringify(Object.fromEntries(fields));
    const joined = isJsonObject ? `${json.slice(0, -1)},${extra.slice(1)}` : extra;
    const isForm = type === FORM && !extra.startsWith('{');
    const { body } = await send(type, isForm ? `${fields.toString()}&${extra}` : joined).expect(
      400,
    );
    expect(body).toMatchObject({ error: 'invalid_request' });
    expect(body).not.toHaveProperty('access_token');
  });

  it.each(['text/plain', 'application/xml', 'text/html', `${FORM}; charset=utf-16`])(
    'is refused as %s, which pages of other sites can send',
    async (type) => {
      const form = new URLSearchParams({ grant_type: 'client_credentials' }).toString();
      const { body } = await send(type, form).expect(415);
      expect(body).toMatchObject({ error: 'invalid_request' });
    },
  );

  it('is refused with two clients', async () => {
    const code = await makeGrant(app, { application: client, user });
    const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    const { body } = await postToken(app, { ...fields, client_id: native.uid })
      .auth(client.uid, client.secret)
      .expect(400);
    expect(body).toMatchObject({ error: 'invalid_request' });
  });
});
