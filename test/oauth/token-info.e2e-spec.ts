import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken, makeUser, type MadeUser } from '../support/factories.js';
import {
  clientFields,
  makeApplication,
  makeOAuthTokens,
  postToken,
  randomHex,
  type MadeApplication,
  type TokenBody,
} from '../support/oauth-factories.js';

const REFUSED = {
  error: 'invalid_request',
  error_description:
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
};

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

const info = (query: object = {}): Test => request(app.url).get('/oauth/token/info').query(query);

describe('GET /oauth/token/info', () => {
  it('tells about the token in the bearer header', async () => {
    const { status, body, headers } = await info().auth(tokens.access_token, { type: 'bearer' });
    expect(status).toBe(200);
    const left = (body as { expires_in: number }).expires_in;
    expect(left).toBeGreaterThan(7_190);
    expect(left).toBeLessThanOrEqual(7_200);
    expect(body).toEqual({
      resource_owner_id: user.id,
      scope: ['api', 'openid'],
      expires_in: left,
      application: { uid: client.uid },
      created_at: tokens.created_at,
      scopes: ['api', 'openid'],
      expires_in_seconds: left,
    });
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
  });

  it.each(['access_token', 'bearer_token'])('takes the token as %s', async (name) => {
    const { body } = await info({ [name]: tokens.access_token }).expect(200);
    expect(body).toMatchObject({ resource_owner_id: user.id });
  });

  it('tells about the token of an application by itself', async () => {
    const fields = { grant_type: 'client_credentials', ...clientFields(client) };
    const { body } = await postToken(app, fields).expect(200);
    const { access_token: token } = body as TokenBody;
    const answer = await info({ access_token: token }).expect(200);
    expect(answer.body).toMatchObject({
      resource_owner_id: null,
      application: { uid: client.uid },
      scope: ['api'],
    });
  });

  it('names no application of a token that was issued without one', async () => {
    const other = await makeOAuthTokens(app, { application: client, user });
    await app.dataSource.query(
      'UPDATE access_tokens SET application_id = NULL WHERE id = (SELECT max(id) FROM access_tokens)',
    );
    const { body } = await info({ access_token: other.access_token }).expect(200);
    expect(body).toMatchObject({ application: { uid: null } });
  });

  it.each([
    ['without a token', () => Promise.resolve('')],
    ['for an unknown token', () => Promise.resolve(randomHex())],
    ['for a personal token', () => makeToken(app, user)],
    ['for a refresh token', () => Promise.resolve(tokens.refresh_token)],
    ['for an expired token', () => spoiled(`expires_at = now() - interval '1 second'`)],
    ['for a revoked token', () => spoiled('revoked_at = now()')],
    ['for the token of a blocked user', () => tokenOfBlockedUser()],
  ])('answers 401 %s', async (_, make) => {
    const { body, headers } = await info({ access_token: await make() }).expect(401);
    expect(body).toEqual(REFUSED);
    expect(headers['www-authenticate']).toMatch(/^Bearer .*error="invalid_request"/);
  });

  it('refuses a token in two places', async () => {
    const { access_token: token } = tokens;
    const answer = await info({ access_token: token }).auth(token, { type: 'bearer' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: 'invalid_request' });
  });
});

async function spoiled(assignment: string): Promise<string> {
  const { access_token: token } = await makeOAuthTokens(app, { application: client, user });
  const newest = 'SELECT max(id) FROM access_tokens';
  await app.dataSource.query(`UPDATE access_tokens SET ${assignment} WHERE id = (${newest})`);
  return token;
}

async function tokenOfBlockedUser(): Promise<string> {
  const other = await makeUser(app);
  const made = await makeOAuthTokens(app, { application: client, user: other });
  await app.dataSource.query(`UPDATE users SET state = 'blocked' WHERE id = $1`, [other.id]);
  return made.access_token;
}
