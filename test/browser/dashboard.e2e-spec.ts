import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { screenshots } from '../support/browser.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import { makeFailedJob } from '../support/queue-factories.js';
import { makeBusyProject } from '../support/busy-project.js';
import { createIssue } from '../support/issue-factories.js';
import {
  makeGroup,
  makeMemberOf,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';
import { faultsOf, faultsAt } from './inspect.js';

let app: BrowserApp;
let user: MadeUser;
beforeAll(async () => {
  app = await sharedBrowserApp();
  user = await makeUser(app, {
    username: unique('ada'),
    name: 'Ada Lovelace',
    bio: 'Wrote the first program.',
    location: 'London',
    websiteUrl: 'https://ada.example.com',
  });
});
afterAll(() => app.close());

/** The path below the instance's address, with `USER` as the user's name. */
const addressOf = (path: string): string => app.url + path.replace('USER', user.username);

const open = (path: string, options?: BrowserContextOptions): Promise<Page> =>
  app.openAs(user, path, options);

/** More projects and groups than a page has room for, some with long names. */
async function furnish(): Promise<void> {
  const group = await makeOwnedGroup(app, { user }, { name: 'Weavers', visibility: 'public' });
  const name = 'Punched cards for looms that weave algebraical patterns';
  await makeProject(app, { namespaceId: group.id, name, description: name, visibility: 'public' });
  for (let number = 1; number <= 24; number += 1) {
    await makeProject(app, { namespaceId: user.namespaceId, name: `Project ${number}` });
    await makeGroup(app, { name: `Open group ${number}`, visibility: 'public' });
  }
}

describe('the start page', () => {
  it('leads newcomers on, and to each part by the keyboard only', async () => {
    const newcomer = await makeUser(app);
    const page = await app.openAs(newcomer, '/');
    expect(await faultsOf(page, 'dashboard-new')).toEqual([]);
    await page.getByRole('link', { name: 'New project' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/projects/new`);
  });

  it('shows what was active last, and everything else is one link away', async () => {
    await furnish();
    const page = await open('/', { javaScriptEnabled: false });
    expect(await page.textContent('h1')).toBe('Home');
    await page.getByRole('link', { name: 'View all recent projects' }).click();
    expect(page.url()).toBe(`${app.url}/dashboard/projects`);
    const next = page.getByRole('navigation', { name: 'Pagination' });
    await next.getByRole('link', { name: 'Next' }).click();
    expect(page.url()).toContain('page=2');
    await page.fill('main [name=search]', 'algebraical');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/search=algebraical/);
    expect(await page.locator('tbody tr').count()).toBe(1);
  });

  it('shows what needs the viewer, and lets them work it off', async () => {
    const boss = await makeUser(app, { name: 'Jane West', admin: true });
    const project = await makeBusyProject(app, boss);
    const ann = await makeMemberOf(app, project, 'maintainer');
    const title = 'Payment page is blank in Safari';
    const issue = await createIssue(ann.api, project, { title, assignee_ids: [boss.id] });
    const notes = `/projects/${project.id}/issues/1/notes`;
    await ann.api.post(notes, { body: `@${boss.username}, can you confirm this?` }).expect(201);
    const page = await app.openAs(boss, '/');
    expect(await faultsOf(page, 'home-busy')).toEqual([]);
    await page.getByRole('link', { name: 'View all to-dos' }).click();
    expect(await faultsOf(page, 'todos-busy')).toEqual([]);
    await page.getByRole('button', { name: new RegExp(`Done.*${title}`) }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: title }).click();
    expect(new URL(page.url()).pathname).toBe(`/${project.fullPath}/-/issues/${issue.iid}`);
    await page.getByRole('button', { name: 'Mark as done' }).click();
    await page.getByRole('button', { name: 'Add to-do' }).waitFor();
    await page.getByLabel(/^More actions/).click();
    await screenshots(page, 'issue-overflow');
    await page.locator('summary', { hasText: 'Delete' }).first().click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Switch project' }).click();
    await page.locator('#switcher').getByRole('link', { name: 'Checkout' }).first().waitFor();
    await screenshots(page, 'switcher');
  });

  it('sends strangers to the sign-in page', async () => {
    const page = await app.chrome.open();
    await page.goto(app.url);
    expect(new URL(page.url()).pathname).toBe('/users/sign_in');
  });
});

describe('a page to begin at', () => {
  it.each([
    ['dashboard', '/'],
    ['todos', '/dashboard/todos'],
    ['explore', '/explore'],
    ['user', '/USER'],
    ['projects-many', '/dashboard/projects'],
  ])('is free of barriers and fits a telephone: %s', async (name, path) => {
    const page = await app.pageAs(user);
    expect(await faultsAt(page, { name, address: addressOf(path) })).toEqual([]);
  });

  it.each([
    ['explore-anonymous', '/explore'],
    ['user-anonymous', '/USER'],
  ])('is open to strangers, too: %s', async (name, path) => {
    const page = await app.chrome.open();
    expect(await faultsAt(page, { name, address: addressOf(path) })).toEqual([]);
    expect(await page.textContent('main')).not.toContain('London');
  });

  it('breaks none of our own rules', () => {
    expect(app.chrome.complaints()).toEqual([]);
  });
});

describe('the pages of a queue', () => {
  it('show an administrator the error of a failed job, which a button retries', async () => {
    const job = await makeFailedJob(app, 'mails', new Error('SMTP server refused the connection'));
    const page = await app.openAs(await makeUser(app, { admin: true }), '/admin/queues');
    await page.getByRole('link', { name: 'mails', exact: true }).click();
    await page.getByText('SMTP server refused the connection').first().waitFor();
    expect(await faultsOf(page, 'queue')).toEqual([]);
    await page.goto(`${app.url}/admin/queues/mails/jobs/${job.id}`);
    await page.getByRole('region', { name: 'Stack trace' }).waitFor();
    expect(await faultsOf(page, 'job')).toEqual([]);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText(`Retrying job ${job.id}.`).waitFor();
    expect(app.chrome.complaints()).toEqual([]);
  });
});
