import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { SESSION_COOKIE } from '../../src/identity/auth/sessions/session-cookies.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { unique } from '../support/factories.js';
import { linkIn, mailsTo } from '../support/mails.js';
import { changeSettings } from '../support/settings.js';
import { makePerson, PASSWORD } from '../support/sign-in.js';
import { faultsAt, faultsOf } from './inspect.js';

const NEXT_PASSWORD = 'seven wet lanterns in March';

let app: BrowserApp;
beforeAll(async () => {
  app = await sharedBrowserApp();
  await changeSettings(app, {
    signup_enabled: true,
    email_confirmation_setting: 'hard',
    require_admin_approval_after_user_signup: false,
  });
});
afterAll(() => app.close());

/** Fills in the form that is open and sends it. */
async function enter(page: Page, login: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Username or email').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens the link of the last email to the address. */
async function follow(page: Page, address: string): Promise<void> {
  const [mail] = (await mailsTo(app, address)).slice(-1);
  if (mail === undefined) throw new Error(`there is no mail to ${address}`);
  await page.goto(`${app.url}${linkIn(mail, app.url)}`);
}

async function sessionCookie(page: Page): Promise<string | undefined> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === SESSION_COOKIE)?.value;
}

describe('the sign-in page', () => {
  it('takes people back to the page they asked for, by the keyboard only', async () => {
    const person = await makePerson(app);
    const page = await app.chrome.open();
    await page.goto(`${app.url}/-/user_settings/active_sessions`);
    expect(new URL(page.url()).pathname).toBe('/users/sign_in');
    await page.locator('input:focus').waitFor();
    await page.keyboard.type(person.username);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/-/user_settings/active_sessions`);
  });

  it('works without scripts, and signs out again', async () => {
    const person = await makePerson(app);
    const page = await app.chrome.open({ javaScriptEnabled: false });
    await page.goto(`${app.url}/dashboard/groups`);
    await enter(page, person.email);
    expect(page.url()).toBe(`${app.url}/dashboard/groups`);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`${app.url}/dashboard/groups`);
    expect(new URL(page.url()).pathname).toBe('/users/sign_in');
  });

  it('gives a browser another cookie than the one it came with', async () => {
    const person = await makePerson(app);
    const page = await app.chrome.open();
    await page.goto(`${app.url}/users/sign_in`);
    const planted = await sessionCookie(page);
    await enter(page, person.username);
    await page.waitForURL(`${app.url}/`);
    expect(await sessionCookie(page)).not.toBe(planted);
    const attacker = await app.chrome.open();
    await attacker
      .context()
      .addCookies([{ name: SESSION_COOKIE, value: planted ?? '', url: app.url }]);
    await attacker.goto(`${app.url}/-/user_settings/profile`);
    expect(new URL(attacker.url()).pathname).toBe('/users/sign_in');
  });

  it('says the same about a wrong password and an unknown name, and keeps the name', async () => {
    const person = await makePerson(app);
    const page = await app.chrome.open();
    await page.goto(`${app.url}/users/sign_in`);
    await enter(page, person.username, 'not the password');
    const told = await page.getByRole('alert').innerText();
    expect(await page.getByLabel('Username or email').inputValue()).toBe(person.username);
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    expect(await faultsOf(page, 'sign-in-wrong')).toEqual([]);
    await enter(page, unique('nobody'), 'not the password');
    expect(await page.getByRole('alert').innerText()).toBe(told);
  });

  it('helps people whose address is not confirmed', async () => {
    const person = await makePerson(app, { confirmedAt: null });
    const page = await app.chrome.open();
    await page.goto(`${app.url}/users/sign_in`);
    await enter(page, person.username);
    expect(await faultsOf(page, 'sign-in-unconfirmed')).toEqual([]);
    await page.getByRole('link', { name: 'Resend confirmation email' }).click();
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByRole('button', { name: 'Resend confirmation email' }).click();
    expect(await faultsOf(page, 'confirmation-mailed')).toEqual([]);
    await follow(page, person.email);
    await page.getByRole('button', { name: 'Confirm email' }).click();
    await enter(page, person.username);
    await page.waitForURL(`${app.url}/`);
  });
});

describe('people without an account', () => {
  it('register, confirm their address and are in', async () => {
    const page = await app.chrome.open();
    const username = unique('new');
    const email = `${username}@example.com`;
    await page.goto(app.url);
    await page.getByRole('link', { name: 'Sign up' }).last().click();
    await page.getByLabel('Full name').fill('Nora Loom');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    expect(await faultsOf(page, 'sign-up-done')).toEqual([]);
    await follow(page, email);
    expect(await faultsOf(page, 'confirmation')).toEqual([]);
    await page.getByRole('button', { name: 'Confirm email' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await enter(page, username);
    await page.waitForURL(`${app.url}/`);
  });

  it('read at the fields what is wrong with them', async () => {
    const page = await app.chrome.open();
    await page.goto(`${app.url}/users/sign_up`);
    await page.getByLabel('Full name').fill('Nora Loom');
    await page.getByLabel('Username').fill('not a name');
    await page.getByLabel('Email', { exact: true }).fill('nora@example.com');
    await page.getByLabel('Password').fill('password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Username').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    expect(await faultsOf(page, 'sign-up-wrong')).toEqual([]);
  });
});

describe('people who forgot their password', () => {
  it('set another one by a link, which works once', async () => {
    const person = await makePerson(app);
    const page = await app.chrome.open();
    await page.goto(`${app.url}/users/sign_in`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByRole('status').first().waitFor();
    expect(await faultsOf(page, 'password-mailed')).toEqual([]);
    await follow(page, person.email);
    await page.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD);
    await page.getByLabel('Confirm new password').fill(`${NEXT_PASSWORD}!`);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('alert').waitFor();
    expect(await faultsOf(page, 'password-reset-wrong')).toEqual([]);
    const link = page.url();
    await page.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD);
    await page.getByLabel('Confirm new password').fill(NEXT_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.waitForURL(`${app.url}/users/sign_in`);
    expect(link).not.toContain('token=');
    await enter(page, person.username, NEXT_PASSWORD);
    await page.waitForURL(`${app.url}/`);
  });

  it.each([
    ['password-link-ended', '/users/password/edit?reset_password_token=ended', 'Send reset link'],
    [
      'confirmation-link-ended',
      '/users/confirmation?confirmation_token=ended',
      'Resend confirmation email',
    ],
  ])('are led on by a link that has ended: %s', async (name, path, button) => {
    const page = await app.chrome.open();
    await page.goto(`${app.url}${path}`);
    expect(await faultsOf(page, name)).toEqual([]);
    expect(await page.getByRole('button', { name: button }).count()).toBe(1);
  });
});

describe('a page before the sign-in', () => {
  it.each([
    ['sign-in', '/users/sign_in'],
    ['sign-up', '/users/sign_up'],
    ['password-new', '/users/password/new'],
    ['confirmation-new', '/users/confirmation/new'],
  ])('is free of barriers and fits a telephone: %s', async (name, path) => {
    const page = await app.chrome.open();
    expect(await faultsAt(page, { name, address: `${app.url}${path}` })).toEqual([]);
  });

  it('breaks none of our own rules', () => {
    expect(app.chrome.complaints()).toEqual([]);
  });
});
