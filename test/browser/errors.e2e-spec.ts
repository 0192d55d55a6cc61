import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser } from '../support/factories.js';
import { makeGroup, makeProject } from '../support/project-factories.js';
import { faultsOf } from './inspect.js';

let app: BrowserApp;
beforeAll(async () => {
  app = await sharedBrowserApp();
});
afterAll(() => app.close());

/** Status, heading, and whether the request id on the page is the one of the answer. */
async function refusalOf(page: Page, address: string): Promise<[number, string | null, boolean]> {
  const response = await page.goto(address);
  if (response === null) throw new Error('no answer');
  const id = await page.textContent('main code');
  const { 'x-request-id': sent } = await response.allHeaders();
  return [response.status(), await page.textContent('h1'), id !== null && id === sent];
}

describe('error pages', () => {
  it('say what to do next, and under which id the log knows the request', async () => {
    const page = await app.chrome.open();
    const address = `${app.url}/nobody-is-called-so/%3Cb%3Eproject`;
    expect(await refusalOf(page, address)).toEqual([404, 'Page not found', true]);
    expect(await page.innerText('body')).not.toContain('nobody-is-called-so');
    expect(await faultsOf(page, 'error-404')).toEqual([]);
    await page.getByRole('link', { name: 'Sign in' }).click();
    expect(new URL(page.url()).pathname).toBe('/users/sign_in');
  });

  it('do not tell a hidden project from one that does not exist', async () => {
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    const page = await app.pageAs(await makeUser(app));
    const hidden = await refusalOf(page, `${app.url}/${project.fullPath}`);
    expect(hidden).toEqual(await refusalOf(page, `${app.url}/${group.fullPath}/nothing`));
    const admin = await refusalOf(page, `${app.url}/admin/users`);
    expect(admin).toEqual([404, 'Page not found', true]);
  });

  it('refuse what the viewer may see but not do', async () => {
    const group = await makeGroup(app, { visibility: 'public' });
    const page = await app.pageAs(await makeUser(app));
    const address = `${app.url}/groups/new?parent_id=${group.id}`;
    expect(await refusalOf(page, address)).toEqual([403, "You don't have permission", true]);
    expect(await faultsOf(page, 'error-403')).toEqual([]);
  });

  it('answer a form that is not ours, and keep what it would have changed', async () => {
    const page = await app.openAs(await makeUser(app), '/groups/new');
    await page.fill('[name=name]', 'Weavers');
    await page.fill('[name=path]', 'forged-weavers');
    await page.evaluate(
      `document.querySelector('main [name=authenticity_token]').value = 'forged'`,
    );
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.request().method() === 'POST'),
      page.getByRole('button', { name: 'Create group' }).click(),
    ]);
    expect(response.status()).toBe(422);
    await page.getByRole('heading', { name: 'The form has expired' }).waitFor();
    expect(await faultsOf(page, 'error-422')).toEqual([]);
    const rows = await app.dataSource.query<object[]>(
      `SELECT id FROM namespaces WHERE path = 'forged-weavers'`,
    );
    expect(rows).toEqual([]);
  });

  it('break none of our own rules', async () => {
    const page = await app.chrome.open({ javaScriptEnabled: false });
    const address = `${app.url}/-/snippets/not-a-number`;
    expect(await refusalOf(page, address)).toEqual([400, 'Bad request', true]);
    expect(app.chrome.complaints()).toEqual([]);
  });
});
