import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { hashPassword } from '../../src/core/passwords.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { startBrowser, type TestBrowser } from '../support/browser.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { startSampleClient, type SampleClient } from '../support/sample-client.js';

const PASSWORD = 'correct horse battery staple';

let app: TestApp;
let chrome: TestBrowser;
let sample: SampleClient;
let passwordDigest: string;
beforeAll(async () => {
  [app, chrome, passwordDigest] = await Promise.all([
    sharedTestApp(),
    startBrowser(),
    hashPassword(PASSWORD),
  ]);
  sample = await startSampleClient(app, { confidential: true });
});
afterAll(async () => {
  await sample.close();
  await chrome.close();
});

/** A person who comes from the sample and gives their password. */
async function arrive(user: MadeUser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await chrome.open(options);
  await page.goto(sample.url);
  await page.getByRole('link', { name: 'Sign in with Guildhall' }).click();
  await page.fill('[name="user[login]"]', user.username);
  await page.fill('[name="user[password]"]', PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  return page;
}

async function approve(page: Page, user: MadeUser): Promise<void> {
  await page.getByRole('heading', { name: 'Authorize Sample client' }).waitFor();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByRole('heading', { name: `Signed in as ${user.name}` }).waitFor();
}

/** Loads the sample's page anew, which calls the API. */
async function outcome(page: Page): Promise<string> {
  await page.goto(sample.url);
  return page.innerText('body');
}

describe('the sample client in a browser', () => {
  it.each([true, false])(
    'signs a person in, calls the API, refreshes, is revoked and then refused (scripts: %s)',
    async (javaScriptEnabled) => {
      const user = await makeUser(app, { passwordDigest });
      const page = await arrive(user, { javaScriptEnabled });
      await approve(page, user);
      expect(page.url()).toBe(`${sample.url}/`);
      expect(await outcome(page)).toContain(`200 ${user.username}`);
      await page.getByRole('button', { name: 'Refresh the tokens' }).click();
      expect(await outcome(page)).toContain(`200 ${user.username}`);
      await page.getByRole('button', { name: 'Revoke the tokens' }).click();
      expect(await outcome(page)).toContain('GET /api/v4/user answers 401');
      expect(chrome.complaints()).toEqual([]);
    },
  );

  it('is refused once the person has taken back in the settings what was granted', async () => {
    const user = await makeUser(app, { passwordDigest });
    const page = await arrive(user);
    await approve(page, user);
    const settings = await page.context().newPage();
    await settings.goto(`${app.url}/-/user_settings/applications`);
    const row = settings.getByRole('listitem').filter({ hasText: 'Sample client' });
    await row.locator('summary').click();
    await row.getByRole('button', { name: 'Revoke access' }).click();
    await settings.locator('[role=status]').first().waitFor();
    expect(await outcome(page)).toContain('GET /api/v4/user answers 401');
  });

  it('hears that the person does not want it', async () => {
    const page = await arrive(await makeUser(app, { passwordDigest }));
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Guildhall has refused' }).waitFor();
    expect(await page.innerText('body')).toContain('access_denied');
  });
});
