import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';
import { faultsOf } from './inspect.js';

const SOURCE = Array.from({ length: 30 }, (_, at) => `const a${at} = ${at}; // line`).join('\n');
const README = '# Cards\n\n```js\nconst cards = 1;\n```\n';

let app: BrowserApp;
let user: MadeUser;
let project: MadeProject;
beforeAll(async () => {
  app = await sharedBrowserApp();
  user = await makeUser(app);
  const files = { 'README.md': README, 'weave.js': SOURCE };
  project = await makeProject(app, { namespaceId: user.namespaceId, files });
});
afterAll(async () => {
  expect(app.chrome.complaints()).toEqual([]);
  await app.close();
});

const clipboard = (page: Page): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');

describe('times', () => {
  it('are relative, with the local time in their title', async () => {
    const page = await app.openAs(user, `/${project.fullPath}`, { timezoneId: 'Asia/Tokyo' });
    const time = "document.querySelector('dd relative-time')";
    expect(await page.evaluate(`${time}.shadowRoot.textContent`)).toMatch(/now|ago/);
    expect(await page.evaluate(`${time}.title`)).toContain('GMT+9');
  });

  it('are absolute without a script', async () => {
    const page = await app.openAs(user, `/${project.fullPath}`, { javaScriptEnabled: false });
    const text = await page.locator('dd relative-time').first().innerText();
    expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  });
});

describe('the time zone of the preferences', () => {
  it('is that of times, with and without a script', async () => {
    const page = await app.openAs(user, '/-/user_settings/preferences', {
      javaScriptEnabled: false,
    });
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.goto(`${app.url}/${project.fullPath}`);
    const text = await page.locator('dd relative-time').first().innerText();
    expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d GMT\+9$/);
    const scripted = await page.context().browser()?.newContext();
    await scripted?.addCookies(await page.context().cookies());
    const other = await scripted?.newPage();
    await other?.goto(`${app.url}/${project.fullPath}`, { waitUntil: 'networkidle' });
    const time = "document.querySelector('dd relative-time')";
    expect(await other?.evaluate(`${time}.title`)).toContain('GMT+9');
    await scripted?.close();
  });
});

