import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { EVENT_ACTIONS, PUSH_ACTIONS, REF_TYPES } from '../../src/core/activity/event.entity.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import { makeFeed } from '../support/feed-factories.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import { XSS_PAYLOADS } from '../support/xss-payloads.js';
import { dialogsOn } from './foreign.js';
import { faultsAt, faultsOf } from './inspect.js';

let app: BrowserApp;
let user: MadeUser;
let project: MadeProject;
let groupPath: string;

beforeAll(async () => {
  app = await sharedBrowserApp();
  user = await makeUser(app, { username: unique('ada'), name: 'Ada Lovelace' });
  const group = await makeGroup(app, { name: 'Looms', path: unique('looms') });
  groupPath = group.fullPath;
  await makeMember(app, { group, user, role: 'owner' });
  project = await makeProject(app, { namespaceId: group.id, name: 'Jacquard', path: 'jacquard' });
});
afterAll(() => app.close());

const open = (path: string, as: MadeUser = user): Promise<Page> => app.openAs(as, path);

/** Inserts recent activity of two users, and a year of pushes. */
async function furnish(): Promise<void> {
  const other = await makeUser(app, { name: 'Joseph Marie Jacquard' });
  const { id: projectId } = project;
  const long = `Punch the cards of the ${'new '.repeat(50)}pattern`;
  await makeFeed(app, { projectId, authorId: user.id }, 'The needle of loom 4 is bent');
  const second = await makeProject(app, { namespaceId: project.namespaceId, name: 'Cards' });
  await makeFeed(app, { projectId: second.id, authorId: other.id }, long);
  await app.dataSource.query(
    `INSERT INTO events (project_id, author_id, action, push_action, ref_type, ref, commit_from,
       commit_to, commit_count, commit_title, created_at)
     SELECT $1, $2, ${EVENT_ACTIONS.pushed}, ${PUSH_ACTIONS.pushed}, ${REF_TYPES.branch}, 'main',
       repeat('1', 40), repeat('2', 40), 3, 'Change the pattern', now() - day * interval '1 day'
     FROM generate_series(1, 364) day, generate_series(1, (day * 7 % 11) % 6) push
     WHERE day % 7 IN (1, 2, 5)`,
    [projectId, user.id],
  );
}

const PLACES = {
  'activity-project': () => `/${project.fullPath}/-/activity`,
  'activity-group': () => `/groups/${groupPath}/-/activity?per_page=40`,
  'activity-dashboard': () => '/dashboard/activity?filter=comments',
  'activity-user': () => `/users/${user.username}/activity`,
  'user-calendar': () => `/${user.username}`,
};

describe('feeds in the browser', () => {
  it('have no barriers as long as nothing has happened', async () => {
    const page = await open(PLACES['activity-project']());
    expect(await faultsOf(page, 'activity-none')).toEqual([]);
    await furnish();
  });

  it.each(Object.entries(PLACES))('have no barriers on the page %s', async (name, path) => {
    const page = await app.pageAs(user);
    expect(await faultsAt(page, { name, address: app.url + path() })).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are found by the tabs, the start page and the page of a person', async () => {
    const page = await open(`/${project.fullPath}`);
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.waitForURL(`${app.url}/${project.fullPath}/-/activity`);
    await page.getByRole('link', { name: 'Comments' }).click();
    await page.waitForURL('**/activity?filter=comments');
    await page.goto(app.url);
    await page.locator('main a[href="/dashboard/activity"]').click();
    await page.getByRole('link', { name: 'Your own activity' }).click();
    await page.waitForURL(`${app.url}/users/${user.username}/activity`);
    await page.goto(`${app.url}/${user.username}`);
    await page.getByRole('link', { name: 'View all' }).click();
    await page.waitForURL(`${app.url}/users/${user.username}/activity`);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('let the numbers of the calendar be read by the keyboard', async () => {
    const page = await open(`/${user.username}`);
    await page.getByText('Show data table').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /numbers$/ }).waitFor();
    expect(await page.getByRole('row').count()).toBeGreaterThan(100);
    expect(await faultsOf(page, 'user-calendar-numbers')).toEqual([]);
  });
});

/** Reads a feed as strictly as a browser reads XML: the names of its elements, titles of entries. */
const parsed = (
  path: string,
): string => `fetch('${path}').then((one) => one.text()).then((text) => {
  const feed = new DOMParser().parseFromString(text, 'application/xml');
  const names = [...feed.querySelectorAll('*')].map(({ localName }) => localName);
  const titles = [...feed.querySelectorAll('entry > title')].map((one) => one.textContent);
  return { names, titles };
})`;

/** Everything in the page but the form of the filters. */
const FOREIGN = `[...document.querySelectorAll('main :not(.filter-bar)')].flatMap((element) => {
  const found = [...element.attributes].filter(({ name }) => /^(on|hx-on|srcdoc)/i.test(name));
  const tags = ['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'IMG', 'VIDEO', 'AUDIO', 'STYLE', 'FORM'];
  const isOurs = element.origin === location.origin || element.relList?.contains('nofollow');
  const isLed = element.tagName === 'A' && !(isOurs && /^https?:$/.test(element.protocol));
  const isForeign = tags.includes(element.tagName) || isLed || found.length > 0;
  return isForeign ? [element.outerHTML.slice(0, 200)] : [];
})`;

describe('texts that want to be scripts', () => {
  it('stay texts in feeds: titles, comments, refs, names of people and projects', async () => {
    const writer = await makeUser(app, { name: XSS_PAYLOADS[1] ?? '' });
    const place = await makeProject(app, {
      namespaceId: writer.namespaceId,
      name: XSS_PAYLOADS[2] ?? '',
      visibility: 'public',
    });
    const page = await app.pageAs(writer);
    const dialogs = dialogsOn(page);
    await makeFeed(app, { projectId: place.id, authorId: writer.id }, XSS_PAYLOADS[0] ?? '');
    await app.dataSource.query(
      `INSERT INTO events (project_id, author_id, action, push_action, ref_type, ref, commit_from,
         commit_to, commit_count, commit_title)
       SELECT $1, $2, ${EVENT_ACTIONS.pushed}, ${PUSH_ACTIONS.pushed}, ${REF_TYPES.branch}, text,
         repeat('1', 40), repeat('2', 40), 3, text FROM unnest($3::text[]) text`,
      [place.id, writer.id, XSS_PAYLOADS],
    );
    for (const path of [`/${place.fullPath}/-/activity`, '/dashboard/activity']) {
      for (const number of [1, 2]) {
        await page.goto(`${app.url}${path}?per_page=100&page=${number}`);
        expect(await page.locator('main li').count()).toBeGreaterThan(40);
        expect(await page.evaluate(FOREIGN)).toEqual([]);
      }
    }
    await page.goto(`${app.url}/${writer.username}`);
    expect(await page.evaluate(FOREIGN)).toEqual([]);
    const feed = (await page.evaluate(
      parsed(`/${place.fullPath}/-/activity.atom?per_page=100`),
    )) as {
      names: string[];
      titles: string[];
    };
    expect(new Set(feed.names)).toEqual(
      new Set(['title', 'id', 'link', 'updated', 'published', 'author', 'name', 'uri', 'category'])
        .add('entry')
        .add('feed')
        .add('summary'),
    );
    expect(feed.titles).toHaveLength(100);
    expect(dialogs).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  });
});
