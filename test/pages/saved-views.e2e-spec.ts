import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { textOf } from '../support/html.js';
import { makeVisitor, signedIn, type PageClient } from '../support/page-client.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

const MOST_VIEWS = 20;
const LISTS = [
  'issues',
  'incidents',
  'merge_requests',
  'alert_management',
  'error_tracking',
] as const;

let app: TestApp;
let pages: PageClient;
let project: MadeProject;
let base: string;

beforeAll(async () => {
  app = await sharedTestApp();
  const owner = await makeVisitor(app);
  pages = owner.pages;
  const { namespaceId } = owner.user;
  project = await makeProject(app, { namespaceId, visibility: 'public' });
  base = `/${project.fullPath}/-`;
});

interface View {
  list?: string;
  name: string;
  query?: string;
}

function save({ list = 'issues', name, query = 'label=bug' }: View, by = pages) {
  return by.post(`${base}/views`, { list, name, query });
}

async function readViews(list = 'issues', by = pages): Promise<string> {
  // Lists that have nothing yet show their first steps in place of filters.
  const { text } = await by.get(`${base}/${list}?search=loom`).expect(200);
  return /<ul aria-label="Saved views">.*?<\/ul>/s.exec(text)?.[0] ?? '';
}

/** ID of the view that the list shows under this name. */
async function idOf(name: string): Promise<string> {
  const item = (await readViews()).split('<li>').find((one) => one.includes(`"Rename ${name}"`));
  return /\/views\/(\d+)"/.exec(item ?? '')?.[1] ?? '0';
}

describe('saved views', () => {
  it.each(LISTS)('keep the filter of the list %s under a name', async (list) => {
    const saved = await save({ list, name: '<b>Mine</b>', query: 'search=a%26b' }).expect(303);
    expect(saved.headers['location']).toBe(`${base}/${list}?search=a%26b`);
    const views = await readViews(list);
    expect(views).toContain(`href="${base}/${list}?search=a%26b"`);
    expect(textOf(views)).toContain('<b>Mine</b>');
    expect(views).not.toContain('<b>');
  });

  it('keep how alerts are grouped', async () => {
    const query = 'status=all&group=title';
    await save({ list: 'alert_management', name: 'By title', query }).expect(303);
    expect(await readViews('alert_management')).toContain('?status=all&amp;group=title"');
  });

  it('are replaced under the same name, renamed and deleted', async () => {
    await save({ name: 'Bugs', query: 'label=bug' });
    await save({ name: 'Bugs', query: 'label=bug&state=all' });
    await save({ name: 'Others' });
    expect(await readViews()).toContain('?label=bug&amp;state=all"');
    const address = `${base}/views/${await idOf('Bugs')}`;
    await pages.post(address, { name: 'Others' }).expect(303);
    expect(textOf(await readViews())).toContain('Bugs');
    await pages.post(address, { name: 'Defects' }).expect(303);
    const renamed = textOf(await readViews());
    expect([renamed.includes('Defects'), renamed.includes('Bugs')]).toEqual([true, false]);
    await pages.post(`${address}/delete`, {}).expect(303);
    expect(textOf(await readViews())).not.toContain('Defects');
    await pages.post(`${address}/delete`, {}).expect(404);
  });

  it('belong to the user who saved them', async () => {
    await save({ name: 'Private' });
    const address = `${base}/views/${await idOf('Private')}`;
    const other = await signedIn(app, (await makeMemberOf(app, project, 'developer')).user);
    expect(await readViews('issues', other)).toBe('');
    await other.post(address, { name: 'Taken over' }).expect(303);
    await other.post(`${address}/delete`, {}).expect(404);
    expect(textOf(await readViews())).toContain('Private');
    const { namespaceId } = (await makeVisitor(app)).user;
    const hidden = await makeProject(app, { namespaceId, visibility: 'private' });
    const refused = await pages.post(`/${hidden.fullPath}/-/views`, {
      list: 'issues',
      name: 'Hidden',
      query: '',
    });
    expect(refused.status).toBe(404);
  });

  it('are bounded in number and size, and refuse lists that do not exist', async () => {
    const wrong: View[] = [
      { list: 'snippets', name: 'Wrong' },
      { name: '' },
      { name: 'x'.repeat(51) },
      { name: 'Wrong', query: 'x'.repeat(2001) },
    ];
    for (const view of wrong) await save(view).expect(303);
    expect(await readViews()).not.toMatch(/Wrong|xxx/);
    const list = 'merge_requests';
    for (let count = 0; count < MOST_VIEWS; count += 1) await save({ list, name: `View ${count}` });
    await save({ list, name: 'One more' }).expect(303);
    expect(await readViews(list)).not.toContain('One more');
    await save({ list, name: 'View 0', query: 'label=new' });
    expect(await readViews(list)).toContain('label=new');
  });
});
