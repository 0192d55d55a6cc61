import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { ErrorTrackingSetting } from '../../src/error-tracking/error-tracking-setting.entity.js';
import { ERROR_LEVELS, ERROR_STATUS } from '../../src/error-tracking/error-values.js';
import { CART_EVENT } from '../error-tracking/cart-event.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { countInHour, makeError, makeErrorEvent, tagError } from '../support/error-factories.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import type { MadeProject } from '../support/project-factories.js';
import { makeShop, type Shop } from '../support/shop.js';
import { faultsAt, faultsOf } from './inspect.js';

const HOUR_MS = 3_600_000;

let app: BrowserApp;
let ada: MadeUser;
beforeAll(async () => {
  app = await sharedBrowserApp();
  ada = await makeUser(app, { username: unique('ada'), name: 'Ada Lovelace' });
});
afterAll(() => app.close());

/** A project of Ada's that collects errors, and a page on which she is signed in. */
async function makePlace(options?: BrowserContextOptions): Promise<Shop> {
  const shop = await makeShop(app, ada, options);
  const tracking = { projectId: shop.project.id, enabled: true };
  await app.dataSource.manager.insert(ErrorTrackingSetting, tracking);
  return shop;
}

const ERRORS = [
  ['TypeError', "Cannot read properties of undefined (reading 'total')", 'sumOf(src/cart)'],
  ['DatabaseTimeout', 'canceling statement due to statement timeout', 'orders.repository in find'],
  [null, 'Payment provider answered 502 for order', 'POST /checkout/:id'],
  ['django.core.exceptions.ImproperlyConfigured', 'x'.repeat(400), 'shop.settings in load'],
] as const;

/** Errors of all kinds over the last day. */
async function fillWithErrors(project: MadeProject): Promise<void> {
  for (let at = 0; at < 14; at += 1) {
    const [type, value, culprit] = ERRORS[at % ERRORS.length] ?? ERRORS[0];
    const error = await makeError(app, project, {
      type,
      value,
      culprit,
      level: (at * 3) % ERROR_LEVELS.length,
      status: at % 5 === 4 ? ERROR_STATUS.resolved : ERROR_STATUS.unresolved,
      isUnhandled: at % 3 === 0,
      regressedAt: at % 6 === 0 ? new Date() : null,
      eventsCount: at * at * 371 + 1,
      usersCount: at * 17,
      firstSeenAt: new Date(Date.now() - 40 * HOUR_MS),
      lastSeenAt: new Date(Date.now() - at * HOUR_MS),
    });
    await tagError(app, error, { environment: at % 2 === 0 ? 'production' : 'staging' });
    const hours = Array.from({ length: 24 }, (_, hour) => hour).filter(
      (hour) => hour % (1 + (at % 3)) === 0,
    );
    const count = (hour: number): number => ((hour * 7 + at * 5) % 23) + 1;
    await Promise.all(
      hours.map((hoursAgo) => countInHour(app, error, { hoursAgo, count: count(hoursAgo) })),
    );
  }
}

/** An error with nearly all that an SDK sends; answers the path of its page. */
async function makeFullError(project: MadeProject): Promise<string> {
  const { exception, breadcrumbs } = CART_EVENT;
  const [cause, thrown] = exception.values;
  const library = { filename: 'node_modules/express/lib/router/layer.js', in_app: false };
  const frames = [
    { ...library, function: 'next', lineno: 144, colno: 13 },
    { ...library, function: 'handle_request', lineno: 95, colno: 5 },
    ...(thrown?.stacktrace?.frames ?? []),
  ];
  const sent = {
    ...CART_EVENT,
    exception: { values: [cause, { ...thrown, stacktrace: { frames } }] },
    breadcrumbs: [
      ...breadcrumbs,
      { timestamp: 1772359199.9, category: 'query', level: 'warning', message: 'SELECT slow' },
    ],
  };
  const error = await makeError(app, project, {
    value: 'x is undefined',
    isUnhandled: true,
    regressedAt: new Date(),
    eventsCount: 4321,
    usersCount: 87,
    firstRelease: 'shop@1.3.0',
    lastRelease: 'shop@1.4.0',
  });
  const tags = { environment: 'production', 'browser.name': 'Firefox', release: 'shop@1.4.0' };
  await tagError(app, { ...error, tagged: 300 }, tags);
  await tagError(
    app,
    { ...error, tagged: 123 },
    { environment: 'staging', 'browser.name': 'Chrome' },
  );
  for (let hoursAgo = 0; hoursAgo < 24; hoursAgo += 1) {
    await countInHour(app, error, { hoursAgo, count: ((hoursAgo * hoursAgo) % 31) * 4 });
  }
  for (let at = 0; at < 3; at += 1) {
    const options = { sent, clientAddress: '192.0.2.7', userLabel: 'maria', release: 'shop@1.4.0' };
    await makeErrorEvent(app, error, options);
  }
  return `/error_tracking/${error.id}`;
}

