import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { Session } from '../../src/identity/auth/sessions/sessions.repository.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { enterAs, startBrowser, type TestBrowser } from '../support/browser.js';
import { makeUser } from '../support/factories.js';

let app: TestApp;
let chrome: TestBrowser;
let server: Server;
/** URL of another site: sites differ by their host. */
let foreign: string;
let foreignHtml = '';

beforeAll(async () => {
  app = await sharedTestApp();
  chrome = await startBrowser();
  server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(foreignHtml);
  });
  server.listen(0);
  await once(server, 'listening');
  foreign = `http://localhost:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await chrome.close();
  server.close();
});

/** A browser in which a new user is signed in, on a page of the other site. */
async function lured(html: string): Promise<{ page: Page; user: { id: number } }> {
  const user = await makeUser(app);
  const page = await chrome.open();
  await enterAs(page, app, user);
  foreignHtml = html;
  await page.goto(foreign);
  return { page, user };
}

function sessionsOf(user: { id: number }): Promise<number> {
  return app.dataSource.manager.countBy(Session, { userId: user.id });
}

describe('a page of another site', () => {
  it('sends forms without the session, and they change nothing', async () => {
    const action = `${app.url}/-/user_settings/active_sessions/revoke_others`;
    const { page, user } = await lured(
      `<form method="post" action="${action}"><input name="authenticity_token" value="x">
       <button>Win a prize</button></form>`,
    );
    const answered = page.waitForResponse(action);
    await page.getByRole('button').click();
    const answer: Response = await answered;
    expect(answer.status()).toBe(422);
    expect((await answer.request().allHeaders())['cookie']).toBeUndefined();
    expect(await sessionsOf(user)).toBe(1);
    await page.goto(`${app.url}/-/user_settings/profile`);
    expect(await page.locator('h1').textContent()).toBe('Profile');
  });

  it('cannot read the API as the person who is signed in', async () => {
    const { page } = await lured('');
    const read = `fetch(${JSON.stringify(`${app.url}/api/v4/user`)}, { credentials: 'include' })
      .then((answer) => answer.text(), () => 'refused by the browser')`;
    expect(await page.evaluate(read)).toBe('refused by the browser');
    const simple = `fetch(${JSON.stringify(`${app.url}/api/v4/user`)})
      .then((answer) => answer.status)`;
    expect(await page.evaluate(simple)).toBe(401);
  });

  it('cannot frame the page of sessions, nor the one to sign in', async () => {
    for (const path of ['/-/user_settings/active_sessions', '/users/sign_in']) {
      const { page } = await lured(`<iframe src="${app.url}${path}"></iframe>`);
      const frame = page.frames().find((one) => one !== page.mainFrame());
      await frame?.waitForLoadState();
      expect(frame?.url()).toBe('chrome-error://chromewebdata/');
    }
  });

  it('keeps no handle on a window that it opens here', async () => {
    const { page } = await lured('<button onclick="w = window.open(this.value)">Open</button>');
    await page.evaluate(
      `document.querySelector('button').value = '${app.url}/-/user_settings/profile'`,
    );
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button').click();
    const popup = await opened;
    await popup.waitForLoadState();
    expect(await popup.evaluate('window.opener')).toBeNull();
    expect(await page.evaluate('w.closed')).toBe(true);
  });
});
