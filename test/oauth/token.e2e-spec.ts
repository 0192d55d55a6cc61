import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { challengeOf } from '../../src/oauth/grants/grant.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser, tokenRow, type MadeUser } from '../support/factories.js';
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
} from '../support/oauth-factories.js';

const INVALID_GRANT = {
  error: 'invalid_grant',
  error_description:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
};
const INVALID_CLIENT = {
  error: 'invalid_client',
  error_description:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
};
const VERIFIER = 'v'.repeat(20) + '-._~' + 'V'.repeat(23);

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

const codeFields = (code: string): Record<string, string> => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: CALLBACK,
});

const pkce = { codeChallenge: challengeOf(VERIFIER) };

describe('POST /oauth/token', () => {
  it('returns 400 with an uncacheable challenge for an empty request', async () => {
    const response = await request(app.url).post('/oauth/token').expect(400);
    const { body, headers } = response;
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: 'Missing required parameter: grant_type.',
    });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      pragma: 'no-cache',
      'www-authenticate':
        'Bearer realm="Protected by OAuth 2.0", error="invalid_request", error_description="Missing required parameter: grant_type."',
    });
  });

  it('answers 400 for a grant type that it does not know', async () => {
    const { body } = await postToken(app, { grant_type: 'implicit' }).expect(400);
    expect(body).toEqual({
      error: 'unsupported_grant_type',
      error_description:
        'The authorization grant type is not supported by the authorization server.',
    });
  });

  it.each([
    ['a parameter that comes twice', 'grant_type=password&grant_type=password&username=u'],
    ['a list in place of a text', 'grant_type[]=password'],
    ['a hash in place of a text', 'grant_type=password&username[a]=b&password=c'],
    ['a parameter that is too long', `grant_type=${'x'.repeat(2_049)}`],
  ])('refuses %s', async (_, form) => {
    const { body } = await request(app.url)
      .post('/oauth/token')
      .type('form')
      .send(form)
      .expect(400);
    expect(body).toMatchObject({ error: 'invalid_request' });
  });

  it.each(['client_secret', 'code', 'password', 'refresh_token'])(
    'refuses %s in the address, where it would be logged',
    async (name) => {
      const { body } = await request(app.url)
        .post(`/oauth/token?${name}=x`)
        .type('form')
        .send({ grant_type: 'password' })
        .expect(400);
      expect(body).toMatchObject({ error: 'invalid_request' });
    },
  );

  it('refuses a body of another type', async () => {
    const { body } = await request(app.url)
      .post('/oauth/token')
      .type('text/plain')
      .send('grant_type=password')
      .expect(415);
    expect(body).toMatchObject({ error: 'invalid_request' });
  });

  it('takes a JSON object of texts like a form, and no other JSON', async () => {
    const code = await makeGrant(app, { application: client, user });
    const fields = { ...codeFields(code), ...clientFields(client) };
    await request(app.url)
      .post('/oauth/token')
      .send({ ...fields, code: [code] })
      .expect(400);
    await request(app.url).post('/oauth/token').send([fields]).expect(400);
    await request(app.url).post('/oauth/token').send(fields).expect(200);
  });
});

