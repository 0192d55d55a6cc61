import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { UnsubscribeKeys } from '../../src/workspace/subscriptions/unsubscribe-keys.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser } from '../support/factories.js';
import { makeGroup, makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { faultsOf } from './inspect.js';

const PATH = '/-/profile/notifications';

let app: BrowserApp;
beforeAll(async () => {
  app = await sharedBrowserApp();
});
afterAll(() => app.close());

/** Someone with a group, a group below it and two projects, on the page of notifications. */
async function visit(): Promise<Page> {
  const user = await makeUser(app);
  const group = await makeOwnedGroup(app, { user }, { name: 'Weavers' });
  const { id } = await makeGroup(app, { name: 'Looms', parentId: group.id });
  for (const name of ['Shuttle', 'Warp and weft']) {
    await makeProject(app, { namespaceId: id, name });
  }
  return app.openAs(user, PATH);
}

/** Returns the inherited level that a project without its own level shows. */
const inherited = (page: Page, name: string): Promise<string | null> =>
  page.getByLabel(`Level of ${name}`, { exact: true }).locator('option').first().textContent();

/** Cells of a kind in the preview: not involved, participating, mentioned. */
const preview = async (page: Page, kind: string): Promise<string[]> => {
  const cells = await page.locator(`tr[data-kind=${kind}] td`).allInnerTexts();
  return cells.slice(1).map((text) => text.replace('–', '').trim());
};

describe('notifications', () => {
  it('are chosen for everything, by switches where the level is custom', async () => {
    const page = await visit();
    expect(await page.getByLabel('New issue').isVisible()).toBe(false);
    await page.getByLabel('Custom', { exact: true }).check();
    await page.getByLabel('New issue').check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Notification settings saved.').waitFor();
    expect(await page.getByLabel('New issue').isChecked()).toBe(true);
    expect(await faultsOf(page, 'notifications-custom')).toEqual([]);
  });

  it('are chosen for a group, and for a project otherwise', async () => {
    const page = await visit();
    const shuttle = 'Weavers / Looms / Shuttle';
    expect(await inherited(page, shuttle)).toBe('Global (Participating)');
    await page.getByLabel('Level of Weavers', { exact: true }).selectOption('Watch');
    await page.getByRole('button', { name: 'Save level of Weavers', exact: true }).click();
    await page.getByText('Notification settings saved.').waitFor();
    expect(await inherited(page, shuttle)).toBe('Group (Watch)');
    expect(await faultsOf(page, 'notifications')).toEqual([]);

    await page.getByRole('link', { name: `Settings of ${shuttle}` }).click();
    await page.getByLabel('Disabled').check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Notification settings saved.').waitFor();
    expect(await page.getByLabel('Disabled').isChecked()).toBe(true);
    expect(await faultsOf(page, 'notifications-project')).toEqual([]);
    expect(await preview(page, 'new_issue')).toEqual(['No email', 'No email', 'No email']);
    await page.getByRole('link', { name: 'Participating', exact: true }).click();
    expect(await preview(page, 'new_issue')).toEqual(['No email', 'Email', 'Email']);
    await page.getByRole('link', { name: 'On mention', exact: true }).click();
    expect(await preview(page, 'new_issue')).toEqual(['No email', 'No email', 'Email']);
    await page.getByRole('link', { name: 'Watch', exact: true }).click();
    expect(await preview(page, 'push_to_merge_request')).toEqual([
      'No email',
      'No email',
      'No email',
    ]);
    expect(await preview(page, 'failed_pipeline')).toEqual(['Email']);
  });

  it('are switched off by the link of a mail, without signing in', async () => {
    const user = await makeUser(app);
    const key = app.app.get(UnsubscribeKeys).keyOf({ kind: 'issue', id: 1 }, user.id);
    const page = await app.chrome.open();
    await page.goto(`${app.url}/-/sent_notifications/${key}/unsubscribe`);
    expect(await faultsOf(page, 'unsubscribe')).toEqual([]);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
    expect(await faultsOf(page, 'unsubscribed')).toEqual([]);
    await page.getByRole('link', { name: 'Manage notifications' }).click();
    expect(new URL(page.url()).pathname).toBe('/users/sign_in');
  });
});
