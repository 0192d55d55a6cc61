import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import {
  axeViolations,
  enterAs,
  overflowWhenNarrow,
  screenshots,
  startBrowser,
  type TestBrowser,
} from '../support/browser.js';
import { makeUser } from '../support/factories.js';
import { ProbePagesModule } from './probe-pages.module.js';

let app: OwnTestApp;
let chrome: TestBrowser;
beforeAll(async () => {
  app = await startTestApp({ imports: [ProbePagesModule] });
  chrome = await startBrowser();
});
afterAll(async () => {
  await chrome.close();
  await app.close();
});

describe('every page', () => {
  it('allows nothing but our own files and forms, and no frames', async () => {
    const { headers, text } = await request(app.url).get('/probe-pages').expect(200);
    expect(text).not.toMatch(/<style| style=| on[a-z]+=|<iframe/);
    const scripts = text.match(/<script.*?<\/script>/gs);
    expect(scripts).toEqual([
      expect.stringMatching(/^<script src="\/-\/assets\/app-\w+\.js" defer><\/script>$/),
    ]);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; script-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
    );
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  it('may name other places for its forms, which cannot widen the policy', async () => {
    const { headers } = await request(app.url).get('/probe-pages/empty').expect(200);
    expect(headers['content-security-policy']).toMatch(
      /; form-action 'self' https:\/\/client\.example com\.example\.app:$/,
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  it('may be named by a path of several segments', async () => {
    const { text } = await request(app.url).get('/probe-pages/of/a/b/-/here').expect(200);
    expect(text).toContain('<h1>a/b</h1>');
  });

  it('is free of barriers, fits a telephone and breaks none of its own rules', async () => {
    const page = await chrome.open();
    for (const path of ['', '/empty', '/forbidden']) {
      await page.goto(`${app.url}/probe-pages${path}`);
      await screenshots(page, `probe${path.replace('/', '-')}`);
      expect(await axeViolations(page)).toEqual([]);
      expect(await overflowWhenNarrow(page)).toBe(0);
    }
    expect(chrome.complaints()).toEqual([]);
  });

  it('leads administrators to everything, and their menu opens without a script', async () => {
    const user = await makeUser(app, { admin: true, name: 'Ada Lovelace' });
    const page = await chrome.open({ javaScriptEnabled: false });
    await enterAs(page, app, user);
    await page.goto(`${app.url}/probe-pages`);
    const places = await page.locator('nav[aria-label=Main] a').allTextContents();
    const own = ['Home', 'To-dos', 'Activity', 'Projects', 'Groups', 'Snippets'];
    expect(places).toEqual([...own, 'Projects', 'Groups', 'Snippets', 'Administration']);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await screenshots(page, 'probe-menu');
  });

  it('is free of barriers with the menu open', async () => {
    const user = await makeUser(app);
    const page = await chrome.open();
    await enterAs(page, app, user);
    await page.goto(`${app.url}/probe-pages/message`);
    await page.getByRole('button', { name: /^Account/ }).click();
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflowWhenNarrow(page)).toBe(0);
  });

  it('can be left for its content with the first press of Tab', async () => {
    const page = await chrome.open();
    await page.goto(`${app.url}/probe-pages`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
  });
});

describe('a message for the next page', () => {
  it('is shown there once, as text, without a script', async () => {
    const page = await chrome.open({ javaScriptEnabled: false });
    await page.goto(`${app.url}/probe-pages/message`);
    await page.click('main button');
    expect(await page.textContent('[role=status]')).toBe('<b>done</b>');
    expect(await page.inputValue('#field-copy-your-new-token')).toBe('svcpat-secret');
    await page.reload();
    expect(await page.locator('[role=status]').count()).toBe(0);
    expect(await page.content()).not.toContain('svcpat-secret');
  });

  it('is encrypted, out of reach of scripts and other sites', async () => {
    const page = await chrome.open();
    await page.goto(`${app.url}/probe-pages/message`);
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.status() === 303),
      page.click('main button'),
    ]);
    const cookies = await response.headerValues('set-cookie');
    const flash = cookies.find((cookie) => cookie.startsWith('_svc_flash='));
    expect(flash).toMatch(/; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(decodeURIComponent(flash ?? '')).not.toMatch(/done|svcpat/);
  });
});

describe('a live region', () => {
  it('replaces itself under the strict policy', async () => {
    const page = await chrome.open();
    await page.goto(`${app.url}/probe-pages/live`);
    expect(await page.textContent('h1')).toBe('Ticks: 0');
    await page.getByText('Ticks: 2').waitFor();
    expect(chrome.complaints()).toEqual([]);
  });

  it('loads its page anew when it is answered with a whole one: the session is over', async () => {
    const asked = request(app.url).get('/probe-pages').set('HX-Request', 'true');
    const { headers, text } = await asked.expect(200);
    expect([headers['hx-refresh'], text]).toEqual(['true', '']);
  });
});
