import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { credentialDigest } from '../../src/core/secrets.js';
import { OAuthAccessGrant } from '../../src/oauth/oauth-access-grants.repository.js';
import { OAuthApplication } from '../../src/oauth/oauth-applications.repository.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { authorizePath, CHALLENGE, paramsOf, PKCE } from '../support/authorization.js';
import { textOf } from '../support/html.js';
import {
  CALLBACK,
  makeApplication,
  randomHex,
  type MadeApplication,
} from '../support/oauth-factories.js';
import { makeVisitor, signedIn, type PageClient } from '../support/page-client.js';
import { makePerson, PASSWORD } from '../support/sign-in.js';

let app: TestApp;
let client: MadeApplication;
let trusted: MadeApplication;
let pages: PageClient;
let userId: number;
beforeAll(async () => {
  app = await sharedTestApp();
  client = await makeApplication(app);
  trusted = await makeApplication(app, { trusted: true });
  const visitor = await makeVisitor(app);
  pages = visitor.pages;
  userId = visitor.user.id;
});

describe('GET /oauth/authorize without a safe address', () => {
  const malformed = [400, 'The requested redirect uri is malformed'] as const;
  const unregistered = { redirect_uri: 'https://evil.example/' };
  it.each([
    ['no client_id', { client_id: null }, [400, 'Missing required parameter: client_id.']],
    ['an unknown client_id', { client_id: randomHex() }, [401, 'due to unknown client']],
    ['no redirect_uri', { redirect_uri: null }, malformed],
    ['a redirect_uri that is not registered', unregistered, malformed],
  ] as const)('shows people %s on a page that leads nowhere', async (_, params, [status, text]) => {
    const answer = await pages.get(authorizePath(client, params)).expect(status);
    expect(answer.headers).not.toHaveProperty('location');
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(textOf(answer.text)).toContain(text);
    expect(answer.text).not.toMatch(/(href|action|src)="[^"]*evil\.example/);
  });

  it('shows the application and the mismatched redirect URI as text', async () => {
    const uri = 'https://evil.example/<b>' + 'x'.repeat(2_000);
    const { text } = await pages.get(authorizePath(client, { redirect_uri: uri })).expect(400);
    const { name } = await app.dataSource.manager.findOneByOrFail(OAuthApplication, {
      id: client.id,
    });
    expect(textOf(text)).toContain(`Application ${name}`);
    expect(text).toContain('<code>https://evil.example/&lt;b');
    expect(text).not.toContain('x'.repeat(301));
  });

  it('refuses a redirect_uri or client_id that is given twice', async () => {
    for (const [name, value] of [
      ['redirect_uri', CALLBACK],
      ['client_id', client.uid],
    ] as const) {
      const twice = `&${name}=${encodeURIComponent(value)}`;
      const answer = await pages.get(authorizePath(client) + twice).expect(400);
      expect(answer.headers).not.toHaveProperty('location');
    }
  });

  it('shows the same to who is not signed in, and shows nothing that a link says', async () => {
    const path = authorizePath(client, {
      redirect_uri: 'https://evil.example/',
      error: '<b>no</b>',
    });
    const answer = await request(app.url).get(path).expect(400);
    expect(answer.text).not.toContain('<b>no</b>');
  });
});

