import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeOutcome } from '../support/error-factories.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import type { MadeProject } from '../support/project-factories.js';
import { makeShop, type Shop } from '../support/shop.js';
import { faultsOf } from './inspect.js';

let app: BrowserApp;
let ada: MadeUser;
beforeAll(async () => {
  app = await sharedBrowserApp();
  ada = await makeUser(app, { username: unique('ada'), name: 'Ada Lovelace' });
});
afterAll(() => app.close());

/** A project that Ada owns, with its settings of error tracking open. */
async function makePlace(): Promise<Shop> {
  const shop = await makeShop(app, ada);
  await shop.page.goto(`${shop.base}/settings/error_tracking`);
  return shop;
}

const button = (from: Page | Locator, name: string): Locator =>
  from.getByRole('button', { name, exact: true });

/** Switches the collecting on by the form. */
async function switchOn(page: Page): Promise<string> {
  await page.getByLabel('Enable error tracking').check();
  await page.locator('form[aria-label="Error tracking"]').getByText('Save changes').click();
  await page.getByText('Error tracking settings saved.').waitFor();
  return page.getByLabel('DSN', { exact: true }).inputValue();
}

/** A month of what programs send. */
async function fillWithUsage(project: MadeProject): Promise<void> {
  for (let days = 0; days < 30; days += 1) {
    const day = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    await makeOutcome(app, project, { day, quantity: 900 + ((days * 137) % 400) });
    await makeOutcome(app, project, {
      day,
      outcome: 'dropped',
      category: 'session',
      reason: 'not_supported',
      quantity: 200 + ((days * 31) % 90),
    });
    if (days % 6 !== 0) continue;
    const refused = { day, outcome: 'refused', reason: 'quota', quantity: 350 } as const;
    await makeOutcome(app, project, refused);
    const lost = { day, outcome: 'lost_by_client', reason: 'ratelimit_backoff' } as const;
    await makeOutcome(app, project, { ...lost, quantity: 120 });
  }
}

describe('setting error tracking up in the browser', () => {
  it('begins with a switch', async () => {
    const { page } = await makePlace();
    expect(await faultsOf(page, 'error-settings-off')).toEqual([]);
  });

  it('leads from the switch to the address, the guides and a test event', async () => {
    const { page } = await makePlace();
    const dsn = await switchOn(page);
    expect(dsn).toMatch(/^http:\/\/glet_[0-9a-f]{32}@.*\/error_tracking\/collector\/\d+$/);
    await page.getByRole('link', { name: 'Django' }).click();
    expect(await page.locator('#sdk pre').nth(1).innerText()).toContain(`dsn="${dsn}"`);
    await button(page, 'Send test event').click();
    await page.getByText('Test event received.').waitFor();
    expect(page.url()).toMatch(/\/-\/error_tracking\/\d+\/details$/);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('shows keys and a month of usage', async () => {
    const { project, page } = await makePlace();
    await fillWithUsage(project);
    await switchOn(page);
    await button(page, 'New key').click();
    await page.getByText('Key created.').waitFor();
    expect(await faultsOf(page, 'error-settings')).toEqual([]);
  });

  it('asks for an external tracker only where it is chosen', async () => {
    const { page } = await makePlace();
    expect(await page.getByLabel('API URL').isVisible()).toBe(false);
    await page.getByLabel('External').check();
    await page.getByLabel('API URL').waitFor({ state: 'visible' });
    await page.getByLabel('Enable error tracking').check();
    await page.locator('form[aria-label="Error tracking"]').getByText('Save changes').click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('API URL').isVisible()).toBe(true);
    expect(await faultsOf(page, 'error-settings-tracker')).toEqual([]);
    await page.getByLabel('API URL').fill('not a URL');
    await page.getByLabel('Built-in').check();
    await page.locator('form[aria-label="Error tracking"]').getByText('Save changes').click();
    await page.getByText('Error tracking settings saved.').waitFor();
  });

  it('deletes a key only after a question', async () => {
    const { page } = await makePlace();
    await switchOn(page);
    await page.locator('summary', { hasText: 'Delete' }).click();
    expect(await faultsOf(page, 'error-settings-delete')).toEqual([]);
    await button(page, 'Delete key').click();
    await page.getByText('Key deleted.').waitFor();
    await page.getByText('No active key').waitFor();
  });
});
