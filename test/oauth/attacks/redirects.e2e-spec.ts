import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import { authorizePath, PKCE } from '../../support/authorization.js';
import { CALLBACK, makeApplication, type MadeApplication } from '../../support/oauth-factories.js';
import { makeVisitor, pageClient, type PageClient } from '../../support/page-client.js';
import { makePerson, newBrowser, PASSWORD } from '../../support/sign-in.js';
import { expectToStay } from './attacker.js';

let app: TestApp;
let pages: PageClient;
/** Trusted application: its links work without consent. */
let trusted: MadeApplication;
beforeAll(async () => {
  app = await sharedTestApp();
  pages = (await makeVisitor(app)).pages;
  trusted = await makeApplication(app, { trusted: true });
});

/** Follows a link with this redirect_uri, as who is signed in and as who is not. */
async function expectRefused(application: MadeApplication, redirectUri: string): Promise<void> {
  const path = authorizePath(application, { ...PKCE, redirect_uri: redirectUri });
  expectToStay(await pages.get(path).expect(400));
  expectToStay(await request(app.url).get(path).expect(400));
}

describe('a link that sends the code to another address', () => {
  it.each([
    'https://client.example',
    'https://client.example/',
    'https://client.example/callbackevil',
    'https://client.example/callback/../evil',
    'https://client.example/callback/..%2fevil',
    'https://client.example/callback;evil',
    'https://evil.client.example/callback',
    'https://client.example.evil.example/callback',
    'https://evilclient.example/callback',
    'https://evil.example/https://client.example/callback',
    'https://evil.example/?https://client.example/callback',
    'http://client.example/callback',
    '//client.example/callback',
    '/callback',
  ])('is refused when the address only resembles the registered one: %s', async (uri) => {
    await expectRefused(trusted, uri);
  });

  it.each([
    `${CALLBACK}?next=https://evil.example/`,
    `${CALLBACK}?`,
    `${CALLBACK}&x=y`,
    `${CALLBACK}#`,
    `${CALLBACK}#@evil.example/`,
  ])('is refused when a query or fragment was added: %s', async (uri) => {
    await expectRefused(trusted, uri);
  });

  it.each([
    'https://client.example/%63allback',
    'https://client.example/callback%00',
    'https://client.example/callback%0d%0aLocation:%20https://evil.example/',
    'https://CLIENT.EXAMPLE/callback',
    'HTTPS://client.example/callback',
    'https://client.example/CALLBACK',
    'https:\\\\client.example\\callback',
    'https://evil.example\\@client.example/callback',
    'https://client.example@evil.example/callback',
    'https://client.example:x@evil.example/callback',
    'https://evil.example%2f@client.example/callback',
    'https://cli\u0435nt.example/callback',
    'https://xn--clint-6ve.example/callback',
    'https://client.example\u3002evil.example/callback',
    'https://client.example./callback',
    '\thttps://client.example/callback',
  ])('is refused when browsers and we might read it in two ways: %j', async (uri) => {
    await expectRefused(trusted, uri);
  });

  it.each([
    ['the registered one first', [CALLBACK, 'https://evil.example/']],
    ['the registered one last', ['https://evil.example/', CALLBACK]],
    ['the same twice', [CALLBACK, CALLBACK]],
    ['a blank one first', ['', CALLBACK]],
  ])('is refused with several addresses, %s', async (_, uris) => {
    const path = authorizePath(trusted, { redirect_uri: null });
    const query = uris.map((uri) => `&redirect_uri=${encodeURIComponent(uri)}`).join('');
    expectToStay(await pages.get(path + query).expect(400));
    const encodedName = query.replace('&redirect_uri', '&redirect%5Furi');
    expectToStay(await pages.get(path + encodedName).expect(400));
  });

  it.each([
    ['redirect_uri[]', 400],
    ['redirect_uri[0]', 400],
    ['Redirect_Uri', 302],
    ['redirect-uri', 302],
  ])('is not read from %s, which other servers take for the same', async (name, status) => {
    const evil = encodeURIComponent('https://evil.example/');
    const path = `${authorizePath(trusted)}&${encodeURIComponent(name)}=${evil}`;
    const { headers } = await pages.get(path).expect(status);
    expect(headers['location'] ?? CALLBACK).toMatch(/^https:\/\/client\.example\/callback/);
  });
});

