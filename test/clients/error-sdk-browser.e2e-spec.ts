import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { makeErrorProject, type ErrorProject, type SeenError } from './programs/error-project.js';
import { startShop, type Shop } from './programs/shop-page.js';

let app: OwnTestApp;
let shop: Shop;
let chrome: TestBrowser;
beforeAll(async () => {
  [app, shop, chrome] = await Promise.all([startTestApp(), startShop(), startBrowser()]);
});
afterAll(async () => {
  await chrome.close();
  await shop.close();
  await app.close();
});

/** The shop in a browser, once its script has run. */
async function visit({ dsn }: ErrorProject, hash = ''): Promise<Page> {
  const page = await chrome.open();
  await page.goto(`${shop.address(dsn)}${hash}`);
  await page.waitForFunction("document.title === 'Open'");
  return page;
}

/** Statuses of what a page sends to the collector from now on. */
function answersTo(page: Page): number[] {
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/error_tracking/collector/')) statuses.push(response.status());
  });
  return statuses;
}

async function onlyError(project: ErrorProject): Promise<SeenError> {
  return eventually(async () => {
    const errors = await project.errors();
    expect(errors).toHaveLength(1);
    return errors[0] as SeenError;
  });
}

describe('the SDK for browsers on a page of another origin', () => {
  it('reports uncaught errors, with the page, its script and the user', async () => {
    const project = await makeErrorProject(app);
    const page = await visit(project);
    const statuses = answersTo(page);
    await page.click('button');
    expect(await onlyError(project)).toMatchObject({
      title: expect.stringMatching(/^TypeError: Cannot read properties of undefined/),
      culprit: expect.stringContaining('priceOf'),
      platform: 'javascript',
      unhandled: true,
      count: 1,
      user_count: 1,
      first_release_version: 'shop-page@1.4.0',
    });
    expect(new Set(statuses)).toEqual(new Set([200]));
    const [fault] = chrome.complaints();
    expect(chrome.complaints()).toEqual([fault]);
    expect(fault).toContain('TypeError');
  });

  it('reports messages, with what was clicked before', async () => {
    const project = await makeErrorProject(app);
    const page = await visit(project, '#message');
    const sent = page.waitForRequest((request) => /"type":"event"/.test(request.postData() ?? ''));
    await page.click('button');
    const [header = ''] = ((await sent).postData() ?? '').split('\n');
    const { event_id: id } = JSON.parse(header) as { event_id: string };
    expect(await onlyError(project)).toMatchObject({ title: 'sold out', level: 'warning' });
    expect(await project.event(id)).toMatchObject({
      message: 'sold out',
      platform: 'javascript',
      sdk: { name: 'sentry.javascript.browser' },
      request: {
        url: expect.stringContaining('http://localhost:'),
        headers: expect.arrayContaining([
          { name: 'User-Agent', value: expect.stringContaining('Chrome') },
        ]),
      },
      user_details: { email: 'maria@example.com', ip_address: '127.0.0.1' },
      breadcrumbs: expect.arrayContaining([expect.objectContaining({ category: 'ui.click' })]),
    });
  });

  it('learns from the first refusal, of its session, that it is to stop', async () => {
    const project = await makeErrorProject(app);
    await project.deleteKey();
    const page = await chrome.open();
    const statuses = answersTo(page);
    const refused = page.waitForResponse((response) => response.status() === 404);
    await page.goto(`${shop.address(project.dsn)}#message`);
    expect(await (await refused).allHeaders()).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('x-sentry-rate-limits'),
    });
    await page.evaluate('Sentry.flush(5000)');
    await page.click('button');
    await page.evaluate('Sentry.flush(5000)');
    expect(statuses).toEqual([404]);
    expect(await project.errors()).toEqual([]);
  });
});
