import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import { makeMember, makeOwnedGroup, makeProject } from '../support/project-factories.js';
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

const LONG = 'Punched cards for looms that weave algebraical patterns just as flowers and leaves';

describe('projects in the browser', () => {
  it('are made by a form that keeps what was typed in when it is refused', async () => {
    const taken = await makeProject(app, { namespaceId: user.namespaceId });
    const page = await open('/projects/new');
    await page.fill('[name=name]', 'Loom');
    await page.fill('[name=path]', taken.path);
    await page.fill('[name=description]', 'Weaves');
    await page.getByLabel('Add a README').check();
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.inputValue('[name=description]')).toBe('Weaves');
    expect(await page.getByLabel('Add a README').isChecked()).toBe(true);
    expect(await faultsOf(page, 'project-new-refused')).toEqual([]);
    const path = unique('loom');
    await page.fill('[name=path]', path);
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('Project created.').waitFor();
    const address = `${app.url}/${user.username}/${path}`;
    expect(page.url()).toBe(address);
    expect(await page.getByLabel('Clone URL', { exact: true }).inputValue()).toBe(`${address}.git`);
    expect(await page.getByText('Empty repository').count()).toBe(0);
  });

  it('are made in a group, and tell how to begin, without a script', async () => {
    const group = await makeOwnedGroup(app, { user });
    const page = await open(`/groups/${group.fullPath}`, { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'New project' }).first().click();
    await page.fill('[name=name]', 'Spinning wheel');
    const readme = page.getByLabel('Add a README');
    if (await readme.isChecked()) await readme.uncheck();
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('Project created.').waitFor();
    expect(page.url()).toBe(`${app.url}/${group.fullPath}/spinning-wheel`);
    await page.getByText('Empty repository').waitFor();
    expect(await page.textContent('pre')).toContain(
      `git clone ${app.url}/${group.fullPath}/spinning-wheel.git`,
    );
  });

  it('can be created and explored by who has none', async () => {
    const page = await app.openAs(await makeUser(app), '/dashboard/projects');
    await page.getByRole('link', { name: 'Explore public projects' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'New project' }).waitFor();
    expect(await page.locator('main .btn[data-variant=primary]:visible').count()).toBe(1);
  });

  it('are changed, archived and deleted by their owner', async () => {
    const group = await makeOwnedGroup(app, { user });
    const project = await makeProject(app, { namespaceId: group.id, files: { a: 'a' } });
    const page = await open(`/${project.fullPath}/-/edit`);
    await page.fill('[name=topics]', 'weaving, cards');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Project updated.').waitFor();
    await page.getByRole('button', { name: 'Archive project' }).click();
    await page.getByText('Project archived.').waitFor();
    await page.goto(`${app.url}/${project.fullPath}`);
    await page.locator('.badge', { hasText: 'Archived' }).waitFor();
    expect(await faultsOf(page, 'project-archived')).toEqual([]);
    await page.goto(`${app.url}/${project.fullPath}/-/edit`);
    await page.locator('summary', { hasText: 'Delete project' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete project' });
    await dialog.getByLabel(`Enter ${project.fullPath} to confirm`).fill(project.fullPath);
    await page.getByRole('button', { name: `Delete ${project.path}` }).click();
    await page.getByText(`Project ${project.fullPath} deleted.`).waitFor();
  });
});

describe('a page of a project', () => {
  let page: Page;
  beforeAll(async () => {
    const group = await makeOwnedGroup(app, { user }, { path: 'weavers', name: 'Weavers' });
    const project = await makeProject(app, {
      namespaceId: group.id,
      name: LONG,
      path: 'punched-cards-for-looms',
      description: `${LONG}. ${LONG}.`,
      topics: ['weaving', 'punched-cards', 'analytical-engine'],
      visibility: 'public',
      files: { 'README.md': '# Cards\n' },
    });
    const grace = await makeUser(app, { name: 'Grace Hopper' });
    await makeMember(app, { project, user: grace, role: 'developer', expiresAt: '2099-12-31' });
    page = await open('/dashboard/projects');
  });

  it.each([
    ['projects-none', '/dashboard/projects?search=nothing'],
    ['project', '/weavers/punched-cards-for-looms'],
    ['project-members', '/weavers/punched-cards-for-looms/-/project_members'],
  ])('is free of barriers and fits a telephone: %s', async (name, path) => {
    expect(await faultsAt(page, { name, address: `${app.url}${path}` })).toEqual([]);
  });

  it('breaks none of our own rules', () => {
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('shows strangers a public project without what they may not do', async () => {
    const { namespaceId } = user;
    const project = await makeProject(app, {
      namespaceId,
      visibility: 'public',
      files: { a: 'a' },
    });
    const page = await app.chrome.open();
    await page.goto(`${app.url}/${project.fullPath}`);
    const tabs = await page.locator('nav[aria-label=Project] a').allTextContents();
    expect(tabs).not.toContain('Settings');
    expect(await page.locator('form[method=post]').count()).toBe(0);
    expect(await faultsOf(page, 'project-anonymous')).toEqual([]);
  });
});