describe('GET /oauth/authorize with a mistake of the application', () => {
  const long = 'x'.repeat(2_049);
  it.each([
    ['no response_type', { response_type: null }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['a hybrid flow', { response_type: 'id_token token' }, 'unsupported_response_type'],
    ['an unknown response_mode', { response_mode: 'web_message' }, 'unsupported_response_mode'],
    ['a scope that is not registered', { scope: 'sudo' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'read_user everything' }, 'invalid_scope'],
    ['a scope with a line break', { scope: 'read_user\nemail' }, 'invalid_scope'],
    [
      'the challenge method plain',
      { ...PKCE, code_challenge_method: 'plain' },
      'invalid_code_challenge_method',
    ],
    ['no challenge method', { code_challenge: CHALLENGE }, 'invalid_code_challenge_method'],
    ['a method without challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['a short challenge', { ...PKCE, code_challenge: 'short' }, 'invalid_request'],
    ['a strange challenge', { ...PKCE, code_challenge: '+'.repeat(43) }, 'invalid_request'],
    ['a long nonce', { nonce: long }, 'invalid_request'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['a request_uri', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
    ['a mix of prompts', { scope: 'openid', prompt: 'none login' }, 'invalid_request'],
    ['a strange max_age', { scope: 'openid', max_age: '-1' }, 'invalid_request'],
  ])('tells it about %s', async (_, params, error) => {
    const answer = await pages.get(authorizePath(client, params)).expect(302);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['location']).toMatch(/^https:\/\/client\.example\/callback\?/);
    expect(Object.fromEntries(paramsOf(answer.headers['location']))).toEqual({
      error,
      error_description: expect.any(String),
      state: 'opaque',
      iss: app.url,
    });
  });

  it('tells it about a repeated parameter', async () => {
    const answer = await pages.get(`${authorizePath(client)}&scope=api`).expect(302);
    expect(paramsOf(answer.headers['location']).get('error')).toBe('invalid_request');
  });

  it('sends applications without secret back that bring no challenge', async () => {
    const native = await makeApplication(app, { confidential: false });
    const answer = await pages.get(authorizePath(native)).expect(302);
    const params = paramsOf(answer.headers['location']);
    expect(params.get('error')).toBe('invalid_request');
    expect(params.get('error_description')).toBe('Code challenge is required.');
  });

  it('never redirects straight from a link to an application', async () => {
    const path = authorizePath(client, { response_type: 'token' });
    const answer = await request(app.url).get(path).expect(302);
    expect(answer.headers['location']).toBe('/users/sign_in');
  });
});

describe('GET /oauth/authorize of who is not signed in', () => {
  it('leads to the sign-in page and remembers the request', async () => {
    const path = authorizePath(client);
    const answer = await request(app.url).get(path).expect(302);
    expect(answer.headers['location']).toBe('/users/sign_in');
    const cookies = answer.headers['set-cookie'] as unknown as string[];
    expect(decodeURIComponent(cookies.join())).toContain(`_svc_return_to=${path}`);
  });

  it('answers a silent request with login_required', async () => {
    const path = authorizePath(client, { scope: 'openid', prompt: 'none' });
    const answer = await request(app.url).get(path).expect(302);
    expect(paramsOf(answer.headers['location']).get('error')).toBe('login_required');
  });
});

describe('GET /oauth/authorize of a trusted application', () => {
  it('answers with a code of which only the digest is stored', async () => {
    const path = authorizePath(trusted, { ...PKCE, nonce: 'n-0S6', scope: 'openid read_user' });
    const answer = await pages.get(path).expect(302);
    const { code, ...rest } = Object.fromEntries(paramsOf(answer.headers['location']));
    expect(code).toMatch(/^[0-9a-f]{64}$/);
    expect(rest).toEqual({ state: 'opaque', iss: app.url });
    const codeDigest = credentialDigest(code ?? '');
    const row = await app.dataSource.manager.findOneByOrFail(OAuthAccessGrant, { codeDigest });
    expect(row).toMatchObject({
      applicationId: trusted.id,
      userId,
      redirectUri: CALLBACK,
      scopes: ['openid', 'read_user'],
      codeChallenge: CHALLENGE,
      nonce: 'n-0S6',
      usedAt: null,
      revokedAt: null,
    });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(600_000);
  });

  it('drops a blank state and takes any character in one', async () => {
    const blank = await pages.get(authorizePath(trusted, { state: '' })).expect(302);
    expect(paramsOf(blank.headers['location']).has('state')).toBe(false);
    const state = 'a b&c=d\r\nX: y#é'.padEnd(4_000, '.');
    const answer = await pages.get(authorizePath(trusted, { state })).expect(302);
    expect(paramsOf(answer.headers['location']).get('state')).toBe(state);
    expect(answer.headers).not.toHaveProperty('x');
  });

  it('takes `api` for a missing scope, or all scopes of who cannot have that', async () => {
    const reader = await makeApplication(app, { trusted: true, scopes: ['read_user', 'email'] });
    for (const [application, scopes] of [
      [trusted, ['api']],
      [reader, ['read_user', 'email']],
    ] as const) {
      const answer = await pages.get(authorizePath(application, { scope: null })).expect(302);
      const code = paramsOf(answer.headers['location']).get('code') ?? '';
      const codeDigest = credentialDigest(code);
      const row = await app.dataSource.manager.findOneByOrFail(OAuthAccessGrant, { codeDigest });
      expect(row.scopes).toEqual(scopes);
    }
  });

  it('answers in the fragment where that was asked for', async () => {
    const answer = await pages
      .get(authorizePath(trusted, { response_mode: 'fragment' }))
      .expect(302);
    expect(answer.headers['location']).toMatch(
      /^https:\/\/client\.example\/callback#code=[0-9a-f]{64}&state=opaque&iss=/,
    );
  });

  it('answers by a form that needs no script where that was asked for', async () => {
    const path = authorizePath(trusted, { response_mode: 'form_post', state: '"><script>' });
    const answer = await pages.get(path).expect(200);
    expect(answer.headers['content-security-policy']).toContain(
      "form-action 'self' https://client.example",
    );
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.text).toMatch(
      /<form [^<>]*method="post" action="https:\/\/client\.example\/callback"/,
    );
    expect(answer.text).toMatch(/name="code" value="[0-9a-f]{64}"/);
    expect(answer.text).not.toContain('"><script>');
    const script = /<script src="([^"]+)"/.exec(answer.text)?.[1] ?? '';
    await request(app.url).get(script).expect(200);
  });

  it('keeps the query of a registered redirect URI', async () => {
    const redirectUris = ['https://client.example/cb?tenant=1'];
    const application = await makeApplication(app, { trusted: true, redirectUris });
    const answer = await pages.get(authorizePath(application)).expect(302);
    expect(answer.headers['location']).toMatch(/\/cb\?tenant=1&code=/);
  });
});

