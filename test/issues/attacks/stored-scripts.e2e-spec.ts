import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  makeAlert,
  makeEnvironment,
  makeIntegration,
  postAlert,
} from '../../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import { enterAs, startBrowser, type TestBrowser } from '../../support/browser.js';
import { makeActor, unique, type MadeActor } from '../../support/factories.js';
import { makeProject, type MadeProject } from '../../support/project-factories.js';
import { XSS_PAYLOADS } from '../../support/xss-payloads.js';

/** More of them, which ask other places for something or leave a trace instead of a box. */
const BEACONS = [
  '<img src=https://evil.example/a.png>',
  '<link rel=stylesheet href=//evil.example/a.css>',
  '<link rel=prefetch href=//evil.example/a>',
  '<style>@import "//evil.example/a.css"</style>',
  '<svg><image href=https://evil.example/a.svg></svg>',
  '<iframe src=https://evil.example/></iframe>',
  '<object data=https://evil.example/></object>',
  '<video poster=https://evil.example/a.png>',
  '![pixel](https://evil.example/b.png)',
  '![pixel](//evil.example/b.png)',
  '[x]: https://evil.example/c.png\n\n![x]',
  '<p style="background:url(https://evil.example/d)">',
  '<script src=https://evil.example/e.js></script>',
  '<script>window.injected = 1</script>',
  '<svg onload="window.injected = 1">',
  '"><img src=x onerror="window.injected = 1">',
];
const TEXTS = [...XSS_PAYLOADS, ...BEACONS];

let app: TestApp;
let chrome: TestBrowser;
let eve: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  chrome = await startBrowser();
  eve = await makeActor(app, { username: unique('eve'), name: '<img src=x onerror=alert(1)>' });
});
afterAll(async () => {
  await chrome.close();
});

/** Finds injected content of a page. */
const FOREIGN = `[...document.querySelectorAll('body *')].flatMap((element) => {
  const found = [...element.attributes].filter(({ name }) => /^(on|hx-on|srcdoc|style)/i.test(name));
  const tags = ['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'BASE', 'META', 'LINK', 'VIDEO', 'AUDIO',
    'STYLE', 'MATH', 'MARQUEE'];
  const isLink = element.tagName === 'A' && element.hasAttribute('href');
  const isLed = isLink && !['http:', 'https:', 'mailto:'].includes(element.protocol);
  const isAction = element.tagName === 'FORM' &&
    new URL(element.getAttribute('action') ?? '', location).origin !== location.origin;
  const isPicture = element.tagName === 'IMG' && !element.src.startsWith(location.origin + '/-/');
  const isForeign = tags.includes(element.tagName) || isLed || isAction || isPicture || found.length > 0;
  return isForeign ? [element.outerHTML.slice(0, 200)] : [];
}).concat('injected' in window ? ['window.injected'] : [])`;

interface Watched {
  page: Page;
  /** Boxes that scripts opened, and addresses of other sites that were asked. */
  deeds: string[];
}

