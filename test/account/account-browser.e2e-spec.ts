import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashPassword } from '../../src/core/passwords.js';
import { UserEmail } from '../../src/identity/users/user.entity.js';
import { api } from '../support/api-client.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { axeViolations, overflowWhenNarrow, screenshots, signIn } from '../support/browser.js';
import { DAY_MS } from '../support/days.js';
import { makeToken, makeUser, type MadeUser } from '../support/factories.js';
import { makeSession } from '../support/page-client.js';

const PASSWORD = 'correct horse battery staple';
const NEXT_PASSWORD = 'seven wet lanterns in March';
const BASE = '/-/user_settings';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';

let app: BrowserApp;
beforeAll(async () => {
  app = await sharedBrowserApp();
});
afterAll(() => app.close());

/** Someone with everything that the pages can show. */
async function makePerson(): Promise<MadeUser> {
  const passwordDigest = await hashPassword(PASSWORD);
  const user = await makeUser(app, { name: 'Grace Hopper', jobTitle: 'Admiral', passwordDigest });
  const { manager } = app.dataSource;
  const emails = ['grace@work.example.com', 'a.very.long.address.of.grace@department.example.com'];
  for (const [index, email] of emails.entries()) {
    const confirmedAt = index === 0 ? new Date() : null;
    await manager.insert(UserEmail, { userId: user.id, email: `${user.id}.${email}`, confirmedAt });
  }
  await makeSession(app, user, { userAgent: FIREFOX, remembered: true, ip: '2001:db8::7' });
  await makeSession(app, user, { userAgent: IPHONE, ip: '198.51.100.7' });
  await makeToken(app, user, {
    name: 'laptop',
    description: 'For scripts that read what happens in the projects of the department',
    scopes: ['read_api', 'read_repository'],
    expiresAt: new Date(Date.now() + 90 * DAY_MS),
    lastUsedAt: new Date(Date.now() - DAY_MS),
  });
  await makeToken(app, user, { name: 'backup', scopes: ['api', 'write_repository'] });
  await makeToken(app, user, { name: 'former laptop', revokedAt: new Date() });
  return user;
}

describe('the pages of an account', () => {
  it.each([
    ['profile', '/profile'],
    ['emails', '/emails'],
    ['password', '/password/edit'],
    ['sessions', '/active_sessions'],
    ['tokens', '/personal_access_tokens'],
    ['inactive-tokens', '/personal_access_tokens?state=inactive'],
    ['new-token', '/personal_access_tokens/new'],
  ])('is free of barriers and fits a telephone: %s', async (name, path) => {
    const page = await app.pageAs(await makePerson());
    await page.goto(`${app.url}${BASE}${path}`);
    await screenshots(page, `account-${name}`);
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflowWhenNarrow(page)).toBe(0);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it.each([
    ['profile', '/profile', 'Save changes'],
    ['emails', '/emails', 'Add email'],
    ['password', '/password/edit', 'Change password'],
    ['new-token', '/personal_access_tokens/new', 'Create token'],
  ])('tells what is wrong with a form, without barriers: %s', async (name, path, button) => {
    const page = await app.pageAs(await makePerson());
    await page.goto(`${app.url}${BASE}${path}`);
    // Browsers check by themselves what they can: the server has to say the same without them.
    await page.evaluate(`for (const form of document.forms) form.noValidate = true;
      for (const field of document.querySelectorAll('main input[type=text], main input[type=email]'))
        field.value = ''`);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('alert').waitFor();
    await screenshots(page, `account-${name}-wrong`);
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflowWhenNarrow(page)).toBe(0);
  });
});

describe('a person with a browser', () => {
  it('makes an access token, copies it, and never sees it again', async () => {
    const user = await makePerson();
    const page = await app.chrome.open({ javaScriptEnabled: false });
    await signIn(page, app.url, { login: user.username, password: PASSWORD });
    await page.goto(`${app.url}${BASE}/personal_access_tokens`);
    await page.getByRole('link', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('notebook');
    await page.getByLabel('read_api', { exact: true }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const field = page.getByLabel('Token “notebook”', { exact: true });
    const raw = await field.inputValue();
    expect(page.url()).not.toContain(raw);
    const { body } = await api(app.url, raw).get('/user').expect(200);
    expect(body).toMatchObject({ id: user.id });
    await page.reload();
    expect(await field.count()).toBe(0);
    expect(await page.content()).not.toContain(raw);
  });

  it('revokes a token after a second thought, by keyboard alone', async () => {
    const user = await makeUser(app);
    const raw = await makeToken(app, user, { name: 'lost' });
    const page = await app.pageAs(user);
    await page.goto(`${app.url}${BASE}/personal_access_tokens`);
    await page.locator('summary', { hasText: 'Revoke' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Token revoked.').waitFor();
    await api(app.url, raw).get('/user').expect(401);
  });

  it('shows a new token in a way that is free of barriers', async () => {
    const page = await app.pageAs(await makePerson());
    await page.goto(`${app.url}${BASE}/personal_access_tokens/new`);
    await page.getByLabel('Name').fill('notebook');
    await page.getByLabel('api', { exact: true }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('Token “notebook”', { exact: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflowWhenNarrow(page)).toBe(0);
  });

  it('ends the other sessions, which then are signed out', async () => {
    const user = await makePerson();
    const [page, other] = [await app.pageAs(user), await app.pageAs(user)];
    await page.goto(`${app.url}${BASE}/active_sessions`);
    await page.locator('summary', { hasText: 'Sign out all other sessions' }).click();
    await page.getByRole('button', { name: 'Sign out other sessions' }).click();
    await page.getByText('Signed out 3 sessions.').waitFor();
    await other.goto(`${app.url}${BASE}/profile`);
    expect(new URL(other.url()).pathname).toBe('/users/sign_in');
  });

  it('changes the password, goes on, and signs in with the new one elsewhere', async () => {
    const user = await makePerson();
    const page = await app.pageAs(user);
    await page.goto(`${app.url}${BASE}/password/edit`);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD);
    await page.getByLabel('Confirm new password').fill(NEXT_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password was changed.').waitFor();
    await page.goto(`${app.url}${BASE}/profile`);
    expect(await page.locator('h1').textContent()).toBe('Profile');
    const elsewhere = await app.chrome.open();
    await signIn(elsewhere, app.url, { login: user.email, password: NEXT_PASSWORD });
  });
});
