import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import { makeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';
import { faultsOf, faultsAt } from './inspect.js';

let app: BrowserApp;
let user: MadeUser;
beforeAll(async () => {
  app = await sharedBrowserApp();
  user = await makeUser(app, { username: unique('ada'), name: 'Ada Lovelace' });
});
afterAll(() => app.close());

const open = (path: string, options?: BrowserContextOptions): Promise<Page> =>
  app.openAs(user, path, options);

const LONG_LINE =
  'for every card that is punched the loom lifts another thread of the warp; '.repeat(4);

describe('snippets in the browser', () => {
  it('are made, changed and deleted without a script', async () => {
    const page = await open('/-/snippets/new', { javaScriptEnabled: false });
    await page.fill('[name=title]', 'Bernoulli numbers');
    await page.getByLabel('File name').first().fill('b.py');
    await page.getByLabel('Content').first().fill('print("<b>1</b>")\nprint(2)\n');
    await page.getByRole('button', { name: 'Create snippet' }).click();
    await page.getByText('Snippet created.').waitFor();
    expect(await page.textContent('h1')).toBe('Bernoulli numbers');
    expect(await page.textContent('main')).toContain('print("<b>1</b>")');
    await page.getByRole('link', { name: 'Edit' }).click();
    expect(await page.getByLabel('Content').first().inputValue()).toBe(
      'print("<b>1</b>")\nprint(2)\n',
    );
    await page.getByLabel('Content').first().fill('print(3)\n');
    await page.getByLabel('File name').last().fill('notes/second.txt');
    await page.getByLabel('Content').last().fill('A second file\n');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Snippet changed.').waitFor();
    const text = await page.textContent('main');
    expect(text).toContain('print(3)');
    expect(text).toContain('notes/second.txt');
    await page.getByLabel(/^More actions/).click();
    await page.locator('summary', { hasText: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete snippet' }).click();
    await page.getByText('Snippet deleted.').waitFor();
  });

  it('are changed although one of their files is empty', async () => {
    const files = { 'a.txt': '', 'b.txt': 'B\n' };
    const { id } = await makeSnippet(app, { authorId: user.id, files });
    const page = await open(`/-/snippets/${id}/edit`);
    await page.fill('[name=title]', 'Another title');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Snippet changed.').waitFor();
    expect(await page.textContent('h1')).toBe('Another title');
  });

  it('are refused with the files that were typed in and what is wrong with them', async () => {
    const page = await open('/-/snippets/new');
    await page.fill('[name=title]', 'Bernoulli numbers');
    await page.getByLabel('File name').first().fill('../b.py');
    await page.getByLabel('Content').first().fill('print(1)\n');
    await page.getByRole('button', { name: 'Create snippet' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Content').first().inputValue()).toBe('print(1)\n');
    expect(await page.getByLabel('File name').first().inputValue()).toBe('../b.py');
    expect(await faultsOf(page, 'snippet-new-refused')).toEqual([]);
  });
});

describe('a page of snippets', () => {
  let page: Page;
  let ids: { own: number; ofProject: number };
  beforeAll(async () => {
    const authorId = user.id;
    const project = await makeProject(app, { namespaceId: user.namespaceId, path: 'engine' });
    await makeSnippet(app, { authorId });
    const { id: ofProject } = await makeSnippet(app, { authorId, projectId: project.id });
    const { id: own } = await makeSnippet(app, {
      authorId,
      title: 'A table of Bernoulli numbers, and how the engine would compute it by itself',
      description: 'The first program.\nIt was never run.',
      files: { 'b.py': `x = 1\n${LONG_LINE}\n`, 'empty.txt': '', 'notes/long.md': '# Notes\n' },
    });
    ids = { own, ofProject };
    page = await open('/-/snippets');
  });

  it.each([
    ['snippet', () => `/-/snippets/${ids.own}`],
    ['snippet-edit', () => `/-/snippets/${ids.own}/edit`],
    ['snippets-project', () => `/${user.username}/engine/-/snippets`],
    ['snippet-project', () => `/${user.username}/engine/-/snippets/${ids.ofProject}`],
  ])('is free of barriers and fits a telephone: %s', async (name, path) => {
    expect(await faultsAt(page, { name, address: `${app.url}${path()}` })).toEqual([]);
  });

  it('says so when there are none', async () => {
    const other = await app.openAs(await makeUser(app), '/-/snippets');
    await other.getByText('No snippets yet').waitFor();
    expect(await faultsOf(other, 'snippets-none')).toEqual([]);
  });

  it('breaks none of our own rules', () => {
    expect(app.chrome.complaints()).toEqual([]);
  });
});
