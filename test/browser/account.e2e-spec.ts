import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { DAY_MS } from '../support/days.js';
import { makeToken, makeUser } from '../support/factories.js';
import { linkIn, mailsTo } from '../support/mails.js';
import { makePerson, PASSWORD } from '../support/sign-in.js';
import { faultsAt, faultsOf } from './inspect.js';

const BASE = '/-/user_settings';
const NEXT_PASSWORD = 'seven wet lanterns in March';

let app: BrowserApp;
beforeAll(async () => {
  app = await sharedBrowserApp();
});
afterAll(() => app.close());

const visit = (user: { id: number }, path: string): Promise<Page> =>
  app.openAs(user, `${BASE}${path}`);

describe('the password', () => {
  it('ends what other browsers do when it is changed, and not this one', async () => {
    const person = await makePerson(app);
    const here = await visit(person, '/password/edit');
    const there = await visit(person, '/profile');
    await here.getByLabel('Current password').fill(PASSWORD);
    await here.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD);
    await here.getByLabel('Confirm new password').fill(NEXT_PASSWORD);
    await here.getByRole('button', { name: 'Change password' }).click();
    await here.getByText('Your password was changed.').waitFor();
    expect(await faultsOf(here, 'password-changed')).toEqual([]);
    await there.reload();
    expect(new URL(there.url()).pathname).toBe('/users/sign_in');
    await here.reload();
    expect(await here.locator('h1').textContent()).toBe('Password');
  });
});

describe('an address', () => {
  it('is added, and confirmed by the link of its mail', async () => {
    const person = await makePerson(app);
    const email = `second.${person.email}`;
    const page = await visit(person, '/emails');
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('button', { name: 'Add email' }).click();
    await page.getByRole('status').first().waitFor();
    expect(await faultsOf(page, 'email-added')).toEqual([]);
    const [mail] = (await mailsTo(app, email)).slice(-1);
    await page.goto(`${app.url}${linkIn(mail ?? { text: '' }, app.url)}`);
    await page.getByRole('button', { name: 'Confirm email' }).click();
    await page.getByText('Your email is confirmed.').waitFor();
    expect(page.url()).toBe(`${app.url}${BASE}/emails`);
    expect(await faultsOf(page, 'email-confirmed')).toEqual([]);
  });
});

describe('the access tokens', () => {
  it('are shown page by page, with room for long names', async () => {
    const user = await makeUser(app);
    const name = 'Nightly copy of all projects of the northern department to the other building';
    const scopes = ['api', 'read_user', 'read_repository', 'write_repository'] as const;
    await makeToken(app, user, { name, description: name.repeat(3), scopes: [...scopes] });
    for (let number = 1; number <= 24; number += 1) {
      const expiresAt = new Date(Date.now() + number * DAY_MS);
      await makeToken(app, user, { name: `Token ${number}`, scopes: ['read_api'], expiresAt });
    }
    const page = await visit(user, '/personal_access_tokens');
    expect(await faultsOf(page, 'tokens-many')).toEqual([]);
    const pages = page.getByRole('navigation', { name: 'Pagination' });
    await pages.getByRole('link', { name: 'Next' }).click();
    await page.getByText(name, { exact: true }).waitFor();
    expect(await faultsOf(page, 'tokens-long')).toEqual([]);
  });

  it('lead people on who have none', async () => {
    const page = await visit(await makeUser(app), '/personal_access_tokens');
    expect(await faultsOf(page, 'tokens-none')).toEqual([]);
    await page.getByRole('link', { name: 'New token' }).first().click();
    await page.getByLabel('Name').fill('notebook');
    await page.getByLabel('read_api', { exact: true }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('Token “notebook”', { exact: true }).waitFor();
    await page.locator('summary', { hasText: 'Revoke' }).click();
    expect(await faultsOf(page, 'token-shown')).toEqual([]);
  });
});

describe('the menu of the account', () => {
  it('holds a long name on a telephone', async () => {
    const name = 'Maria Magdalena von und zu Oberwittelsbach-Untergrafenstein';
    const user = await makeUser(app, { name });
    const page = await visit(user, '/profile');
    await page.getByRole('button', { name: /^Account/ }).click();
    expect(await faultsOf(page, 'account-menu')).toEqual([]);
    const place = { name: 'sessions-one', address: `${app.url}${BASE}/active_sessions` };
    expect(await faultsAt(page, place)).toEqual([]);
  });
});

describe('none of these pages', () => {
  it('breaks our own rules', () => {
    expect(app.chrome.complaints()).toEqual([]);
  });
});
