import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken, makeUser, type MadeUser } from '../support/factories.js';
import {
  clientFields,
  makeApplication,
  makeOAuthTokens,
  postRefresh,
  randomHex,
  type MadeApplication,
  type TokenBody,
} from '../support/oauth-factories.js';

let app: TestApp;
let user: MadeUser;
let client: MadeApplication;
let tokens: TokenBody;
beforeAll(async () => {
  app = await sharedTestApp();
  user = await makeUser(app);
  client = await makeApplication(app);
  tokens = await makeOAuthTokens(app, { application: client, user, scopes: ['api', 'openid'] });
});

const introspect = (fields: Record<string, string>): Test =>
  request(app.url).post('/oauth/introspect').type('form').send(fields);

describe('POST /oauth/introspect', () => {
  it('tells the client about its access token', async () => {
    const fields = { token: tokens.access_token, ...clientFields(client) };
    const { body } = await introspect(fields).expect(200);
    expect(body).toEqual({
      active: true,
      scope: 'api openid',
      client_id: client.uid,
      token_type: 'bearer',
      exp: tokens.created_at + 7_200,
      iat: tokens.created_at,
    });
  });

  it('tells the client about its refresh token', async () => {
    const fields = { token: tokens.refresh_token, ...clientFields(client) };
    const { body } = await introspect(fields).expect(200);
    expect(body).toEqual({
      active: true,
      scope: 'api openid',
      client_id: client.uid,
      exp: tokens.created_at + 90 * 86_400,
      iat: tokens.created_at,
    });
  });

  it('takes another access token of the same application in place of its secret', async () => {
    const other = await makeOAuthTokens(app, { application: client, user });
    const { body } = await introspect({ token: tokens.access_token })
      .auth(other.access_token, { type: 'bearer' })
      .expect(200);
    expect(body).toMatchObject({ active: true });
  });

  it.each([
    ['an unknown token', () => Promise.resolve(randomHex())],
    ['no token', () => Promise.resolve('')],
    ['a personal token', () => makeToken(app, user)],
    ['the token of another application', () => foreignToken()],
    ['a token that a refresh has replaced', () => replacedToken()],
  ])('answers 200 and nothing else for %s', async (_, make) => {
    const fields = { token: await make(), ...clientFields(client) };
    const { body } = await introspect(fields).expect(200);
    expect(body).toEqual({ active: false });
  });

  it('answers 400 to who does not say who it is', async () => {
    const { body } = await introspect({ token: tokens.access_token }).expect(400);
    expect(body).toEqual({
      error: 'invalid_request',
      error_description:
        'Request need to be authorized. Required parameter for authorizing request is missing or invalid.',
    });
  });

  it('answers 401 for wrong credentials', async () => {
    const fields = { token: tokens.access_token, client_id: client.uid, client_secret: 'no' };
    const { body } = await introspect(fields).expect(401);
    expect(body).toMatchObject({ error: 'invalid_client' });
  });

  it('answers 401 for a bearer token that is unknown, or the one in question', async () => {
    const { access_token: token } = tokens;
    for (const bearer of [randomHex(), token]) {
      const answer = introspect({ token }).auth(bearer, { type: 'bearer' });
      const { body } = await answer.expect(401);
      expect(body).toEqual({
        error: 'invalid_token',
        error_description: 'The access token is invalid',
      });
    }
  });
});

async function foreignToken(): Promise<string> {
  const application = await makeApplication(app);
  return (await makeOAuthTokens(app, { application, user })).access_token;
}

async function replacedToken(): Promise<string> {
  const old = await makeOAuthTokens(app, { application: client, user });
  await postRefresh(app, client, old.refresh_token).expect(200);
  return old.access_token;
}
