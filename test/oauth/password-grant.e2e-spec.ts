import { beforeAll, describe, expect, it } from '@jest/globals';
import { hashPassword } from '../../src/core/passwords.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import {
  makeApplication,
  postToken,
  randomHex,
  type MadeApplication,
  type TokenBody,
} from '../support/oauth-factories.js';
import { changeSettings } from '../support/settings.js';

const PASSWORD = 'correct horse battery staple';

let app: TestApp;
let passwordDigest: string;
let user: MadeUser;
let client: MadeApplication;
beforeAll(async () => {
  app = await sharedTestApp();
  passwordDigest = await hashPassword(PASSWORD);
  user = await makeUser(app, { passwordDigest });
  client = await makeApplication(app);
});

const signIn = (fields: Record<string, string> = {}) =>
  postToken(app, {
    grant_type: 'password',
    username: user.username,
    password: PASSWORD,
    ...fields,
  });

const INVALID_GRANT = expect.objectContaining({ error: 'invalid_grant' });

describe('POST /oauth/token with a password', () => {
  it('answers a client that is not registered with tokens for the whole API', async () => {
    const { status, body } = await signIn();
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      scope: 'api',
      created_at: expect.any(Number),
      refresh_expires_in: 90 * 86_400,
    });
    const { access_token: token } = body as TokenBody;
    const me = await api(app.url).get('/user').auth(token, { type: 'bearer' }).expect(200);
    expect(me.body).toMatchObject({ id: user.id });
  });

  it('takes the e-mail address in any case, and a client by HTTP Basic', async () => {
    await signIn({ username: user.email.toUpperCase() })
      .auth(client.uid, client.secret)
      .expect(200);
  });

  it('gives the scopes that are asked for', async () => {
    const { body } = await signIn({ scope: 'read_user read_repository' }).expect(200);
    expect(body).toMatchObject({ scope: 'read_user read_repository' });
  });

  it('refreshes a token that was issued without a client', async () => {
    const { body } = await signIn().expect(200);
    const { refresh_token: token } = body as TokenBody;
    const fields = { grant_type: 'refresh_token', refresh_token: token };
    await postToken(app, fields).expect(200);
    await postToken(app, fields).expect(400);
  });

  it.each(['username', 'password'])('answers 400 without %s', async (name) => {
    const { body } = await signIn({ [name]: '' }).expect(400);
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: `Missing required parameter: ${name}.`,
    });
  });

  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown user', { username: 'nobody-at-all' }],
  ])('answers 400 for %s, in the same words', async (_, fields) => {
    const { body } = await signIn(fields).expect(400);
    expect(body).toEqual({
      error: 'invalid_grant',
      error_description: expect.stringContaining('The provided authorization grant is invalid'),
    });
  });

  it.each([
    { state: 'blocked' as const },
    { state: 'deactivated' as const },
    { state: 'pending' as const },
    { confirmedAt: null },
  ])('answers 400 for a user who is %j', async (attributes) => {
    const { username } = await makeUser(app, { passwordDigest, ...attributes });
    expect((await signIn({ username }).expect(400)).body).toEqual(INVALID_GRANT);
  });

  it('locks the account after too many tries', async () => {
    const { username } = await makeUser(app, { passwordDigest });
    await changeSettings(app, { max_login_attempts: 3 });
    for (let times = 0; times < 3; times++) {
      await signIn({ username, password: 'wrong' }).expect(400);
    }
    expect((await signIn({ username }).expect(400)).body).toEqual(INVALID_GRANT);
    await changeSettings(app, { max_login_attempts: 10 });
  });

  it.each([
    ['a wrong secret', () => [client.uid, 'wrong'] as const],
    ['an unknown client', () => [randomHex(), client.secret] as const],
  ])('answers 401 for %s', async (_, credentials) => {
    const { body } = await signIn()
      .auth(...credentials())
      .expect(401);
    expect(body).toMatchObject({ error: 'invalid_client' });
  });

  it('answers 401 without client where administrators want one', async () => {
    await changeSettings(app, { ropc_without_client_credentials: false });
    const { body } = await signIn().expect(401);
    expect(body).toMatchObject({ error: 'invalid_client' });
    await signIn().auth(client.uid, client.secret).expect(200);
    await changeSettings(app, { ropc_without_client_credentials: true });
  });

  it.each([
    ['api sudo', ': sudo (not allowed for this application)'],
    ['sudo everything', ': sudo (not allowed for this application), everything (unknown)'],
    ['api\tread_user', ''],
    ['"quoted"', ''],
  ])('rejects the scope %j with the reason', async (scope, why) => {
    const answer = await signIn({ scope }).auth(client.uid, client.secret).expect(400);
    const error_description = `The requested scope is invalid, unknown, or malformed${why}.`;
    expect(answer.body).toEqual({ error: 'invalid_scope', error_description });
  });

  it('gives the scopes of administrators to them only', async () => {
    const { body } = await signIn({ scope: 'sudo' }).expect(400);
    expect(body).toMatchObject({
      error: 'invalid_scope',
      error_description: expect.stringContaining(': sudo (administrators only).'),
    });
    const admin = await makeUser(app, { passwordDigest, admin: true });
    await signIn({ username: admin.username, scope: 'api sudo' }).expect(200);
  });
});