describe('POST /oauth/token with a code', () => {
  it('returns uncacheable tokens', async () => {
    const code = await makeGrant(app, { application: client, user, scopes: ['api', 'read_user'] });
    const response = await postToken(app, { ...codeFields(code), ...clientFields(client) });
    const { status, body, headers } = response;
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      scope: 'api read_user',
      created_at: expect.any(Number),
      refresh_expires_in: 90 * 86_400,
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    const me = await api(app.url)
      .get('/user')
      .auth((body as TokenBody).access_token, {
        type: 'bearer',
      });
    expect(me.body).toMatchObject({ id: user.id });
  });

  it('stores no usable value', async () => {
    const tokens = await makeOAuthTokens(app, { application: client, user });
    const row = await tokenRow(app, tokens.access_token);
    const stored = JSON.stringify([
      row,
      await app.dataSource.query('SELECT * FROM oauth_access_grants'),
      await app.dataSource.query('SELECT * FROM oauth_applications'),
    ]);
    for (const raw of [tokens.access_token, tokens.refresh_token, client.secret]) {
      expect(stored).not.toContain(raw);
    }
  });

  it('takes the client by HTTP Basic', async () => {
    const code = await makeGrant(app, { application: client, user });
    await postToken(app, codeFields(code)).auth(client.uid, client.secret).expect(200);
  });

  it('refuses a client that authenticates in two ways', async () => {
    const code = await makeGrant(app, { application: client, user });
    const { body } = await postToken(app, { ...codeFields(code), client_id: publicClient.uid })
      .auth(client.uid, client.secret)
      .expect(400);
    expect(body).toMatchObject({ error: 'invalid_request' });
  });

  it.each([
    ['a wrong secret', () => ({ client_id: client.uid, client_secret: 'svcoas-wrong' })],
    ['no secret', () => ({ client_id: client.uid })],
    ['an unknown client', () => ({ client_id: randomHex(), client_secret: client.secret })],
    ['no client', () => ({})],
    [
      'a wrong secret of a public client',
      () => ({ ...clientFields({ ...publicClient, secret: 'x' }) }),
    ],
  ])('answers 401 for %s', async (_, fields) => {
    const code = await makeGrant(app, { application: client, user });
    const { body, headers } = await postToken(app, { ...codeFields(code), ...fields() }).expect(
      401,
    );
    expect(body).toEqual(INVALID_CLIENT);
    expect(headers['www-authenticate']).toMatch(/^Bearer .*error="invalid_client"/);
  });

  it('tells who fails by HTTP Basic that this is a way', async () => {
    const code = await makeGrant(app, { application: client, user });
    const { headers } = await postToken(app, codeFields(code)).auth(client.uid, 'no').expect(401);
    expect(headers['www-authenticate']).toMatch(/^Basic realm=/);
  });

  it.each(['code', 'redirect_uri'])('answers 400 without %s', async (name) => {
    const fields = { ...codeFields(randomHex()), ...clientFields(client), [name]: '' };
    const { body } = await postToken(app, fields).expect(400);
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: `Missing required parameter: ${name}.`,
    });
  });

  it.each([
    ['expired', { expiresAt: new Date(Date.now() - 1) }, 'the code is expired'],
    ['revoked', { revokedAt: new Date() }, 'the code is revoked'],
    ['for another redirect_uri', { redirectUri: `${CALLBACK}/` }, 'the redirect_uri is another'],
  ])('refuses a code that is %s', async (_, attributes, detail) => {
    const code = await makeGrant(app, { application: client, user, ...attributes });
    const fields = { ...codeFields(code), ...clientFields(client) };
    const { body } = await postToken(app, fields).expect(400);
    expect(body).toEqual({ ...INVALID_GRANT, error_detail: detail });
  });

  it('refuses a code that is made up', async () => {
    const fields = { ...codeFields(randomHex()), ...clientFields(client) };
    const { body } = await postToken(app, fields).expect(400);
    expect(body).toEqual(INVALID_GRANT);
  });

  it('refuses a code that was stolen from another client, which can still use it', async () => {
    const code = await makeGrant(app, { application: client, user });
    const thief = await makeApplication(app);
    const stolen = await postToken(app, { ...codeFields(code), ...clientFields(thief) });
    expect(stolen.status).toBe(400);
    expect(stolen.body).toMatchObject(INVALID_GRANT);
    await postToken(app, { ...codeFields(code), ...clientFields(client) }).expect(200);
  });

  it('takes a code once: the second time ends what the first one brought', async () => {
    const code = await makeGrant(app, { application: client, user });
    const fields = { ...codeFields(code), ...clientFields(client) };
    const { body } = await postToken(app, fields).expect(200);
    const again = await postToken(app, fields).expect(400);
    expect(again.body).toMatchObject(INVALID_GRANT);
    const token = (body as TokenBody).access_token;
    const refused = await api(app.url).get('/user').auth(token, { type: 'bearer' }).expect(401);
    expect(refused.body).toMatchObject({ error: 'invalid_token' });
    const audited = await app.dataSource.query<object[]>(
      `SELECT entity_type, entity_id FROM audit_events
       WHERE action = 'oauth_code_reused' AND entity_id = $1`,
      [user.id],
    );
    expect(audited).toEqual([{ entity_type: 'User', entity_id: user.id }]);
  });

  it.each(['blocked', 'deactivated', 'banned', 'pending'] as const)(
    'refuses a code of a user who has been %s since',
    async (state) => {
      const other = await makeUser(app);
      const code = await makeGrant(app, { application: client, user: other });
      await app.dataSource.query('UPDATE users SET state = $2 WHERE id = $1', [other.id, state]);
      const fields = { ...codeFields(code), ...clientFields(client) };
      const { body } = await postToken(app, fields).expect(400);
      expect(body).toMatchObject(INVALID_GRANT);
    },
  );
});

describe('POST /oauth/token with a code and PKCE', () => {
  const exchange = (code: string, fields: Record<string, string>, application = publicClient) =>
    postToken(app, { ...codeFields(code), client_id: application.uid, ...fields });

  it('takes the right verifier of a public client without secret', async () => {
    const code = await makeGrant(app, { application: publicClient, user, ...pkce });
    await exchange(code, { code_verifier: VERIFIER }).expect(200);
  });

  it('refuses a wrong verifier and burns the code', async () => {
    const code = await makeGrant(app, { application: publicClient, user, ...pkce });
    const wrong = await exchange(code, { code_verifier: 'w'.repeat(43) }).expect(400);
    expect(wrong.body).toEqual(INVALID_GRANT);
    await exchange(code, { code_verifier: VERIFIER }).expect(400);
  });

  it('names the verifier when it is left out', async () => {
    const code = await makeGrant(app, { application: publicClient, user, ...pkce });
    const { body } = await exchange(code, {}).expect(400);
    expect(body).toMatchObject({
      error_description: 'Missing required parameter: code_verifier.',
    });
  });

  it('refuses a verifier for a code without challenge', async () => {
    const code = await makeGrant(app, { application: client, user });
    const fields = { code_verifier: VERIFIER, client_secret: client.secret };
    const { body } = await exchange(code, fields, client).expect(400);
    expect(body).toMatchObject(INVALID_GRANT);
  });

  it.each(['v'.repeat(42), 'v'.repeat(129), `${'v'.repeat(43)}+`, `${'v'.repeat(43)} `])(
    'refuses the malformed verifier %j',
    async (verifier) => {
      const code = await makeGrant(app, { application: publicClient, user, ...pkce });
      const { body } = await exchange(code, { code_verifier: verifier }).expect(400);
      expect(body).toMatchObject({ error: 'invalid_request' });
    },
  );

  it('refuses a public client whose code has no challenge', async () => {
    const code = await makeGrant(app, { application: publicClient, user });
    const { body } = await exchange(code, {}).expect(400);
    expect(body).toEqual(INVALID_GRANT);
  });

  it('asks a confidential client for its secret, too', async () => {
    const code = await makeGrant(app, { application: client, user, ...pkce });
    await exchange(code, { code_verifier: VERIFIER }, client).expect(401);
    const fields = { code_verifier: VERIFIER, client_secret: client.secret };
    await exchange(code, fields, client).expect(200);
  });
});
