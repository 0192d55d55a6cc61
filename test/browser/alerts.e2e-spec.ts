import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { AlertSilence } from '../../src/alerts/silences/alert-silences.repository.js';
import {
  makeAlert,
  makeEnvironment,
  makeIntegration,
  postAlert,
} from '../support/alert-factories.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import { makeMember, type MadeProject } from '../support/project-factories.js';
import { makeShop, type Shop } from '../support/shop.js';
import { faultsAt, faultsOf } from './inspect.js';

const HOUR_MS = 3_600_000;

let app: BrowserApp;
let ada: MadeUser;
beforeAll(async () => {
  app = await sharedBrowserApp();
  ada = await makeUser(app, { username: unique('ada'), name: 'Ada Lovelace' });
});
afterAll(() => app.close());

/** Alerts of all kinds over the last day. */
async function fillWithAlerts(project: MadeProject): Promise<void> {
  const grace = await makeUser(app, { name: 'Grace Hopper' });
  await makeMember(app, { project, user: grace, role: 'developer' });
  const production = await makeEnvironment(app, project, { name: 'production' });
  const titles = ['Disk is nearly full', 'Queue backlog above 10k', 'Certificate ends soon'];
  for (let at = 0; at < 30; at += 1) {
    await makeAlert(app, project, {
      title: `${titles[at % 3]} on web-${at}`,
      severity: (at * 7) % 6,
      status: at % 4 === 0 ? 1 : 0,
      eventCount: at * at * 3 + 1,
      service: at % 2 === 0 ? 'storefront' : null,
      environmentId: at % 3 === 0 ? production.id : null,
      assigneeId: at % 5 === 0 ? grace.id : null,
      startedAt: new Date(Date.now() - ((at * at) % 37) * 0.6 * HOUR_MS),
    });
  }
}

const PAYLOAD = {
  event: { name: 'Disk is nearly full', key: 'disk-7', state: 'firing' },
  service: 'storefront',
  hosts: ['web-1', 'web-2'],
  description: 'The disk holds the pictures of the shop.',
  runbook: 'https://kb.example.com/disk',
};

const button = (from: Page | Locator, name: string | RegExp): Locator =>
  from.getByRole('button', { name });

/** Makes an integration by the form; answers how to post to it, as the page shows it. */
async function createIntegration({ page, base }: Shop): Promise<{ url: string; key: string }> {
  await page.goto(`${base}/alert_management`);
  await page.getByRole('link', { name: 'New integration' }).click();
  await page.fill('[name=name]', 'Disk watch');
  await button(page, 'Create integration').click();
  await page.getByText('Integration created.').waitFor();
  const url = await page.getByLabel('Webhook URL', { exact: true }).inputValue();
  return { url, key: await page.getByLabel('Key', { exact: true }).inputValue() };
}

