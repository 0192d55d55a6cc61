import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { authorizePath, PKCE } from '../support/authorization.js';
import { makeApplication, type MadeApplication } from '../support/oauth-factories.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';

let app: TestApp;
let pages: PageClient;
beforeAll(async () => {
  app = await sharedTestApp();
  pages = (await makeVisitor(app)).pages;
});

function ask(application: MadeApplication, redirectUri: string) {
  return pages.get(authorizePath(application, { ...PKCE, redirect_uri: redirectUri }));
}

describe('redirect_uri', () => {
  it.each([
    ['a longer path', 'https://client.example/callback/evil'],
    ['a shorter path', 'https://client.example/call'],
    ['a trailing slash', 'https://client.example/callback/'],
    ['a subdomain', 'https://evil.client.example/callback'],
    ['a longer host', 'https://client.example.evil.example/callback'],
    ['another scheme', 'http://client.example/callback'],
    ['a port', 'https://client.example:443/callback'],
    ['an extra query', 'https://client.example/callback?next=evil'],
    ['an empty query', 'https://client.example/callback?'],
    ['a fragment', 'https://client.example/callback#evil'],
    ['another case of the host', 'https://CLIENT.example/callback'],
    ['another case of the path', 'https://client.example/Callback'],
    ['an encoded letter', 'https://client.example/%63allback'],
    ['an encoded slash', 'https://client.example%2Fcallback'],
    ['dot segments', 'https://client.example/x/../callback'],
    ['a backslash', 'https://client.example\\callback'],
    ['a user name', 'https://client.example@evil.example/callback'],
    ['a look-alike letter', 'https://cl\u0456ent.example/callback'],
    ['a space before it', ' https://client.example/callback'],
    ['a line break behind it', 'https://client.example/callback\n'],
    ['two addresses', 'https://client.example/callback https://evil.example/'],
    ['a script', 'javascript:alert(1)'],
    ['the out-of-band name', 'urn:ietf:wg:oauth:2.0:oob'],
  ])('refuses %s beside the registered address', async (_, uri) => {
    const application = await makeApplication(app, { trusted: true });
    const answer = await ask(application, uri).expect(400);
    expect(answer.headers).not.toHaveProperty('location');
  });

  it('takes each of the registered addresses', async () => {
    const redirectUris = ['https://client.example/a', 'myapp://callback', 'com.example:/cb?x=1'];
    const application = await makeApplication(app, { trusted: true, redirectUris });
    for (const uri of redirectUris) {
      const answer = await ask(application, uri).expect(302);
      expect(answer.headers['location']?.startsWith(uri)).toBe(true);
    }
  });

  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1:1/cb'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1/cb'],
    ['http://[::1]:8080/cb?x=1', 'http://[::1]:9/cb?x=1'],
  ])('lets a native application with %s use the port in %s', async (registered, asked) => {
    const redirectUris = [registered];
    const native = await makeApplication(app, { trusted: true, confidential: false, redirectUris });
    const answer = await ask(native, asked).expect(302);
    expect(answer.headers['location']?.startsWith(asked)).toBe(true);
    const server = await makeApplication(app, { trusted: true, redirectUris });
    await ask(server, asked).expect(400);
  });

  it.each([
    ['http://localhost:8080/cb', 'http://localhost:9090/cb'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1:8081/other'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.2:8080/cb'],
    ['http://127.0.0.1:8080/cb', 'http://[::1]:8080/cb'],
    ['http://127.0.0.1:8080/cb', 'https://127.0.0.1:8081/cb'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1:80@evil.example/cb'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1.evil.example/cb'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1:8081#/cb'],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1:123456/cb'],
    ['https://client.example/cb', 'https://client.example:8443/cb'],
  ])('keeps to %s where %s is asked for', async (registered, asked) => {
    const redirectUris = [registered];
    const native = await makeApplication(app, { trusted: true, confidential: false, redirectUris });
    const answer = await ask(native, asked).expect(400);
    expect(answer.headers).not.toHaveProperty('location');
  });
});
