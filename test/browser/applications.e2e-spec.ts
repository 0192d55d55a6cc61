import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { APPLICATION_SCOPES } from '../../src/core/access/scopes.js';
import { authorizePath, PKCE } from '../support/authorization.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { DAY_MS } from '../support/days.js';
import { makeToken, makeUser, type MadeUser } from '../support/factories.js';
import { makeApplication, makeOAuthTokens, postRefresh } from '../support/oauth-factories.js';
import { faultsAt, faultsOf } from './inspect.js';

const OWN = '/-/user_settings/applications';
const ADMIN = '/admin/applications';
const LONG_NAME = 'Hours, holidays and sickness of the weavers of the northern department';
const REDIRECT_URIS = [
  'https://hours.department.example.com/integrations/sign-in/callback?tenant=northern-weavers',
  'http://127.0.0.1/callback',
  'com.example.hours:/callback',
];

let app: BrowserApp;
beforeAll(async () => {
  app = await sharedBrowserApp();
});
afterAll(() => app.close());

/** Makes more applications than a page of the list shows; answers the id of one. */
async function furnish(ownerId: number | null): Promise<number> {
  const scopes = [...APPLICATION_SCOPES];
  const first = await makeApplication(app, {
    name: LONG_NAME,
    ownerId,
    scopes,
    redirectUris: REDIRECT_URIS,
  });
  for (let number = 1; number <= 21; number += 1) {
    const kind = { confidential: number % 2 === 0, trusted: ownerId === null && number % 3 === 0 };
    await makeApplication(app, {
      name: `Board ${number}`,
      ownerId,
      scopes: ['read_user'],
      ...kind,
    });
  }
  return first.id;
}

async function authorize(user: MadeUser): Promise<void> {
  for (const [index, name] of [LONG_NAME, 'Chat', 'Build lights'].entries()) {
    const { id: applicationId } = await makeApplication(app, { name });
    const createdAt = new Date(Date.now() - index * 40 * DAY_MS);
    const scopes = [...APPLICATION_SCOPES].slice(0, 8 - index * 3);
    await makeToken(app, user, { kind: 'oauth', applicationId, createdAt, scopes });
  }
}

describe('the pages of applications', () => {
  it.each([
    ['applications-own', () => OWN],
    ['application-new', () => `${OWN}/new`],
    ['application-show', (id: number) => `${OWN}/${id}`],
    ['application-edit', (id: number) => `${OWN}/${id}/edit`],
  ])('are free of barriers and have room for many and long names: %s', async (name, pathOf) => {
    const user = await makeUser(app);
    const id = await furnish(user.id);
    await authorize(user);
    const page = await app.pageAs(user);
    expect(await faultsAt(page, { name, address: app.url + pathOf(id) })).toEqual([]);
  });

  it('lead people on who have none', async () => {
    const page = await app.pageAs(await makeUser(app));
    const place = { name: 'applications-none', address: `${app.url}${OWN}` };
    expect(await faultsAt(page, place)).toEqual([]);
    await page.getByRole('link', { name: 'New application' }).click();
    await page.getByRole('heading', { name: 'New application' }).waitFor();
  });

  it.each([
    ['admin-applications', () => ADMIN],
    ['admin-application-new', () => `${ADMIN}/new`],
    ['admin-application-show', (id: number) => `${ADMIN}/${id}`],
    ['admin-application-edit', (id: number) => `${ADMIN}/${id}/edit`],
  ])('let administrators see those of the instance: %s', async (name, pathOf) => {
    const page = await app.pageAs(await makeUser(app, { admin: true }));
    const id = await furnish(null);
    expect(await faultsAt(page, { name, address: app.url + pathOf(id) })).toEqual([]);
  });

  it('renew a secret after a second thought, and delete the application, without scripts', async () => {
    const user = await makeUser(app);
    const made = await makeApplication(app, { name: 'Hours', ownerId: user.id });
    const tokens = await makeOAuthTokens(app, { application: made, user });
    const page = await app.pageAs(user, { javaScriptEnabled: false });
    await page.goto(`${app.url}${OWN}/${made.id}`);
    await page.locator('summary', { hasText: 'Renew secret' }).click();
    await page.getByRole('button', { name: 'Renew secret' }).click();
    const secret = await page.locator('[data-tone="secret"] input').inputValue();
    await postRefresh(app, made, tokens.refresh_token).expect(401);
    await postRefresh(app, { ...made, secret }, tokens.refresh_token).expect(200);
    await page.locator('summary', { hasText: 'Delete application' }).click();
    await page.getByRole('button', { name: 'Delete application' }).click();
    expect(page.url()).toBe(`${app.url}${OWN}`);
    expect(await page.getByRole('link', { name: 'Hours' }).count()).toBe(0);
  });
});

describe('the consent page', () => {
  it('has room for every scope and a long name, and tells where it leads', async () => {
    const user = await makeUser(app);
    const scopes = [...APPLICATION_SCOPES];
    const redirectUris = REDIRECT_URIS;
    const made = await makeApplication(app, { name: LONG_NAME, scopes, redirectUris });
    const page = await app.pageAs(user);
    const path = authorizePath(made, { ...PKCE, scope: scopes.join(' ') });
    const place = { name: 'consent-long', address: `${app.url}${path}` };
    expect(await faultsAt(page, place)).toEqual([]);
    expect(await page.innerText('main')).toContain('hours.department.example.com');
  });

  it('is left by the keyboard only, with the form for applications that want one', async () => {
    const user = await makeUser(app);
    const made = await makeApplication(app, { redirectUris: [`${app.url}/-/health`] });
    const page = await app.pageAs(user);
    await page.route('**/form-post*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    await page.goto(`${app.url}${authorizePath(made, { response_mode: 'form_post' })}`);
    await page.getByRole('button', { name: 'Authorize' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Return to application' }).waitFor();
    expect(await faultsOf(page, 'form-post')).toEqual([]);
  });
});

describe('none of these pages', () => {
  it('breaks our own rules', () => {
    expect(app.chrome.complaints()).toEqual([]);
  });
});
