import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { api } from '../support/api-client.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import {
  makeGroup,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';
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

const LONG = 'Workshop of weavers, dyers, tailors and everybody else who has to do with cloth';

/** The group `cloth` with members, subgroups and projects whose names are long. */
async function furnishGroup(): Promise<void> {
  const group = await makeOwnedGroup(
    app,
    { user },
    { path: 'cloth', name: LONG, description: LONG },
  );
  const role = 'developer';
  for (const name of ['Grace Hopper', 'Wolfeschlegelsteinhausenbergerdorff the Younger']) {
    await makeMember(app, { group, role, user: await makeUser(app, { name }) });
  }
  const guest = await makeUser(app, { name: 'Barbara Liskov' });
  await makeMember(app, { group, role: 'guest', user: guest, expiresAt: '2099-12-31' });
  await makeGroup(app, { parentId: group.id, name: 'Dyers', visibility: 'internal' });
  await makeProject(app, { namespaceId: group.id, name: LONG, description: `${LONG}.` });
  await makeProject(app, { namespaceId: group.id, name: 'Loom', visibility: 'public' });
}

describe('groups in the browser', () => {
  it('are made by a form that says at its fields what is wrong, without a script', async () => {
    const taken = await makeGroup(app, { visibility: 'public' });
    const page = await open('/dashboard/groups', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'New group' }).first().click();
    await page.fill('[name=name]', 'Weavers');
    await page.fill('[name=path]', taken.path);
    await page.getByLabel('Internal').check();
    await page.getByRole('button', { name: 'Create group' }).click();
    expect(await page.textContent('[role=alert]')).toContain('has already been taken');
    expect(await page.getAttribute('[name=path]', 'aria-invalid')).toBe('true');
    expect(await page.getByLabel('Internal').isChecked()).toBe(true);
    const path = unique('weavers');
    await page.fill('[name=path]', path);
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.getByText('Group created.').waitFor();
    expect(page.url()).toBe(`${app.url}/groups/${path}`);
    expect(await page.textContent('h1')).toBe('Weavers');
  });

  it('show a refused form to everyone alike', async () => {
    const taken = await makeGroup(app, { visibility: 'public' });
    const page = await open('/groups/new');
    await page.fill('[name=name]', 'Weavers');
    await page.fill('[name=path]', taken.path);
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('alert').waitFor();
    expect(await faultsOf(page, 'group-new-refused')).toEqual([]);
  });

  it('take in members by name, change and remove them without a script', async () => {
    const group = await makeOwnedGroup(app, { user });
    const grace = await makeUser(app, { name: 'Grace Hopper' });
    const page = await open(`/groups/${group.fullPath}/-/group_members`, {
      javaScriptEnabled: false,
    });
    await page.locator('summary', { hasText: 'Add member' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a member to this group' });
    await dialog.locator('[name=username]').fill('nobody-of-this-name');
    await dialog.getByRole('button', { name: 'Add member' }).click();
    const add = page.getByRole('form', { name: 'Add member' });
    expect(await add.locator('[name=username]').getAttribute('aria-invalid')).toBe('true');
    await add.locator('[name=username]').fill(grace.username);
    await add.locator('[name=access_level]').selectOption({ label: 'Reporter' });
    await add.getByRole('button').click();
    await page.getByText('Member added.').waitFor();
    const row = page.getByRole('row', { name: 'Grace Hopper' });
    expect(await row.textContent()).toContain('Reporter');
    await row.locator('summary', { hasText: 'Change' }).click();
    await row.locator('[name=access_level]').selectOption({ label: 'Maintainer' });
    await row.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Member updated.').waitFor();
    expect(await row.textContent()).toContain('Maintainer');
    await row.locator('summary', { hasText: 'Remove' }).click();
    await row.getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('Member removed.').waitFor();
    expect(await row.count()).toBe(0);
  });

  it('give a program a token whose value is shown once and works', async () => {
    const group = await makeOwnedGroup(app, { user });
    const page = await open(`/groups/${group.fullPath}/-/settings/access_tokens`);
    await page.fill('[name=name]', 'Robot');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('alert').waitFor();
    expect(await faultsOf(page, 'group-token-refused')).toEqual([]);
    await page.getByLabel('read_api').check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const value = await page.getByLabel('Token “Robot”', { exact: true }).inputValue();
    expect(await faultsOf(page, 'group-token-shown')).toEqual([]);
    await api(app.url, value).get(`/groups/${group.id}`).expect(200);
    await page.goto(page.url());
    expect(await page.content()).not.toContain(value);
    await page.locator('summary', { hasText: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('Token revoked.').waitFor();
    await api(app.url, value).get(`/groups/${group.id}`).expect(401);
  });

  it('are deleted only after a question', async () => {
    const group = await makeOwnedGroup(app, { user });
    const page = await open(`/groups/${group.fullPath}/-/edit`);
    const confirm = page.getByRole('button', { name: `Delete ${group.path}` });
    expect(await confirm.isVisible()).toBe(false);
    await page.locator('summary', { hasText: 'Delete group' }).click();
    expect(await faultsOf(page, 'group-delete')).toEqual([]);
    const dialog = page.getByRole('dialog', { name: 'Delete group' });
    await dialog.getByLabel(`Enter ${group.fullPath} to confirm`).fill(group.fullPath);
    await confirm.click();
    await page.getByText(`Group ${group.fullPath} deleted.`).waitFor();
  });
});

describe('a page of a group', () => {
  let page: Page;
  beforeAll(async () => {
    await furnishGroup();
    page = await open('/dashboard/groups');
  });

  it.each([
    ['groups-none', '/dashboard/groups?search=nothing'],
    ['group', '/groups/cloth'],
    ['group-subgroups', '/groups/cloth/-/subgroups'],
    ['group-members', '/groups/cloth/-/group_members'],
    ['group-members-direct', '/groups/cloth/-/group_members?inherited=false'],
  ])('is free of barriers and fits a telephone: %s', async (name, path) => {
    expect(await faultsAt(page, { name, address: `${app.url}${path}` })).toEqual([]);
  });

  it('stays so while the role of a member is changed', async () => {
    await page.goto(`${app.url}/groups/cloth/-/group_members`);
    await page.locator('summary', { hasText: 'Change' }).first().click();
    expect(await faultsOf(page, 'group-member-change')).toEqual([]);
  });

  it('breaks none of our own rules', () => {
    expect(app.chrome.complaints()).toEqual([]);
  });
});
