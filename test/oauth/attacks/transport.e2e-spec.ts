import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { startTestApp, type OwnTestApp } from '../../support/app.js';
import { authorizePath, consentOf, paramsOf } from '../../support/authorization.js';
import { makeApplication, type MadeApplication } from '../../support/oauth-factories.js';
import { makeVisitor, type PageClient } from '../../support/page-client.js';
import { makePerson, newBrowser, PASSWORD } from '../../support/sign-in.js';
import { exchange } from './attacker.js';

let app: OwnTestApp;
let client: MadeApplication;
let trusted: MadeApplication;
let pages: PageClient;
beforeAll(async () => {
  app = await startTestApp();
  client = await makeApplication(app);
  trusted = await makeApplication(app, { trusted: true });
  pages = (await makeVisitor(app)).pages;
});
afterAll(() => app.close());

/** Addresses of other sites that a page makes the browser load something from. */
function externalLoads(html: string): string[] {
  const loaded = html.matchAll(/<(?:script|img|link|iframe|source|object|base|meta)\b[^>]*/g);
  return [...loaded]
    .map(([tag]) => tag)
    .filter((tag) => /(?:src|href|data|content)="(?:https?:)?\/\//.test(tag));
}

describe('the pages around consent', () => {
  const shown = (): Promise<Response[]> =>
    Promise.all([
      pages.get(authorizePath(client)).expect(200),
      pages.get(authorizePath(client, { client_id: 'unknown' })).expect(401),
      pages.get(authorizePath(trusted, { response_mode: 'form_post' })).expect(200),
      pages.post('/oauth/authorize', { consent: 'made up' }).expect(400),
    ]);

  it('tell no other site the address with the code or the request in it', async () => {
    for (const { text, headers } of await shown()) {
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(externalLoads(text)).toEqual([]);
    }
  });

  it('cannot be framed by any site', async () => {
    for (const { headers } of await shown()) {
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-frame-options']).toBe('DENY');
    }
  });

  it('tell nothing to the window that opened them', async () => {
    for (const { text, headers } of await shown()) {
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(text).not.toMatch(/<script(?![^>]*\bsrc="\/)/);
      const scripts = [...text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src]) => src ?? '');
      for (const src of scripts.filter((path) => !path.includes('htmx'))) {
        const script = await request(app.url).get(src).buffer(true).expect(200);
        expect(script.text).not.toMatch(/postMessage|opener/);
      }
    }
  });
});

describe('a token', () => {
  it('stands in no address: only the code does, which works once', async () => {
    const answer = await pages.get(authorizePath(trusted, { scope: 'openid' })).expect(302);
    const callback = new URL(answer.headers['location'] ?? '');
    expect([...callback.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect(callback.hash).toBe('');
    const code = callback.searchParams.get('code') ?? '';
    const tokens = await exchange(app, trusted, { code }).expect(200);
    expect(tokens.headers).not.toHaveProperty('location');
    expect(tokens.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(tokens.body.id_token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });
});

describe('two servers that an application uses', () => {
  it('cannot be mixed up: every answer names the issuer of the description', async () => {
    const { body } = await request(app.url).get('/.well-known/openid-configuration').expect(200);
    expect(body.authorization_response_iss_parameter_supported).toBe(true);
    const consent = consentOf((await pages.get(authorizePath(client)).expect(200)).text);
    const answers = [
      await pages.get(authorizePath(trusted)).expect(302),
      await pages.get(authorizePath(trusted, { response_type: 'token' })).expect(302),
      await pages.post('/oauth/authorize/deny', { consent }).expect(302),
    ];
    for (const { headers } of answers) {
      expect(paramsOf(headers['location']).getAll('iss')).toEqual([body.issuer]);
    }
  });
});

describe('a form with a password or a decision', () => {
  it('is never forwarded: the redirect after it is a GET', async () => {
    const person = await makePerson(app);
    const browser = newBrowser(app);
    const path = authorizePath(trusted);
    const signedIn = await browser
      .post(`/users/sign_in?return_to=${encodeURIComponent(path)}`, {
        'user[login]': person.username,
        'user[password]': PASSWORD,
      })
      .expect(303);
    expect(signedIn.headers['location']).toBe(path);
    const consent = consentOf((await pages.get(authorizePath(client)).expect(200)).text);
    const approved = await pages.post('/oauth/authorize', { consent });
    expect([302, 303]).toContain(approved.status);
    expect(approved.headers['location']).not.toMatch(/consent|authenticity_token/);
  });
});

describe('a page of another origin', () => {
  const Origin = 'https://evil.example';
  const preflight = (path: string, headers: string) =>
    request(app.url).options(path).set({
      Origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': headers,
    });

  it.each([
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/token/info',
    '/oauth/userinfo',
    '/oauth/introspect',
    '/oauth/authorize',
    '/users/sign_in',
    '/api/v4/user',
  ])('reads nothing of %s with the cookies of the person', async (path) => {
    for (const origin of [Origin, 'null', `${app.url}.evil.example`]) {
      const answers = [
        await pages.get(path).set('Origin', origin),
        await request(app.url)
          .post(path)
          .set({ Origin: origin, Cookie: `_svc_session=${pages.cookie}` }),
        await preflight(path, 'authorization').set('Origin', origin),
      ];
      for (const { headers } of answers) {
        expect(headers).not.toHaveProperty('access-control-allow-credentials');
        expect(headers['access-control-allow-origin'] ?? '*').toBe('*');
      }
    }
  });

  it.each(['x-requested-with', 'authorization, x-csrf-token', 'cookie', 'x-svc-meta'])(
    'may not send %s to the endpoints for applications',
    async (names) => {
      for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/userinfo']) {
        const { headers } = await preflight(path, names).expect(204);
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual(
          [],
        );
      }
    },
  );
});

describe('headers that a client makes up', () => {
  const SPOOFED = {
    Host: 'evil.example',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Port': '8443',
    'X-Original-URL': '/oauth/token',
    'X-Rewrite-URL': '/oauth/token',
    Forwarded: 'for=127.0.0.1;host=evil.example;proto=https',
  };

  it('change no URL of a response', async () => {
    const told = [
      await request(app.url).get('/.well-known/openid-configuration').set(SPOOFED).expect(200),
      await pages.get(authorizePath(trusted)).set(SPOOFED).expect(302),
      await pages.get(authorizePath(client)).set(SPOOFED).expect(200),
      await request(app.url).get(authorizePath(client)).set(SPOOFED).expect(302),
    ];
    for (const { text, headers } of told) {
      expect(text).not.toContain('evil.example');
      expect(JSON.stringify(headers)).not.toContain('evil.example');
    }
    expect(paramsOf(told[1]?.headers['location']).get('iss')).toBe(app.url);
  });

  it('keep the Secure attribute of cookies neither away nor there', async () => {
    const secure = await startTestApp({ env: { BASE_URL: 'https://hub.example' } });
    try {
      for (const [server, isSecure] of [
        [app, false],
        [secure, true],
      ] as const) {
        const proto = isSecure ? 'http' : 'https';
        const { headers } = await request(server.url)
          .get('/users/sign_in')
          .set({ 'X-Forwarded-Proto': proto });
        expect(/; Secure/.test(String(headers['set-cookie']))).toBe(isSecure);
      }
    } finally {
      await secure.close();
    }
  });
});
