import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makePushing, type Pushing } from '../events/push-world.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser } from '../support/factories.js';
import { makeGitSandbox, type GitSandbox } from '../support/git.js';
import { makeMember } from '../support/project-factories.js';
import { faultsOf } from './inspect.js';

let app: BrowserApp;
let git: GitSandbox;
let place: Pushing;
/** Of who does things, and of who reads the feed. */
let page: Page;
let reader: Page;

beforeAll(async () => {
  [app, git] = await Promise.all([sharedBrowserApp(), makeGitSandbox()]);
  place = await makePushing(app, git);
  page = await app.pageAs(place.user);
  const colleague = await makeUser(app);
  await makeMember(app, { project: place.project, user: colleague, role: 'reporter' });
  reader = await app.pageAs(colleague);
});
afterAll(async () => {
  await Promise.all([app.close(), git.remove()]);
});

const address = (path: string): string => `${app.url}/${place.project.fullPath}/-/${path}`;

/** Returns the newest entry of the feed, without waiting. */
async function latest(): Promise<string> {
  await reader.goto(address('activity'));
  const item = reader.getByRole('list', { name: /^Activity on/ }).first();
  const text = await item.getByRole('listitem').first().textContent();
  return (text ?? '').replace(/\s+/g, ' ');
}

async function press(name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
}

describe('what people do in the browser and by git', () => {
  it('is in the feed at once: a push', async () => {
    const { directory } = place;
    await git.run(['switch', '--quiet', '--create', 'silk'], directory);
    await git.commit(directory, 'silk.txt', 'soft');
    await git.run(['push', '--quiet', 'origin', 'silk'], directory);
    expect(await latest()).toContain('pushed new branch silk');
    await reader.getByRole('link', { name: 'silk', exact: true }).first().click();
    await reader.waitForURL(address('commits/silk'));
    await reader.getByRole('link', { name: 'Change silk.txt' }).first().waitFor();
  });

  it('is in the feed at once: a comment', async () => {
    await page.goto(address('issues/new'));
    await page.getByLabel('Title').fill('Silk is scarce');
    await press('Create issue');
    await page.getByRole('textbox', { name: 'Comment' }).fill('Ask *Lyon* for more.');
    await press('Add comment');
    await page.getByText('for more.').waitFor();
    expect(await latest()).toMatch(/commented on issue #1 Silk is scarce.*Ask \*Lyon\* for more\./);
    await reader.getByRole('link', { name: '#1 Silk is scarce' }).first().click();
    await reader.getByText('for more.').waitFor();
    expect(await latest()).not.toContain('opened issue');
    expect(await reader.textContent('main')).toContain('opened issue #1 Silk is scarce');
  });

  it('is in the feed at once: a merge', async () => {
    const branch = encodeURIComponent('merge_request[source_branch]');
    await page.goto(`${address('merge_requests/new')}?${branch}=silk`);
    await page.getByLabel('Title').fill('Weave silk');
    await press('Create merge request');
    await page.getByRole('heading', { name: 'Weave silk' }).waitFor();
    expect(await latest()).toContain('opened merge request !1 Weave silk');
    await press('Merge');
    await page.getByText('Merged', { exact: true }).first().waitFor();
    await latest();
    const items = reader.getByRole('listitem');
    const merged = items.filter({ hasText: 'accepted merge request !1 Weave silk' });
    expect(await merged.count()).toBe(1);
    const pushed = items.filter({ hasText: /pushed \d commits? to branch main/ });
    expect(await pushed.count()).toBe(1);
    await merged.getByRole('link', { name: '!1 Weave silk' }).click();
    await reader.waitForURL(address('merge_requests/1'));
  });

  it('is in the feed at once: a milestone that is closed', async () => {
    await page.goto(address('milestones/new'));
    await page.getByLabel('Title').fill('Winter');
    await press('Create milestone');
    await press('Close milestone');
    await page.getByRole('button', { name: 'Reopen milestone' }).waitFor();
    expect(await latest()).toContain('closed milestone Winter');
    await reader.getByRole('link', { name: 'Winter' }).first().click();
    await reader.waitForURL(address('milestones/1'));
  });

  it('is in the calendar of who did it, and nothing broke on the way', async () => {
    await reader.goto(address('activity'));
    expect(await faultsOf(reader, 'activity-journey')).toEqual([]);
    await reader.goto(`${app.url}/${place.user.username}`);
    const calendar = reader.getByRole('img', { name: 'Contributions in the last twelve months' });
    expect(await calendar.textContent()).toMatch(/6 contributions on 1 day\./);
    expect(app.chrome.complaints()).toEqual([]);
  });
});
