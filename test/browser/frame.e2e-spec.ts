import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeBusyProject, type BusyProject } from '../support/busy-project.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
/** Greatest distance of the content from the top of a wide screen, in CSS pixels. */
const CONTENT_TOP = 120;
/** The same for the first row of a list on a telephone. */
const FIRST_ROW_TOP = 220;
/** The first element below the head of the page. */
const CONTENT = `(() => {
  const head = document.querySelector('main .page-head');
  for (let at = head; at.tagName !== 'MAIN'; at = at.parentElement) {
    if (at.nextElementSibling) return at.nextElementSibling.getBoundingClientRect().top;
  }
})()`;
const FIRST_ROW = `Math.min(...[...document.querySelectorAll('main :is(.item, tbody tr, .card li)')]
  .map((row) => row.getBoundingClientRect().top))`;

let app: BrowserApp;
let user: MadeUser;
let project: BusyProject;
let page: Page;

beforeAll(async () => {
  app = await sharedBrowserApp();
  user = await makeUser(app, { username: unique('jane'), name: 'Jane West', admin: true });
  project = await makeBusyProject(app, user);
  page = await app.pageAs(user);
  await app.dataSource.query(
    `INSERT INTO storage_move_batches (kind, source_storage_name, finished_at)
     VALUES ('project', 'default', now())`,
  );
});
afterAll(() => app.close());

const inProject = (path: string) => (): string => `/${project.fullPath}/-/${path}`;

const LISTS: [name: string, path: () => string][] = [
  ['projects', () => '/dashboard/projects'],
  ['explore', () => '/explore'],
  ['search', () => `/search?search=${project.fullPath.split('/').at(-1)}`],
  ['group', () => `/groups/${project.groupPath}/-/subgroups`],
  ['files', inProject('tree/main')],
  ['commits', inProject('commits/main')],
  ['branches', inProject('branches')],
  ['issues', inProject('issues')],
  ['merge requests', inProject('merge_requests')],
  ['alerts', inProject('alert_management')],
  ['errors', inProject('error_tracking')],
  ['members', inProject('project_members')],
  ['users', () => '/admin/users'],
  ['storage moves', () => '/admin/storage_moves'],
];
const DETAILS: [name: string, path: () => string][] = [
  ['home', () => '/'],
  ['to-dos', () => '/dashboard/todos'],
  ['project', () => `/${project.fullPath}`],
  ['issue', inProject('issues/3')],
  ['merge request', () => project.mergeRequestPath],
  ['changes', () => `${project.mergeRequestPath}/diffs`],
  ['alert', inProject('alert_management/2/details')],
  ['error', () => project.errorPath],
  ['settings', inProject('edit')],
  ['administration', () => '/admin'],
  ['audit log', () => '/admin/audit_logs'],
];

async function open(path: string, viewport: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(viewport);
  const response = await page.goto(app.url + path, { waitUntil: 'networkidle' });
  expect(response?.status()).toBe(200);
}

describe('the frame of a page', () => {
  it.each([...LISTS, ...DETAILS])('leaves the screen to the content: %s', async (_, path) => {
    await open(path(), WIDE);
    expect(await page.evaluate(CONTENT)).toBeLessThanOrEqual(CONTENT_TOP);
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(WIDE.width);
  });

  it.each(LISTS)('shows the first row of a list on a telephone: %s', async (_, path) => {
    await open(path(), NARROW);
    expect(await page.evaluate(FIRST_ROW)).toBeLessThanOrEqual(FIRST_ROW_TOP);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW.width);
  });

  it('names the page, its section and its project in the title of the document', async () => {
    await open(inProject('issues/3')(), WIDE);
    expect(await page.title()).toBe(
      `Let customers save more than one address (#3) · Issues · ${project.fullPath} · Guildhall`,
    );
  });

  it('marks the current page in the sidebar, also for pages below it', async () => {
    for (const [path, entry] of [
      ['issues/3', 'Issues'],
      ['blob/main/README.md', 'Files'],
      ['tags', 'Branches'],
      ['settings/alerts', 'Settings'],
    ] as const) {
      await open(inProject(path)(), WIDE);
      const current = page.locator('.sidebar [aria-current] span');
      expect(await current.allTextContents()).toEqual([entry]);
    }
  });
});

describe('the sidebar', () => {
  it('is a drawer on narrow screens that opens without a script', async () => {
    const telephone = await app.openAs(user, `/${project.fullPath}`, {
      javaScriptEnabled: false,
      viewport: NARROW,
    });
    expect(await telephone.locator('.sidebar').isVisible()).toBe(false);
    await telephone.getByRole('button', { name: 'Navigation' }).click();
    await telephone.getByRole('link', { name: 'Issues' }).click();
    await telephone.waitForURL(/\/-\/issues$/);
  });

  it('stays collapsed on the next page, and the theme stays chosen', async () => {
    await open(inProject('issues')(), WIDE);
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
    await page.getByRole('button', { name: 'Expand sidebar' }).waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.waitForSelector('[data-theme=dark]');
    await open(inProject('alert_management')(), WIDE);
    expect(await page.evaluate("document.querySelector('.sidebar').offsetWidth")).toBeLessThan(60);
    expect(await page.evaluate('getComputedStyle(document.body).colorScheme')).toBe('dark');
  });
});