describe('another port of the loopback address', () => {
  const redirectUris = ['http://127.0.0.1:8080/cb', CALLBACK];

  it('is for applications on the device only', async () => {
    const native = await makeApplication(app, { trusted: true, confidential: false, redirectUris });
    const server = await makeApplication(app, { trusted: true, redirectUris });
    const asked = 'http://127.0.0.1:61023/cb';
    const answer = await pages
      .get(authorizePath(native, { ...PKCE, redirect_uri: asked }))
      .expect(302);
    expect(answer.headers['location']?.startsWith(`${asked}?code=`)).toBe(true);
    await expectRefused(server, asked);
  });

  it.each([
    'http://localhost:8080/cb',
    'http://127.0.0.1:8080@evil.example/cb',
    'http://127.0.0.1:8080.evil.example/cb',
    'http://127.0.0.1:/cb',
    'http://127.1:8080/cb',
    'http://2130706433:8080/cb',
    'http://0.0.0.0:8080/cb',
    'http://127.0.0.1:8080/cb/',
    'https://client.example:8443/callback',
  ])('opens no other address to them: %s', async (uri) => {
    const native = await makeApplication(app, { trusted: true, confidential: false, redirectUris });
    await expectRefused(native, uri);
  });
});

describe('a mistake that is made on purpose', () => {
  const evil = { redirect_uri: 'https://evil.example/' };

  it.each([
    ['response type', { response_type: 'token' }],
    ['scope', { scope: 'everything' }],
    ['challenge', { code_challenge: 'x' }],
    ['prompt', { scope: 'openid', prompt: 'none' }],
    ['response mode', { response_mode: 'form_post', scope: 'everything' }],
  ])('in the %s leads to no unregistered URI', async (_, params) => {
    const path = authorizePath(trusted, { ...params, ...evil });
    expectToStay(await pages.get(path).expect(400));
    expectToStay(await request(app.url).get(path).expect(400));
  });

  it('leads to no address by a denial', async () => {
    const answer = await request(app.url)
      .delete(authorizePath(trusted, evil))
      .set({ Cookie: `_svc_session=${pages.cookie}`, 'X-CSRF-Token': pages.csrfToken })
      .expect(400);
    expectToStay(answer);
  });
});

describe('the way back after the sign-in', () => {
  const elsewhere = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example/',
    '/\t/evil.example/',
    ' //evil.example/',
    '/\r\nLocation: https://evil.example/',
    'javascript:alert(1)',
    'evil.example',
    '/\u2215evil.example',
  ];

  it.each(elsewhere)('does not lead to %j', async (target) => {
    const person = await makePerson(app);
    const fields = { 'user[login]': person.username, 'user[password]': PASSWORD };
    const inAddress = `/users/sign_in?return_to=${encodeURIComponent(target)}`;
    const byAddress = await newBrowser(app).post(inAddress, fields).expect(303);
    expect(byAddress.headers['location']).toBe('/');
    const browser = newBrowser(app);
    const cookies = `_svc_session=${browser.cookie}; _svc_return_to=${encodeURIComponent(target)}`;
    const byCookie = await browser
      .post('/users/sign_in', fields)
      .set('Cookie', cookies)
      .expect(303);
    expect(byCookie.headers['location']).toBe('/');
    const signedInAlready = await pages.get(inAddress).expect(303);
    expect(signedInAlready.headers['location']).toBe('/');
  });

  it('keeps to this site where a path only looks like another one', async () => {
    for (const target of ['/%2F/evil.example', '/x/..//evil.example', '/.//evil.example']) {
      const answer = await pageClient(app, pages.cookie)
        .get(`/users/sign_in?return_to=${encodeURIComponent(target)}`)
        .expect(303);
      const { origin } = new URL(answer.headers['location'] ?? '', app.url);
      expect(origin).toBe(app.url);
    }
  });
});
