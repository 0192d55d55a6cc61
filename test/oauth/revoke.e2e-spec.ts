import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { api } from '../support/api-client.js';
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

const FORBIDDEN = {
  error: 'unauthorized_client',
  error_description: 'You are not authorized to revoke this token',
};

let app: TestApp;
let user: MadeUser;
let client: MadeApplication;
let publicClient: MadeApplication;
beforeAll(async () => {
  app = await sharedTestApp();
  user = await makeUser(app);
  client = await makeApplication(app);
  publicClient = await makeApplication(app, { confidential: false });
});

const revoke = (fields: Record<string, string>): Test =>
  request(app.url).post('/oauth/revoke').type('form').send(fields);

const asBearer = (token: string) => api(app.url).get('/user').auth(token, { type: 'bearer' });

const makeTokens = (application = client): Promise<TokenBody> =>
  makeOAuthTokens(app, { application, user });

describe('POST /oauth/revoke', () => {
  it.each(['access_token', 'refresh_token'] as const)(
    'ends both halves of a pair by its %s',
    async (half) => {
      const tokens = await makeTokens();
      await asBearer(tokens.access_token).expect(200);
      const { status, body } = await revoke({ token: tokens[half], ...clientFields(client) });
      expect({ status, body }).toEqual({ status: 200, body: {} });
      await asBearer(tokens.access_token).expect(401);
      const refused = await postRefresh(app, client, tokens.refresh_token).expect(400);
      expect(refused.body).toMatchObject({ error: 'invalid_grant' });
    },
  );

  it.each(['access_token', 'refresh_token', 'nonsense'])(
    'finds the token whatever the hint %s says',
    async (hint) => {
      const tokens = await makeTokens();
      const fields = { token: tokens.access_token, token_type_hint: hint };
      await revoke({ ...fields, ...clientFields(client) }).expect(200);
      await asBearer(tokens.access_token).expect(401);
    },
  );

  it('takes the client by HTTP Basic, and a public one by its client_id', async () => {
    const tokens = await makeTokens();
    await revoke({ token: tokens.access_token }).auth(client.uid, client.secret).expect(200);
    await asBearer(tokens.access_token).expect(401);
    const others = await makeTokens(publicClient);
    await revoke({ token: others.refresh_token, client_id: publicClient.uid }).expect(200);
    await asBearer(others.access_token).expect(401);
  });

  it('answers 200 for a token that is unknown, missing, or ended already', async () => {
    const tokens = await makeTokens();
    const fields = clientFields(client);
    await revoke({ ...fields, token: randomHex() }).expect(200, {});
    await revoke(fields).expect(200, {});
    await revoke({ ...fields, token: tokens.access_token }).expect(200, {});
    await revoke({ ...fields, token: tokens.access_token }).expect(200, {});
  });

  it.each([
    ['no client', () => ({})],
    ['a wrong secret', () => ({ client_id: client.uid, client_secret: 'wrong' })],
    ['a confidential client without secret', () => ({ client_id: client.uid })],
    ['an unknown client', () => ({ client_id: randomHex() })],
  ])('answers 403 for %s, and the token lives on', async (_, fields) => {
    const { access_token: token } = await makeTokens();
    const { body } = await revoke({ token, ...fields() }).expect(403);
    expect(body).toEqual(FORBIDDEN);
    await asBearer(token).expect(200);
  });

  it('answers 403 for the token of another client, confidential or public', async () => {
    const mine = await makeTokens();
    const attempts = [
      { token: mine.access_token, ...clientFields(await makeApplication(app)) },
      { token: mine.refresh_token, client_id: publicClient.uid },
    ];
    for (const fields of attempts) {
      const { body } = await revoke(fields).expect(403);
      expect(body).toEqual(FORBIDDEN);
    }
    await asBearer(mine.access_token).expect(200);
  });

  it('does not end the token of a public client for another public client', async () => {
    const other = await makeApplication(app, { confidential: false });
    const tokens = await makeTokens(other);
    await revoke({ token: tokens.access_token, client_id: publicClient.uid }).expect(403);
    await asBearer(tokens.access_token).expect(200);
  });

  it('ends the whole chain by a refresh token that was replaced', async () => {
    const old = await makeTokens();
    const { body } = await postRefresh(app, client, old.refresh_token).expect(200);
    await revoke({ token: old.refresh_token, ...clientFields(client) }).expect(200);
    await asBearer((body as TokenBody).access_token).expect(401);
  });

  it('leaves the chain alone by an access token that was replaced', async () => {
    const old = await makeTokens();
    const { body } = await postRefresh(app, client, old.refresh_token).expect(200);
    await revoke({ token: old.access_token, ...clientFields(client) }).expect(200);
    await asBearer((body as TokenBody).access_token).expect(200);
  });

  it('does not touch tokens that people made', async () => {
    const token = await makeToken(app, user);
    await revoke({ token, ...clientFields(client) }).expect(200, {});
    await asBearer(token).expect(200);
  });
});