const button = (from: Page | Locator, name: string | RegExp): Locator =>
  from.getByRole('button', { name });

describe('errors in the browser', () => {
  it('come without loading the list anew, which keeps what is ticked', async () => {
    const { project, page, base } = await makePlace();
    const first = await makeError(app, project, { value: 'The first one' });
    await page.goto(`${base}/error_tracking`);
    await page.evaluate('window.sameDocument = true');
    await page.locator(`#error-${first.id} input`).check();
    const second = await makeError(app, project, { value: 'The second one' });
    await page.locator(`#error-${second.id}`).waitFor({ timeout: 20_000 });
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    expect(await page.locator(`#error-${first.id} input`).isChecked()).toBe(true);
    await button(page, 'Resolve').click();
    await page.getByText('1 error resolved').waitFor();
    expect(await page.locator(`#error-${first.id}`).count()).toBe(0);
    await page.getByText('The second one').waitFor();
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are looked into, worked on in an issue, and resolved with it', async () => {
    const { project, page, base } = await makePlace();
    await makeFullError(project);
    await page.goto(`${base}/error_tracking`);
    await page.getByRole('link', { name: 'TypeError: x is undefined' }).click();
    await page.getByText('sum += cart.items.total;').waitFor();
    expect(await page.getByText('handle_request').first().isVisible()).toBe(false);
    await page.getByText('3 library frames').click();
    expect(await page.getByText('handle_request').first().isVisible()).toBe(true);
    await button(page, 'Create issue').click();
    await page.getByText('Issue #1 created').waitFor();
    await page.getByRole('link', { name: '#1 TypeError: x is undefined' }).click();
    await page.getByText('at sumOf (cart.js:17:9)').waitFor();
    await page.goBack();
    await button(page, 'Resolve').click();
    await page.getByText('Error resolved. Closed issue #1').waitFor();
    await page.getByRole('link', { name: 'All events' }).click();
    await page.locator('main tbody a').first().click();
    await page.getByRole('link', { name: 'Older' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'JSON' }).click();
    expect((await download).suggestedFilename()).toMatch(/^event-[0-9a-f]{32}\.json$/);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are found and changed without a script', async () => {
    const { project, page, base } = await makePlace({ javaScriptEnabled: false });
    await makeError(app, project, { value: 'Needle' });
    await makeError(app, project, { value: 'Hay' });
    await page.goto(`${base}/error_tracking`);
    await page.fill('main [name=search]', 'needle');
    await button(page, 'Apply').click();
    await page.getByText('Needle').waitFor();
    expect(await page.getByText('Hay').count()).toBe(0);
    await page.getByLabel('Select TypeError: Needle').check();
    await button(page, 'Ignore').click();
    await page.getByText('1 error ignored').waitFor();
    await page.getByText('No errors match these filters').waitFor();
  });
});

describe('pages about errors', () => {
  it.each([
    ['errors-first', ''],
    ['errors-nothing', '?search=nothing'],
  ])('are free of barriers and fit a telephone: %s', async (name, query) => {
    const { page, base } = await makePlace();
    const address = `${base}/error_tracking${query}`;
    expect(await faultsAt(page, { name, address })).toEqual([]);
  });

  it.each([
    ['errors', ''],
    ['errors-all', '?status=all&environment=production'],
  ])('are free of barriers and fit a telephone: %s', async (name, query) => {
    const { project, page, base } = await makePlace();
    await fillWithErrors(project);
    const address = `${base}/error_tracking${query}`;
    expect(await faultsAt(page, { name, address })).toEqual([]);
  });

  it.each([
    ['an error', 'error', 'details'],
    ['its events', 'error-events', 'events'],
  ])('are free of barriers and fit a telephone: %s', async (_, name, path) => {
    const { project, page, base } = await makePlace();
    const address = `${base}${await makeFullError(project)}/${path}`;
    expect(await faultsAt(page, { name, address })).toEqual([]);
  });

  it('are free of barriers and fit a telephone: an event, everything unfolded', async () => {
    const { project, page, base } = await makePlace();
    await page.goto(`${base}${await makeFullError(project)}/events`);
    await page.locator('td a').first().click();
    await page.getByRole('heading', { name: 'Event', level: 1 }).waitFor();
    for (const summary of await page.locator('main details:not([open]) > summary').all()) {
      if (await summary.isVisible()) await summary.click();
    }
    expect(await faultsOf(page, 'error-event')).toEqual([]);
  });

  it('are free of barriers and fit a telephone: an error whose events are gone', async () => {
    const { project, page, base } = await makePlace();
    const { id } = await makeError(app, project, { value: 'long'.repeat(200) });
    const address = `${base}/error_tracking/${id}/details`;
    expect(await faultsAt(page, { name: 'error-gone', address })).toEqual([]);
  });
});
