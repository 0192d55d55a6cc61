import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
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

  it('leaves out no value of a row on a telephone', async () => {
    await open(inProject('project_members')(), NARROW);
    await page.locator('[data-label=Expires]', { hasText: 'Never' }).first().waitFor();
    await open(inProject('error_tracking')(), NARROW);
    await page
      .locator('.item-facts')
      .getByText(/\d users?$/)
      .first()
      .waitFor();
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

/** Marks the controls that the Tab key comes to: of radio buttons the chosen one, of a toolbar none. */
const MARK_CONTROLS = `(() => {
  const all = document.querySelectorAll('a[href], button, input, select, textarea, summary');
  const controls = [...all].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0 &&
    !one.matches(':disabled, [type=hidden], [type=radio]:not(:checked), markdown-toolbar *'));
  for (const one of controls) one.dataset.unreached = '';
  return controls.length;
})()`;
const UNREACHED = `[...document.querySelectorAll('[data-unreached]')].map((one) => one.outerHTML.slice(0, 120))`;
/**
 * The control with the focus, whose mark goes, and true if its focus can be seen; null at the end
 * of the page. The boxes around the texts of searches show the focus of these.
 */
const FOCUSED = `(() => {
  const control = document.activeElement;
  if (control === document.body) return null;
  delete control.dataset.unreached;
  const { top, bottom, left, right } = control.getBoundingClientRect();
  const isInSight = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  const box = control.matches('.top-bar .search input, .filter-bar > .suggesting > input')
    ? control.closest('.search, .filter-bar') : control;
  const isVisible = isInSight && getComputedStyle(box).outlineStyle !== 'none';
  return { text: control.outerHTML.slice(0, 120), isVisible };
})()`;

describe('the keyboard', () => {
  it.each(['issues', 'issues/3', 'alert_management/2/details', 'labels'])(
    'comes to all controls of a page, with the focus in sight: %s',
    async (path) => {
      await open(inProject(path)(), WIDE);
      const count = Number(await page.evaluate(MARK_CONTROLS));
      const reached: { text: string; isVisible: boolean }[] = [];
      for (let at = 0; at <= count + 20; at += 1) {
        await page.keyboard.press('Tab');
        const focused = (await page.evaluate(FOCUSED)) as (typeof reached)[number] | null;
        if (focused === null) break;
        reached.push(focused);
      }
      expect(reached[0]?.text).toContain('Skip to content');
      expect(reached.filter(({ isVisible }) => !isVisible)).toEqual([]);
      expect(await page.evaluate(UNREACHED)).toEqual([]);
    },
  );

  it('stays at a form that leads back to its page', async () => {
    await open(inProject('labels')(), WIDE);
    const form = page.locator('main form[action$="/subscription"]').nth(1);
    await press(form.getByRole('button'));
    await loaded(page.getByRole('status').first());
    expect(await page.evaluate("document.activeElement.form?.getAttribute('action')")).toBe(
      await form.getAttribute('action'),
    );
  });

  it('stays at the attribute that it changed, and where it was if a dialog was cancelled', async () => {
    await open(inProject('issues/3')(), WIDE);
    await press(page.getByLabel('Edit Due date'));
    const form = page.getByRole('form', { name: 'Due date' });
    await form.getByLabel('Due date').fill('2031-04-01');
    await press(form.getByRole('button', { name: 'Save' }));
    await loaded(page.locator('aside').getByText('Apr 1, 2031'));
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Edit Due date');
    await press(page.getByLabel('More actions for issue #3'));
    await press(page.locator('summary', { hasText: 'Delete' }));
    await press(page.getByRole('button', { name: 'Cancel' }));
    await page.reload();
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  });
});

async function press(control: Locator): Promise<void> {
  await control.focus();
  await page.keyboard.press('Enter');
}

/** Resolves once the page that has the outcome of an action has run its script. */
async function loaded(result: Locator): Promise<void> {
  await result.waitFor();
  await page.waitForLoadState();
}

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