describe('copy buttons', () => {
  const permissions = ['clipboard-read', 'clipboard-write'];

  it('copy the value of a field and say so', async () => {
    const page = await app.openAs(user, `/${project.fullPath}`, { permissions });
    await page.getByRole('button', { name: 'Copy clone URL' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(await clipboard(page)).toBe(`${app.url}/${project.fullPath}.git`);
  });

  it('copy code blocks, by keyboard as well', async () => {
    const page = await app.openAs(user, `/${project.fullPath}`, { permissions });
    await page.getByRole('button', { name: 'Copy code' }).press('Enter');
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(await clipboard(page)).toBe('const cards = 1;\n');
  });

  it('are not there without a script', async () => {
    const page = await app.openAs(user, `/${project.fullPath}`, { javaScriptEnabled: false });
    expect(await page.locator('clipboard-copy').count()).toBeGreaterThan(0);
    expect(await page.locator('clipboard-copy:visible').count()).toBe(0);
  });
});

describe('code', () => {
  it('is highlighted in files and in Markdown', async () => {
    const page = await app.openAs(user, `/${project.fullPath}/-/blob/main/weave.js`);
    expect(await page.locator('#L3 .h-keyword').textContent()).toBe('const');
    await page.goto(`${app.url}/${project.fullPath}`);
    expect(await page.locator('.markdown pre .h-keyword').textContent()).toBe('const');
  });

  it('has addresses for ranges of lines', async () => {
    const page = await app.openAs(user, `/${project.fullPath}/-/blob/main/weave.js#L3-5`);
    const marked = page.locator('.marked');
    await marked.nth(2).waitFor();
    const ids = "[...document.querySelectorAll('.marked')].map(({ id }) => id)";
    expect(await page.evaluate(ids)).toEqual(['L3', 'L4', 'L5']);
    await page.locator('#L9 a').click();
    expect(new URL(page.url()).hash).toBe('#L9');
    await page.locator('#L7 a').click({ modifiers: ['Shift'] });
    expect(new URL(page.url()).hash).toBe('#L7-9');
    await marked.nth(2).waitFor();
    expect(await marked.count()).toBe(3);
  });
});

describe('dangerous actions', () => {
  const edit = (): string => `/${project.fullPath}/-/edit`;

  it('ask in a dialog that Escape and Cancel close', async () => {
    const page = await app.openAs(user, edit());
    const dialog = page.getByRole('dialog', { name: `Delete project ${project.fullPath}?` });
    const opener = page.locator('summary', { hasText: 'Delete project' });
    await opener.click();
    await dialog.waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('confirmed_path');
    expect(await faultsOf(page, 'part-dialog')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.localName')).toBe('summary');
    await opener.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(page.url()).toBe(app.url + edit());
  });

  it('want the path of a project', async () => {
    const page = await app.openAs(user, edit());
    await page.locator('summary', { hasText: 'Delete project' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete project' });
    const field = dialog.getByLabel(`Enter ${project.fullPath} to confirm`);
    for (const path of ['', 'other', `${project.fullPath}x`]) {
      await field.fill(path);
      await page.keyboard.press('Enter');
      expect(await dialog.locator('input[name=confirmed_path]:invalid').count()).toBe(1);
    }
    expect(page.url()).toBe(app.url + edit());
  });

  it('work without a script', async () => {
    const doomed = await makeProject(app, { namespaceId: user.namespaceId });
    const page = await app.openAs(user, `/${doomed.fullPath}/-/edit`, { javaScriptEnabled: false });
    await page.locator('summary', { hasText: 'Delete project' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete project' });
    expect(await dialog.getByText(`Delete project ${doomed.fullPath}?`).isVisible()).toBe(true);
    await dialog.getByLabel(`Enter ${doomed.fullPath} to confirm`).fill(doomed.fullPath);
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: `Delete ${doomed.path}` }).click();
    await page.getByText(`Project ${doomed.fullPath} deleted.`).waitFor();
  });
});

describe('keyboard shortcuts', () => {
  it('lead to pages, to the search and through lists', async () => {
    const page = await app.openAs(user, `/${project.fullPath}`);
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.waitForURL(/\/-\/tree/);
    await page.keyboard.press('j');
    const focused = "document.activeElement.closest('tr, li').textContent";
    expect(await page.evaluate(focused)).toContain('README.md');
    await page.keyboard.press('j');
    expect(await page.evaluate(focused)).toContain('weave.js');
    await page.keyboard.press('k');
    expect(await page.evaluate(focused)).toContain('README.md');
    await page.goto(`${app.url}/${project.fullPath}/-/issues`);
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
    await page.keyboard.type('gf');
    expect(page.url()).toMatch(/\/-\/issues$/);
  });

  it('are listed, and can be turned off', async () => {
    const page = await app.openAs(user, `/${project.fullPath}/-/issues`);
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(await list.textContent()).toContain('gmGo to merge requests');
    expect(await faultsOf(page, 'part-hotkeys')).toEqual([]);
    await list.getByLabel('Use keyboard shortcuts').click();
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.type')).toBeUndefined();
  });
});

describe('the command palette', () => {
  it('leads to pages, actions and what is found, by keyboard', async () => {
    const page = await app.openAs(user, `/${project.fullPath}`);
    await page.keyboard.press('ControlOrMeta+k');
    const dialog = page.getByRole('dialog', { name: 'Command palette' });
    const field = dialog.getByRole('combobox', { name: 'Search or jump to' });
    const selected = dialog.getByRole('option', { selected: true });
    expect(await selected.textContent()).toBe('Overview');
    await page.keyboard.press('ArrowDown');
    expect(await selected.textContent()).toBe('Activity');
    expect(await faultsOf(page, 'part-palette')).toEqual([]);
    await page.keyboard.type('new iss');
    expect(await selected.textContent()).toBe('New issue');
    await field.fill(project.name);
    await dialog.getByRole('group', { name: 'Projects' }).waitFor();
    expect(await selected.getAttribute('href')).toBe(`/${project.fullPath}`);
    expect(await dialog.getByRole('status').textContent()).toBe('2 results');
    expect(await faultsOf(page, 'part-palette-results')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('branches');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/-\/branches$/);
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('zzzz');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?search=zzzz$/);
  });
});

describe('search', () => {
  it('works without a script and signed out', async () => {
    const open = await makeProject(app, { namespaceId: user.namespaceId, visibility: 'public' });
    const page = await app.chrome.open({ javaScriptEnabled: false });
    await page.goto(`${app.url}/explore/snippets`);
    await page.getByRole('searchbox', { name: 'Search' }).fill(open.name);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: open.name }).click();
    expect(new URL(page.url()).pathname).toBe(`/${open.fullPath}`);
  });

  it('has no barriers', async () => {
    const page = await app.openAs(user, `/search?search=${project.name.slice(0, 12)}`);
    expect(await faultsOf(page, 'search')).toEqual([]);
    await page.goto(`${app.url}/search?search=zz`);
    expect(await faultsOf(page, 'search-short')).toEqual([]);
  });
});

describe('avatars', () => {
  it('without an image have initials on a colour of their own', async () => {
    const page = await app.openAs(user, `/${project.fullPath}`);
    const avatar = page.locator('.avatar[data-kind=user]').first();
    expect(await avatar.getAttribute('data-hue')).toBe(String(user.id % 8));
  });
});

describe('the comment box', () => {
  it('formats and previews what is written', async () => {
    const page = await app.openAs(user, `/${project.fullPath}/-/issues/new`);
    const field = page.locator('textarea[name=description]');
    await field.fill('loud');
    await field.press('ControlOrMeta+a');
    await page.getByRole('button', { name: 'Bold' }).click();
    expect(await field.inputValue()).toBe('**loud**');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    expect(await preview.locator('strong').textContent()).toBe('loud');
    expect(await field.isVisible()).toBe(false);
    expect(await faultsOf(page, 'part-preview')).toEqual([]);
    await page.getByRole('button', { name: 'Preview' }).click();
    expect(await field.isVisible()).toBe(true);
    expect(await faultsOf(page, 'part-toolbar')).toEqual([]);
  });

  it('has no buttons without a script', async () => {
    const path = `/${project.fullPath}/-/issues/new`;
    const page = await app.openAs(user, path, { javaScriptEnabled: false });
    expect(await page.getByRole('button', { name: 'Preview' }).isVisible()).toBe(false);
  });
});

describe('the style guide', () => {
  it('shows administrators all components', async () => {
    const page = await app.openAs(await makeUser(app, { admin: true }), '/-/styleguide');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Style guide');
    expect(await page.locator('.code-lines .h-keyword').count()).toBeGreaterThan(0);
    expect(await faultsOf(page, 'part-styleguide')).toEqual([]);
    const refused = await app.openAs(user, '/-/styleguide');
    expect(await refused.getByRole('heading', { level: 1 }).textContent()).not.toBe('Style guide');
  });
});

describe('the API reference', () => {
  it('sends requests with the session, and warns of those that change data', async () => {
    const page = await app.openAs(user, '/-/docs/api/issues');
    const create = page.locator('.operation[data-method=post]', { hasText: 'Creates an issue' });
    await create.getByRole('button', { name: 'Try it' }).click();
    expect(await create.locator('.alert').innerText()).toContain('changes data');
    await create.getByLabel('id', { exact: true }).fill(project.fullPath);
    await create.getByLabel('JSON body').fill('{"title": "From the reference"}');
    await create.getByRole('button', { name: 'Send POST request' }).click();
    await create.getByRole('status').getByText('201 Created').waitFor();
    const list = page.locator('.operation[data-method=get]', {
      hasText: 'Lists the issues of a project',
    });
    await list.getByRole('button', { name: 'Try it' }).click();
    await list.getByLabel('id', { exact: true }).fill(project.fullPath);
    await list.getByLabel('state').selectOption('opened');
    await list.getByRole('button', { name: 'Send GET request' }).click();
    expect(await list.locator('.try-it pre').innerText()).toContain('From the reference');
    expect(await list.getByRole('status').innerText()).toContain('/issues?state=opened');
  });

  it('sends nothing beyond the path of the operation', async () => {
    const page = await app.openAs(user, '/-/docs/api/issues');
    const list = page.locator('.operation[data-method=get]', {
      hasText: 'Lists the issues of a project',
    });
    await list.getByRole('button', { name: 'Try it' }).click();
    await list.getByLabel('id', { exact: true }).fill('..');
    await list.locator('.btn', { hasText: 'Send' }).click();
    expect(await list.getByRole('status').innerText()).toContain('cannot be ".."');
  });

  it('marks the position, and shows one language on all of the page', async () => {
    const page = await app.openAs(user, '/-/docs/api/milestones');
    expect(await faultsOf(page, 'api-reference')).toEqual([]);
    await page.getByLabel('Python').first().check();
    expect(await page.locator('[data-language=python]').first().isVisible()).toBe(true);
    expect(await page.locator('[data-language=curl]').first().isVisible()).toBe(false);
    await page.evaluate('document.querySelectorAll(".operation")[3].scrollIntoView()');
    await page.locator('.on-page li:nth-child(4) a[aria-current]').waitFor({ state: 'attached' });
  });

  it('occupies the main thread for less than a second until its longest page is idle', async () => {
    const page = await app.openAs(user, '/-/docs/api/error-tracking');
    const devTools = await page.context().newCDPSession(page);
    // The thread's own time: other programs of the machine do not count.
    await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busyMs = async (): Promise<number> => {
      const { metrics } = await devTools.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity);
    };
    const before = await busyMs();
    await page.reload({ waitUntil: 'networkidle' });
    const busy = (await busyMs()) - before;
    await devTools.detach();
    expect(busy).toBeGreaterThan(0);
    expect(busy).toBeLessThan(1_000);
  });

  it('stays at the operation that a link leads to, and marks it', async () => {
    const page = await app.openAs(user, '/-/docs/api/merge-requests');
    for (const at of [11, 2]) {
      const link = page.locator(`.on-page li:nth-child(${at}) a`);
      await link.click();
      await page.locator(`.on-page li:nth-child(${at}) a[aria-current]`).waitFor();
      // Operations above get their height late.
      const top = 'document.querySelector(location.hash).getBoundingClientRect().top';
      await page.waitForFunction(`${top} < 100`);
    }
  });

  it('works without a script but for sending requests', async () => {
    const page = await app.openAs(user, '/-/docs/api', { javaScriptEnabled: false });
    await page.getByPlaceholder('Search operations').fill('snippet move');
    await page.getByPlaceholder('Search operations').press('Enter');
    await page.waitForURL(/search=snippet/);
    expect(await page.locator('#operations .item').count()).toBeGreaterThan(0);
    await page.locator('#operations a').first().click();
    await page.getByLabel('JavaScript').first().check();
    expect(await page.locator('[data-language=javascript]').first().isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Try it' }).count()).toBe(0);
  });
});
