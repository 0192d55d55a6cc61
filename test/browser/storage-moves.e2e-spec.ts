import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, makeUser, type MadeActor, type MadeUser } from '../support/factories.js';
import { holdAt, passAll, projectPageContext } from '../support/move-control.js';
import { makeMovableProject } from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';
import { faultsOf, faultsAt } from './inspect.js';

let app: BrowserApp;
let worker: INestApplicationContext;
let admin: MadeActor;
let owner: MadeUser;
beforeAll(async () => {
  app = await startBrowserApp();
  worker = await startTestWorker(app, { moveDrainSeconds: 1 });
  admin = await makeAdmin(app, { name: 'Ada Lovelace' });
  owner = await makeUser(app, { username: 'grace', name: 'Grace Hopper' });
  const limits = { max_in: 8, max_out: 8 };
  await admin.api.put('/storage_moves/storages/default', limits).expect(200);
  await admin.api.put('/storage_moves/storages/storage2', limits).expect(200);
});
afterEach(() => passAll(worker));
afterAll(async () => {
  await worker.close();
  await app.close();
});

const MOVES = '/admin/storage_moves';

/** A page of the administrator. */
const open = (path: string, options?: BrowserContextOptions): Promise<Page> =>
  app.openAs(admin.user, path, options);

/** Fills in the form for a move to the second storage, and sends it. */
async function schedule(page: Page, container: string): Promise<void> {
  await page.selectOption('[name=kind]', 'project');
  await page.fill('[name=container]', container);
  await page.selectOption('[name=destination_storage_name]', 'storage2');
  await page.getByRole('button', { name: 'Move repository' }).click();
}

const stateOf = (page: Page, state: string): Promise<void> =>
  page.locator('#move .badge', { hasText: new RegExp(`^${state}$`) }).waitFor();

describe('a storage move in the browser', () => {
  it('is seen from being scheduled to its end without loading its page anew', async () => {
    const project = await makeMovableProject(app, owner);
    const before = holdAt(worker, 'switch.before');
    const page = await open(`${MOVES}/new`);
    await schedule(page, `grace/${project.path}`);
    await page.waitForURL(/storage_moves\/project\/\d+$/);
    await page.evaluate('window.sameDocument = true');
    await before.reached;
    await stateOf(page, 'Switching');
    expect(await page.locator('#move progress').count()).toBe(1);
    expect(await faultsOf(page, 'move-running')).toEqual([]);
    const cleaning = holdAt(worker, 'clean-up.before-trash');
    before.release();
    await stateOf(page, 'Cleaning up');
    cleaning.release();
    await stateOf(page, 'Finished');
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    expect(await page.locator('#move[hx-get]').count()).toBe(0);
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'storage2',
      readOnly: false,
    });
    expect(await faultsOf(page, 'move-finished')).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('is cancelled by a button, and begun anew by another', async () => {
    const project = await makeMovableProject(app, owner);
    const hold = holdAt(worker, 'switch.before');
    const page = await open(`${MOVES}/new`);
    await schedule(page, String(project.id));
    await hold.reached;
    await page.getByRole('button', { name: 'Cancel move' }).click();
    await page.getByText('The move is being cancelled.').waitFor();
    hold.release();
    await stateOf(page, 'Failed');
    expect(await faultsOf(page, 'move-cancelled')).toEqual([]);
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'default',
      readOnly: false,
    });
    passAll(worker);
    await page.getByRole('button', { name: 'Retry move' }).click();
    await page.getByText('Move scheduled.').waitFor();
    await stateOf(page, 'Finished');
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'storage2',
      readOnly: false,
    });
  });

  it('is scheduled and followed without a script', async () => {
    const project = await makeMovableProject(app, owner);
    const page = await open(`${MOVES}/new`, { javaScriptEnabled: false });
    await schedule(page, `grace/${project.path}`);
    await page.getByText('Move scheduled.').waitFor();
    await eventually(async () => {
      await page.reload();
      expect(await page.textContent('#move .badge')).toBe('Finished');
    });
  });

  it('is refused at the field that names nothing', async () => {
    const page = await open(`${MOVES}/new`);
    await schedule(page, 'grace/nothing');
    expect(await page.textContent('[role=alert]')).toContain('does not exist');
    expect(await page.inputValue('[name=container]')).toBe('grace/nothing');
    expect(await page.getAttribute('[name=container]', 'aria-invalid')).toBe('true');
    expect(await faultsOf(page, 'move-new-refused')).toEqual([]);
  });

  it('is foretold before it is scheduled', async () => {
    const project = await makeMovableProject(app, owner);
    const page = await open(`${MOVES}/new`);
    await page.fill('[name=container]', `grace/${project.path}`);
    await page.selectOption('[name=destination_storage_name]', 'storage2');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('No blockers found.').waitFor();
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'default',
      readOnly: false,
    });
    expect(await faultsOf(page, 'move-forecast')).toEqual([]);
  });
});