async function watchedPage(): Promise<Watched> {
  const page = await chrome.open();
  const deeds: string[] = [];
  page.on('dialog', (dialog) => {
    deeds.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (asked) => {
    if (new URL(asked.url()).origin !== app.url) deeds.push(`request ${asked.url()}`);
  });
  await enterAs(page, app, eve.user);
  return { page, deeds };
}

async function faultsOf({ page }: Watched, path: string): Promise<string[]> {
  const response = await page.goto(app.url + path);
  if (response?.status() !== 200) return [`${path} answers ${response?.status()}`];
  return ((await page.evaluate(FOREIGN)) as string[]).map((fault) => `${path}: ${fault}`);
}

const GROUPS = 6;
const SIZE = Math.ceil(TEXTS.length / GROUPS);

/** So many texts share an issue in which they are more than a title. */
const BUNDLE = 12;

/** The text as a label, which has no commas. */
function labelOf(text: string): string {
  return text.replaceAll(',', ' ').slice(0, 255).trim();
}

/** One issue per text for the lists; answers the pages of those that have several of them. */
async function fillWithIssues(project: MadeProject, texts: string[]): Promise<string[]> {
  const api = `/projects/${project.id}/issues`;
  const paths: string[] = [];
  for (const [at, text] of texts.entries()) {
    const issue_type = at % 3 === 0 ? 'incident' : 'issue';
    const body = { title: text.slice(0, 255), labels: [labelOf(text)], issue_type };
    const { status, body: made } = await eve.api.post(api, body);
    expect([text, status]).toEqual([text, 201]);
    if (at % BUNDLE !== 0) continue;
    const { iid } = made as { iid: number };
    await workOn(project, iid, texts.slice(at, at + BUNDLE));
    paths.push(`/-/issues/${iid}?per_page=100`, `/-/issues/${iid}/edit`);
  }
  return paths;
}

/** Puts the texts wherever an issue has some: notes, what is noted of changes, its alert. */
async function workOn(project: MadeProject, iid: number, texts: string[]): Promise<void> {
  const path = `/projects/${project.id}/issues/${iid}`;
  const labels = texts.map(labelOf);
  // Each text is a title and a label that comes and goes.
  for (const [at, text] of texts.entries()) {
    const changes = { add_labels: [labels[at]], remove_labels: labels.slice(at - 1, at) };
    await eve.api.put(path, { ...changes, title: text.slice(0, 255) }).expect(200);
    await eve.api.post(`${path}/notes`, { body: text }).expect(201);
    const alert = await makeAlert(app, project, { title: text.slice(0, 200) });
    const alerts = `/projects/${project.id}/alert_management_alerts/${alert.iid}`;
    await eve.api.post(`${alerts}/issue`, { issue_iid: iid }).expect(200);
  }
  const title = texts.find((text) => text.includes('</title>')) ?? texts[0];
  const last = { title: title?.slice(0, 255), description: texts.join('\n\n'), labels };
  await eve.api.put(path, { ...last, assignee_ids: [eve.user.id] }).expect(200);
}

describe('texts of issues that want to be scripts', () => {
  it.each(Array.from({ length: GROUPS }, (_, at) => at))(
    'stay texts on every page that shows them: part %d',
    async (at) => {
      const { namespaceId } = eve.user;
      const name = TEXTS[at]?.slice(0, 200) ?? '';
      const project = await makeProject(app, { namespaceId, name });
      const texts = TEXTS.slice(at * SIZE, (at + 1) * SIZE);
      const paths = await fillWithIssues(project, texts);
      const watched = await watchedPage();
      const lists = ['/-/issues?per_page=100', '/-/incidents?per_page=100', '/-/alert_management'];
      const search = encodeURIComponent(texts[0] ?? '');
      lists.push(`/-/issues?search=${search}&label=${search}&assignee=${search}`);
      lists.push(`/-/alert_management?search=${search}`);
      for (const path of [...lists, ...paths]) {
        expect(await faultsOf(watched, `/${project.fullPath}${path}`)).toEqual([]);
      }
      expect(watched.deeds).toEqual([]);
      expect(chrome.complaints()).toEqual([]);
    },
    180_000,
  );
});

describe('names that want to be scripts', () => {
  it('stay texts: of integrations, environments, hosts, keys of payloads and deliveries', async () => {
    const { namespaceId } = eve.user;
    const project = await makeProject(app, { namespaceId, name: '"><svg onload=alert(1)>' });
    const watched = await watchedPage();
    const own = `/${project.fullPath}/-`;
    const paths = [`${own}/alert_management?status=all`, `${own}/settings/alerts`];
    for (const text of TEXTS.filter((_, at) => at % 12 === 0)) {
      const name = text.replace(/[\r\n\t\u0000-\u001f]+/g, ' ').slice(0, 255);
      const integration = await makeIntegration(app, project, { name });
      await makeEnvironment(app, project, { name, slug: `e${integration.id}`.slice(0, 24) });
      const body = { title: text, svc_environment_name: name, hosts: [text], [text]: [text] };
      expect((await postAlert(integration.url, integration.token, body)).status).toBe(200);
      expect((await postAlert(integration.url, integration.token, `{"${name}`)).status).toBe(400);
      const one = `${own}/settings/alert_integrations/${integration.id}`;
      paths.push(one, `${one}/test`, `${one}/deliveries`, `${one}/mapping`);
    }
    for (const path of paths) expect(await faultsOf(watched, path)).toEqual([]);
    expect(watched.deeds).toEqual([]);
    expect(chrome.complaints()).toEqual([]);
  }, 180_000);
});
