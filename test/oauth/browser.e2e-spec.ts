import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { hashPassword } from '../../src/core/passwords.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { authorizePath, PKCE } from '../support/authorization.js';
import {
  axeViolations,
  enterAs,
  overflowWhenNarrow,
  screenshots,
  startBrowser,
  type TestBrowser,
} from '../support/browser.js';
import { makeToken, makeUser, type MadeUser } from '../support/factories.js';
import { makeApplication } from '../support/oauth-factories.js';

const APPLICATIONS = '/-/user_settings/applications';

/** Parameters that the application's own site received. */
interface Arrival {
  method: string;
  url: string;
  body: string;
  referrer: string | undefined;
}

let app: TestApp;
let chromium: TestBrowser;
let site: Server;
let callback: string;
const arrivals: Arrival[] = [];
beforeAll(async () => {
  app = await sharedTestApp();
  chromium = await startBrowser();
  site = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      if (url.startsWith('/cb')) arrivals.push({ method, url, body, referrer: headers.referer });
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end('<!doctype html><title>Signed in</title>');
    });
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  callback = `http://127.0.0.1:${(site.address() as AddressInfo).port}/cb`;
});
afterAll(async () => {
  await chromium.close();
  site.close();
});

async function visit(user: MadeUser): Promise<Page> {
  const page = await chromium.open();
  await enterAs(page, app, user);
  return page;
}

async function expectSound(page: Page, name: string): Promise<void> {
  await screenshots(page, name);
  expect(await axeViolations(page)).toEqual([]);
  expect(await overflowWhenNarrow(page)).toBe(0);
}

describe('in a browser', () => {
  it.each(['query', 'form_post'])(
    'people approve an application and are sent back by %s',
    async (mode) => {
      const user = await makeUser(app);
      const application = await makeApplication(app, {
        name: 'Timesheets',
        redirectUris: [callback],
        ownerId: user.id,
      });
      const page = await visit(user);
      const params = { ...PKCE, scope: 'openid email api', response_mode: mode };
      await page.goto(app.url + authorizePath(application, params));
      await expectSound(page, 'consent');
      await page.click('text="Authorize"');
      await page.waitForURL(`${callback}*`);
      const arrival = arrivals.pop();
      const answer = mode === 'query' ? arrival?.url.split('?')[1] : arrival?.body;
      expect(arrival?.method).toBe(mode === 'query' ? 'GET' : 'POST');
      expect(arrival?.referrer).toBeUndefined();
      const told = Object.fromEntries(new URLSearchParams(answer));
      expect(told).toMatchObject({ state: 'opaque', iss: app.url });
      expect(told['code']).toMatch(/^[0-9a-f]{64}$/);
      expect(chromium.complaints()).toEqual([]);
    },
  );

  it('people sign in on the way and are led on to a trusted application', async () => {
    const passwordDigest = await hashPassword('correct horse battery');
    const user = await makeUser(app, { passwordDigest });
    const application = await makeApplication(app, { trusted: true, redirectUris: [callback] });
    const page = await chromium.open();
    await page.goto(app.url + authorizePath(application));
    expect(new URL(page.url()).pathname).toBe('/users/sign_in');
    await page.fill('[name="user[login]"]', user.username);
    await page.fill('[name="user[password]"]', 'correct horse battery');
    await page.click('main form button[type="submit"]');
    await page.waitForURL(`${callback}*`);
    const told = new URLSearchParams(arrivals.pop()?.url.split('?')[1]);
    expect(told.get('code')).toMatch(/^[0-9a-f]{64}$/);
    expect(chromium.complaints()).toEqual([]);
  });

  it('people deny an application, with scripts turned off', async () => {
    const user = await makeUser(app);
    const application = await makeApplication(app, { redirectUris: [callback] });
    const page = await chromium.open({ javaScriptEnabled: false });
    await enterAs(page, app, user);
    await page.goto(app.url + authorizePath(application, { response_mode: 'form_post' }));
    await page.click('text="Deny"');
    await page.click('text="Continue"');
    await page.waitForURL(callback);
    expect(new URLSearchParams(arrivals.pop()?.body).get('error')).toBe('access_denied');
  });

  it('no site can frame the consent page', async () => {
    const user = await makeUser(app);
    const application = await makeApplication(app, { redirectUris: [callback] });
    const page = await visit(user);
    await page.goto(`${new URL(callback).origin}/frame`);
    const address = app.url + authorizePath(application);
    await page.evaluate(`{
      const frame = document.createElement('iframe');
      frame.src = ${JSON.stringify(address)};
      document.body.append(frame);
    }`);
    await page.waitForFunction('document.querySelector("iframe").contentDocument === null');
    const texts = await Promise.all(
      page.frames().map((frame) => frame.evaluate('document.body.innerText').catch(() => '')),
    );
    expect(texts.join()).not.toContain('Authorize');
  });

  it('people register an application and see its secret once', async () => {
    const page = await visit(await makeUser(app));
    await page.goto(`${app.url}${APPLICATIONS}/new`);
    await page.fill('[name="name"]', 'Timesheets');
    await page.fill('[name="redirect_uri"]', 'nowhere');
    await page.click('text="Create application"');
    await expectSound(page, 'application-form');
    await page.fill('[name="redirect_uri"]', `${callback}\nmyapp://cb`);
    await page.check('[value="read_user"]');
    await page.click('text="Create application"');
    const secret = await page.inputValue('[data-tone="secret"] input');
    expect(secret).toMatch(/^svcoas-[0-9a-v]{32}$/);
    expect(page.url()).not.toContain(secret);
    await expectSound(page, 'application');
    await page.reload();
    expect(await page.content()).not.toContain(secret);
  });

  it('people take back what they let an application do', async () => {
    const user = await makeUser(app);
    const { id: applicationId } = await makeApplication(app, { name: 'Chat', ownerId: user.id });
    const granted = { kind: 'oauth', applicationId } as const;
    await makeToken(app, user, { ...granted, scopes: ['read_user', 'openid'] });
    const page = await visit(user);
    await page.goto(app.url + APPLICATIONS);
    await expectSound(page, 'applications');
    await page.click('summary:has-text("Revoke")');
    await page.click('text="Revoke access"');
    await page.waitForSelector('text="Access revoked."');
  });

  it('people read why an application cannot be authorized', async () => {
    const page = await visit(await makeUser(app));
    await page.goto(`${app.url}/oauth/authorize?client_id=unknown`);
    await expectSound(page, 'authorization-error');
  });
});