describe('OpenID Connect parameters of GET /oauth/authorize', () => {
  const openid = { scope: 'openid' };

  it('keeps the session until the user has signed in again for the application', async () => {
    const user = await makePerson(app);
    const demands: Record<string, string>[] = [{ prompt: 'login' }, { max_age: '60' }];
    for (const params of demands) {
      const old = new Date(Date.now() - 3_600_000);
      const browser = await signedIn(app, user, { signedInAt: old });
      const answer = await browser
        .get(authorizePath(trusted, { ...openid, ...params }))
        .expect(302);
      expect(answer.headers['location']).toBe('/users/sign_in');
      const cookie = String(answer.headers['set-cookie']);
      expect(cookie).not.toContain('_svc_session');
      const back = decodeURIComponent(/_svc_return_to=([^;]+)/.exec(cookie)?.[1] ?? '');
      expect(back).not.toMatch(/prompt|max_age/);
      await browser.get(back).expect(302).expect('Location', '/users/sign_in');
      const signIn = `/users/sign_in?return_to=${encodeURIComponent(back)}`;
      expect((await browser.get(signIn).expect(200)).text).toContain(`value="${user.username}"`);
      const login = { 'user[login]': user.username };
      await browser.post(signIn, { ...login, 'user[password]': 'wrong' }).expect(422);
      await browser.get('/dashboard/todos').expect(200);
      const entered = await browser.post(signIn, { ...login, 'user[password]': PASSWORD });
      expect(entered.headers['location']).toBe(back);
      await browser.get('/dashboard/todos').expect(302);
      const done = await (await signedIn(app, user)).get(back).expect(302);
      expect(paramsOf(done.headers['location']).has('code')).toBe(true);
    }
  });

  it('answers at once for a sign-in that is recent enough', async () => {
    const path = authorizePath(trusted, { ...openid, max_age: '600' });
    const answer = await pages.get(path).expect(302);
    expect(paramsOf(answer.headers['location']).has('code')).toBe(true);
  });

  it('answers a silent request with login_required when the sign-in is too old', async () => {
    const { user } = await makeVisitor(app);
    const browser = await signedIn(app, user, { signedInAt: new Date(Date.now() - 3_600_000) });
    const path = authorizePath(trusted, { ...openid, prompt: 'none', max_age: '60' });
    const answer = await browser.get(path).expect(302);
    expect(paramsOf(answer.headers['location']).get('error')).toBe('login_required');
  });

  it('answers a silent request with consent_required or with a code', async () => {
    for (const [application, name] of [
      [client, 'error'],
      [trusted, 'code'],
    ] as const) {
      const path = authorizePath(application, { ...openid, prompt: 'none' });
      const answer = await pages.get(path).expect(302);
      expect(paramsOf(answer.headers['location']).get(name)).toMatch(
        name === 'code' ? /^[0-9a-f]{64}$/ : /^consent_required$/,
      );
    }
  });

  it('asks for consent where that is wanted, even for a trusted application', async () => {
    const path = authorizePath(trusted, { ...openid, prompt: 'consent' });
    const answer = await pages.get(path).expect(200);
    expect(textOf(answer.text)).toContain('Authorize');
  });

  it('reads these parameters for OpenID Connect alone', async () => {
    const path = authorizePath(trusted, { prompt: 'login', max_age: '0' });
    const answer = await pages.get(path).expect(302);
    expect(paramsOf(answer.headers['location']).has('code')).toBe(true);
  });
});
