import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { axeViolations, overflowWhenNarrow, screenshots } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { holdAt } from '../support/move-control.js';
import { makeMovableProject, makeProjectRow } from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';

const PAGES = [
  ['overview', ''],
  ['users', '/users'],
  ['new-user', '/users/new'],
  ['settings', '/application_settings'],
  ['audit', '/audit_logs'],
  ['mails', '/mails'],
  ['storages', '/storages'],
  ['storage', '/storages/storage2'],
  ['moves', '/storage_moves'],
  ['schedule', '/storage_moves/new'],
  ['bulk', '/storage_moves/bulk'],
  ['queues', '/queues'],
] as const;

let app: BrowserApp;
let worker: INestApplicationContext;
let admin: MadeUser;
beforeAll(async () => {
  app = await startBrowserApp();
  worker = await startTestWorker(app);
  admin = await makeUser(app, { admin: true, name: 'Ada Lovelace' });
});
afterAll(async () => {
  await worker.close();
  await app.close();
});

const adminPage = (options?: BrowserContextOptions): Promise<Page> => app.pageAs(admin, options);

async function schedule(page: Page): Promise<void> {
  const project = await makeMovableProject(app, admin);
  await page.goto(`${app.url}/admin/storage_moves/new`);
  await page.fill('#field-container', `${admin.username}/${project.path}`);
  await page.selectOption('#field-destination_storage_name', 'storage2');
  await page.getByRole('button', { name: 'Move repository' }).click();
  await page.getByRole('heading', { name: /^Project move #\d+$/ }).waitFor();
}

/** Moves of the last days, one that is being copied, a storage that is being emptied. */
async function makeMovesOfAllStates(): Promise<void> {
  for (const [day, state] of ['finished', 'failed', 'finished', 'started', 'scheduled'].entries()) {
    const { id } = await makeProjectRow(app, admin);
    const isOpen = state === 'started' || state === 'scheduled';
    await app.dataSource.query(
      `INSERT INTO project_repository_storage_moves (project_id, state, source_storage_name,
         destination_storage_name, phase, bytes_total, bytes_copied, bytes_per_second,
         error_message, created_at, finished_at, lease_owner, lease_until, retry_at)
       VALUES ($1, $2, 'default', 'storage2', $3, 84000000, 31000000, 2500000, $4,
         now() - $5::int * interval '1 day',
         CASE WHEN $6 THEN NULL ELSE now() - $5::int * interval '1 day' END,
         'another worker', now() + interval '1 hour', NULL)`,
      [
        id,
        state,
        state === 'started' ? 'copying' : 'queued',
        state === 'failed' ? 'Not enough space on storage storage2: need 84, free 12' : null,
        day,
        isOpen,
      ],
    );
  }
  await app.dataSource.query(
    `INSERT INTO storage_move_batches (kind, source_storage_name, destination_storage_name,
       scheduled_count, finished_at) VALUES ('snippet', 'default', 'storage2', 12, now())`,
  );
}

describe('a storage move in a browser', () => {
  it('gets on before the reader’s eyes', async () => {
    const hold = holdAt(worker, 'repository.after-verify');
    const page = await adminPage();
    await schedule(page);
    await hold.reached;
    await page.locator('#move').getByText('Verifying').first().waitFor();
    await page.getByRole('button', { name: /^Cancel/ }).focus();
    await page.waitForResponse((response) => response.url().endsWith('/live'));
    await page.waitForResponse((response) => response.url().endsWith('/live'));
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Cancel/);
    expect(await axeViolations(page)).toEqual([]);
    await screenshots(page, 'admin-move-running');
    await page.goto(`${app.url}/admin/storage_moves`);
    await page.getByRole('progressbar').first().waitFor();
    await screenshots(page, 'admin-moves-running');
    hold.release();
    await page.locator('#moves .badge', { hasText: 'Finished' }).first().waitFor();
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('leads to the sign-in page when the session has ended meanwhile', async () => {
    const page = await adminPage();
    await page.goto(`${app.url}/admin/storage_moves?state=scheduled`);
    await app.dataSource.query('DELETE FROM sessions WHERE user_id = $1', [admin.id]);
    await page.waitForURL(`${app.url}/users/sign_in`, { timeout: 20_000 });
  });

  it('is followed by reloading where there are no scripts', async () => {
    const page = await adminPage({ javaScriptEnabled: false });
    await schedule(page);
    await eventually(async () => {
      await page.reload();
      expect(await page.locator('#move .badge').textContent()).toBe('Finished');
    });
  });
});

describe('the pages of administrators in a browser', () => {
  it('are free of barriers, fit a telephone and break none of their rules', async () => {
    await Promise.all([
      makeUser(app, { name: 'Grace Hopper', external: true }),
      makeUser(app, { name: 'Waiting Person', state: 'pending' }),
      makeUser(app, { name: 'Barred Person', state: 'blocked', note: 'Sent spam' }),
    ]);
    await makeMovesOfAllStates();
    const locked = await makeUser(app, { failedAttempts: 10, lockedAt: new Date() });
    const page = await adminPage();
    for (const [name, path] of [...PAGES, ['user', `/users/${locked.id}`] as const]) {
      await page.goto(`${app.url}/admin${path}`);
      await screenshots(page, `admin-${name}`);
      expect([name, await axeViolations(page)]).toEqual([name, []]);
      expect([name, await overflowWhenNarrow(page)]).toEqual([name, 0]);
    }
    expect(app.chrome.complaints()).toEqual([]);
  }, 180_000);

  it('show what is wrong with a form, and the message after it', async () => {
    const page = await adminPage();
    await page.goto(`${app.url}/admin/users/new`);
    await page.fill('#field-name', 'Katherine Johnson');
    await page.fill('#field-username', 'not a name');
    await page.fill('#field-email', 'katherine@example.com');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('alert').waitFor();
    await screenshots(page, 'admin-user-form-errors');
    expect(await axeViolations(page)).toEqual([]);
    await page.fill('#field-username', 'katherine');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByText('User created.').waitFor();
    await page.getByLabel('More actions for @katherine').click();
    await page.locator('summary', { hasText: 'Block' }).click();
    await screenshots(page, 'admin-user-confirm');
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Block user' }).click();
    await page.getByText('User blocked.').waitFor();
  });
});