describe('alerts in the browser', () => {
  it('come without loading the list anew, and are dealt with by buttons', async () => {
    const place = await makeShop(app, ada);
    const { page, base } = place;
    const { url, key } = await createIntegration(place);
    await page.goto(`${base}/alert_management`);
    await page.getByText('No alerts yet').waitFor();
    await page.evaluate('window.sameDocument = true');
    expect((await postAlert(url, key, { title: 'Disk full', severity: 'high' })).status).toBe(200);
    const row = page.locator('#alert-1');
    await row.getByText('Triggered').waitFor();
    await button(row, /^Acknowledge/).focus();
    expect((await postAlert(url, key, { title: 'Disk full', severity: 'high' })).status).toBe(200);
    await row.getByText('2 events', { exact: true }).waitFor();
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Acknowledge Disk full');
    await page.keyboard.press('Enter');
    await page.getByText('Alert #1 acknowledged').waitFor();
    await row.getByText('Acknowledged', { exact: true }).waitFor();
    await button(row, /^Resolve/).click();
    await page.getByText('Alert #1 resolved').waitFor();
    expect(await row.count()).toBe(0);
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are selected and changed together, where the page is scrolled to', async () => {
    const { page, project, base } = await makeShop(app, ada);
    for (let at = 0; at < 20; at += 1) await makeAlert(app, project, { title: `Disk ${at} full` });
    await page.goto(`${base}/alert_management`);
    const bar = page.locator('.bulk-bar');
    expect(await bar.isVisible()).toBe(false);
    await page.getByLabel('Select alert 1', { exact: true }).check();
    await page.getByLabel('Select alert 3', { exact: true }).check();
    expect(await bar.isVisible()).toBe(true);
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    const scrolled = await page.evaluate('window.scrollY');
    expect(await faultsOf(page, 'alerts-selected')).toEqual([]);
    await page.evaluate(`window.scrollTo(0, ${String(scrolled)})`);
    await button(bar, 'Acknowledge').click();
    await page.getByText('2 alerts acknowledged').waitFor();
    expect(await page.evaluate('window.scrollY')).toBe(scrolled);
    expect(await bar.isVisible()).toBe(false);
    await page.locator('#alert-3').getByText('Acknowledged', { exact: true }).waitFor();
    await page.getByLabel('Select alert 2', { exact: true }).check();
    await button(bar, 'Select all').click();
    await button(bar, 'Resolve').click();
    await page.getByText('20 alerts resolved').waitFor();
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are silenced from their page and grouped, and show both in the list', async () => {
    const { page, project, base } = await makeShop(app, ada);
    await fillWithAlerts(project);
    const { iid } = await makeAlert(app, project, { title: 'Disk is nearly full on web-0' });
    await page.goto(`${base}/alert_management/${iid}/details`);
    await page.getByLabel(`More actions for alert #${iid}`).click();
    await page.getByRole('link', { name: 'Silence' }).click();
    expect(await page.getByLabel('Title', { exact: false }).inputValue()).toContain('on web-0');
    await page.fill('[name=title]', 'Disk is nearly full on *');
    await page.fill('[name=starts_at]', '2020-01-01T00:00');
    await page.fill('[name=comment]', 'New disks');
    await button(page, 'Create silence').click();
    await page.getByRole('link', { name: 'must end in the future' }).waitFor();
    await page.fill('[name=starts_at]', '');
    await button(page, 'Create silence').click();
    await page.getByText('Silence created.').waitFor();
    await page.getByText('title = Disk is nearly full on *').waitFor();
    await page.goto(`${base}/alert_management?silenced=true&status=all&group=title`);
    await page
      .getByRole('link', { name: /^Disk is nearly full/ })
      .first()
      .waitFor();
    expect(await page.getByRole('link', { name: /^Queue backlog/ }).count()).toBe(0);
    await page
      .getByRole('img', { name: /^1 alert started in the last 24/ })
      .first()
      .waitFor();
    await page.goto(`${base}/alert_management?group=environment`);
    await page.getByRole('link', { name: 'No environment', exact: true }).click();
    const row = page.locator(`#alert-${iid}`);
    await row.getByText('Silenced').waitFor();
    await page.getByRole('link', { name: 'Silences' }).click();
    await button(page, /^Expire/).click();
    await page.getByText('Silence expired.').waitFor();
    await page.getByText('No active silences').waitFor();
    await page.goto(`${base}/alert_management/${iid}/details`);
    expect(await page.getByText('Silenced', { exact: true }).count()).toBe(0);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are mapped from an example that is pasted, tried out, and repeated', async () => {
    const place = await makeShop(app, ada);
    const { page } = place;
    await createIntegration(place);
    await page.getByRole('link', { name: 'Mapping' }).click();
    await page.fill('[name=payload_example]', JSON.stringify(PAYLOAD));
    await button(page, 'Parse payload').click();
    await page.getByLabel('Title', { exact: true }).selectOption('["event","name"]');
    await page.getByLabel('Fingerprint').selectOption('["event","key"]');
    await page.getByLabel('Field', { exact: true }).selectOption('["event","state"]');
    await page.fill('[name=resolved_values]', 'recovered, ok');
    expect(await faultsOf(page, 'mapping')).toEqual([]);
    await button(page, 'Save mapping').click();
    await page.getByText('Mapping saved.').waitFor();
    await page.getByRole('link', { name: 'Test alert' }).click();
    await page.fill('[name=payload]', JSON.stringify(PAYLOAD));
    await button(page, 'Send test alert').click();
    await page.getByRole('link', { name: 'Alert #1: Disk is nearly full' }).waitFor();
    const over = { ...PAYLOAD, event: { ...PAYLOAD.event, state: 'Recovered' } };
    await page.fill('[name=payload]', JSON.stringify(over));
    await button(page, 'Send test alert').click();
    await page.getByRole('link', { name: 'Alert #1: Disk is nearly full' }).click();
    await page.locator('#alert .badge', { hasText: 'Resolved' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Deliveries' }).click();
    expect(await faultsOf(page, 'deliveries')).toEqual([]);
    await button(page, /^Replay/)
      .last()
      .click();
    await page.getByText('Replayed: alert #2.').waitFor();
    await page
      .getByRole('link', { name: /^Details/ })
      .last()
      .click();
    await page.getByText('"disk-7"').waitFor();
    expect(await faultsOf(page, 'delivery')).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are assigned, commented on and worked on in an incident', async () => {
    const { page, project, base } = await makeShop(app, ada);
    const made = await makeIntegration(app, project, { name: 'Disk watch' });
    await postAlert(made.url, made.token, { ...PAYLOAD, title: 'Disk is nearly full' });
    await page.goto(`${base}/alert_management/1/details`);
    await button(page, 'Assign to me').click();
    await page.getByText('Assignee updated').waitFor();
    await page.fill('[name=body]', 'Looking at **web-1**.');
    await button(page, 'Add comment').click();
    await page.locator('li strong', { hasText: 'web-1' }).waitFor();
    await button(page, 'Create incident').click();
    await page.getByText('Incident #1 created').waitFor();
    await page.getByText('created incident #1 for this alert').waitFor();
    await page.getByText('Raw payload').click();
    await page.evaluate('window.sameDocument = true');
    await page.fill('[name=body]', 'Half a sentence');
    await postAlert(made.url, made.token, { ...PAYLOAD, title: 'Disk is nearly full' });
    await page.locator('#alert dd', { hasText: /^2$/ }).waitFor();
    expect(await page.inputValue('[name=body]')).toBe('Half a sentence');
    expect(await page.getByText('"region"').or(page.getByText('"hosts"')).isVisible()).toBe(true);
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    expect(await faultsOf(page, 'alert')).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are resolved by closing their incident, whose page shows them', async () => {
    const { page, project, base } = await makeShop(app, ada);
    await makeAlert(app, project, { title: 'Disk is nearly full' });
    await page.goto(`${base}/alert_management/1/details`);
    await button(page, 'Create incident').click();
    await page.getByRole('link', { name: '#1 Disk is nearly full' }).first().click();
    await page.getByRole('link', { name: '#1 Disk is nearly full' }).waitFor();
    expect(await faultsOf(page, 'incident-with-alert')).toEqual([]);
    await button(page, 'Close incident').click();
    await page.locator('main .badge', { hasText: 'Resolved' }).waitFor();
    await page.getByRole('link', { name: '#1 Disk is nearly full' }).click();
    await page.getByText('by closing issue #1').waitFor();
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are dealt with without a script', async () => {
    const { project, base } = await makeShop(app, ada);
    await makeAlert(app, project, { title: 'Disk full' });
    const page = await app.pageAs(ada, { javaScriptEnabled: false });
    await page.goto(`${base}/alert_management`);
    await button(page.locator('#alert-1'), /^Acknowledge/).click();
    await page.getByText('Alert #1 acknowledged').waitFor();
  });
});

describe('pages about alerts', () => {
  it('are free of barriers and fit a telephone: the first steps', async () => {
    const { page, base } = await makeShop(app, ada);
    const address = `${base}/alert_management`;
    expect(await faultsAt(page, { name: 'alerts-first', address })).toEqual([]);
  });

  it.each([
    ['alerts-day', 'status=open'],
    ['alerts-month', 'status=all&activity=month&search=disk'],
    ['alert-groups', 'group=title'],
  ])('are free of barriers and fit a telephone: %s, the list with %s', async (name, query) => {
    const { project, page, base } = await makeShop(app, ada);
    await makeIntegration(app, project, { name: 'Disk watch' });
    await fillWithAlerts(project);
    const address = `${base}/alert_management?${query}`;
    expect(await faultsAt(page, { name, address })).toEqual([]);
  });

  it('ask for the URL of a tool only where one is needed', async () => {
    const { page, base } = await makeShop(app, ada);
    await page.goto(`${base}/settings/alert_integrations/new`);
    const address = page.getByLabel('API URL');
    await address.waitFor({ state: 'hidden' });
    await page.getByLabel('External paging').check();
    await address.waitFor({ state: 'visible' });
    const name = page.getByLabel('Name', { exact: true });
    expect((await address.boundingBox())?.x).toBe((await name.boundingBox())?.x);
    const labels = page.locator('label[for=field-name], label[for=field-api_url]');
    const edges = await labels.evaluateAll((all) =>
      all.map((label) => label.getBoundingClientRect().left),
    );
    expect(edges).toEqual([edges[0], edges[0]]);
    await address.fill('not a URL');
    await page.getByLabel('HTTP endpoint').check();
    await name.fill('Disk watch');
    await button(page, 'Create integration').click();
    await page.getByText('Integration created.').waitFor();
  });

  it.each([
    ['alert-settings', '/settings/alerts'],
    ['integration-new', '/settings/alert_integrations/new'],
    ['integration', '/settings/alert_integrations/:id'],
    ['test-alert', '/settings/alert_integrations/:id/test'],
    ['silence-new', '/alert_management/silences/new?alert=1'],
    ['silences', '/alert_management/silences'],
  ])('are free of barriers and fit a telephone: %s', async (name, path) => {
    const { project, page, base } = await makeShop(app, ada);
    const made = await makeIntegration(app, project, { name: 'Disk watch' });
    await makeIntegration(app, project, { name: 'Cluster', type: 'prometheus', active: false });
    await postAlert(made.url, made.token, PAYLOAD);
    const ends = new Date(Date.now() + HOUR_MS);
    const matchers = [{ name: 'title' as const, value: 'Disk*', isEqual: true }];
    const silence = { projectId: project.id, matchers, comment: 'New disks' };
    const times = { startsAt: new Date(), endsAt: ends };
    await app.dataSource.manager.insert(AlertSilence, { ...silence, ...times });
    const address = base + path.replace(':id', String(made.id));
    expect(await faultsAt(page, { name, address })).toEqual([]);
  });
});