describe('the list of moves', () => {
  it('gets on by itself and keeps the keyboard where it was', async () => {
    const path = 'a-project-with-a-name-that-is-rather-long-and-goes-on-for-a-while';
    const project = await makeMovableProject(app, owner, { path });
    const hold = holdAt(worker, 'switch.before');
    const { body } = await admin.api
      .post(`/projects/${project.id}/repository_storage_moves`, {
        destination_storage_name: 'storage2',
      })
      .expect(201);
    await hold.reached;
    const page = await open(MOVES);
    const row = page.locator(`#move-project-${body.id}`);
    await row.getByText('Switching').waitFor();
    await page.evaluate('window.sameDocument = true');
    await row.getByRole('link').first().focus();
    expect(await faultsOf(page, 'moves')).toEqual([]);
    hold.release();
    await row.getByText('Finished').waitFor();
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    expect(await page.evaluate('document.activeElement.textContent')).toBe(`#${body.id}`);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.selectOption('[name=state]', 'failed');
    await page.waitForURL(/state=failed/);
    expect(await page.locator(`#move-project-${body.id}`).count()).toBe(0);
    expect(app.chrome.complaints()).toEqual([]);
  });
});

describe('the pages about storages', () => {
  it.each([
    ['storages', '/admin/storages'],
    ['moves-groups', `${MOVES}?kind=group`],
    ['moves-drain', `${MOVES}/bulk`],
  ])('are free of barriers and fit a telephone: %s', async (name, path) => {
    const page = await app.pageAs(admin.user);
    expect(await faultsAt(page, { name, address: `${app.url}${path}` })).toEqual([]);
  });

  it('pause a storage, and say at the field what is wrong with a limit', async () => {
    const page = await open('/admin/storages/storage2');
    const limit = await page.inputValue('[name=max_in]');
    await page.fill('[name=max_in]', '64');
    await page.getByLabel('Paused').check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Storage storage2 updated.').waitFor();
    await page.locator('.badge', { hasText: 'Paused' }).waitFor();
    await page.goto(`${app.url}/admin/storages/storage2`);
    await page.getByLabel('Paused').uncheck();
    await page.fill('[name=max_in]', limit);
    await page.fill('[name=bytes_per_second]', '99999999999999999999');
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect(await page.getAttribute('[name=bytes_per_second]', 'aria-invalid')).toBe('true');
    expect(await faultsOf(page, 'storage-refused')).toEqual([]);
    await page.fill('[name=bytes_per_second]', '');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Storage storage2 updated.').waitFor();
  });

  it('drain a storage after a preview, in a dialog that names the consequence', async () => {
    const projects = [await makeMovableProject(app, owner), await makeMovableProject(app, owner)];
    const page = await open('/admin/storages');
    await page.locator('.card', { hasText: 'default' }).getByText('Drain').first().click();
    await page.getByLabel('Destination').first().selectOption('storage2');
    expect(await faultsOf(page, 'drain-dialog')).toEqual([]);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('Dry-run result').waitFor();
    await page.locator('summary', { hasText: 'Drain default' }).click();
    await page.getByText('This moves all repositories (').waitFor();
    expect(await faultsOf(page, 'drain-question')).toEqual([]);
    const hold = holdAt(worker, 'switch.before');
    await page.getByRole('button', { name: /^Move \d+ repositor/ }).click();
    await page.getByText('Draining default has started.').waitFor();
    await hold.reached;
    await page.getByRole('heading', { name: 'Draining default → storage2' }).waitFor();
    expect(await faultsOf(page, 'moves-draining')).toEqual([]);
    hold.release();
    await eventually(async () => {
      const places = await Promise.all(projects.map(({ id }) => projectPageContext(app, id)));
      expect(places.map(({ storage }) => storage)).toEqual(['storage2', 'storage2']);
    });
    await page.locator('#moves .badge', { hasText: /^Done/ }).first().waitFor();
    expect(await faultsOf(page, 'moves-batch')).toEqual([]);
  });
});
