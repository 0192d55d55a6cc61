import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import { Milestone } from '../../src/workspace/milestones/milestone.entity.js';
import { Note } from '../../src/workspace/notes/note.entity.js';
import { VISIBILITY } from '../../src/identity/members/visibility.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import { makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';
import { faultsAt, faultsOf } from './inspect.js';

const PLAN = `What the mill needs before the winter:

- [x] The new *jacquard head*
- [ ] Cards for the damask, see \`cards/damask.txt\``;

let app: BrowserApp;
let user: MadeUser;
let base: string;
let projectId: number;

beforeAll(async () => {
  app = await sharedBrowserApp();
  user = await makeUser(app, { username: unique('ada'), name: 'Ada Lovelace' });
  const group = await makeOwnedGroup(app, { user }, { name: 'Looms' });
  const project = await makeProject(app, {
    namespaceId: group.id,
    name: 'Jacquard',
    path: 'jacquard',
    visibility: 'public',
  });
  projectId = project.id;
  base = `/${project.fullPath}/-`;
});
afterAll(() => app.close());

const open = (path: string, options?: BrowserContextOptions): Promise<Page> =>
  app.openAs(user, path, options);

/** Rows of milestones as a project in use has them. */
async function furnish(): Promise<void> {
  const rows: Partial<Milestone>[] = [
    { title: 'Winter', description: PLAN, startDate: '2030-10-01', dueDate: '2030-12-01' },
    { title: 'Summer', dueDate: '2001-06-01' },
    { title: `A title ${'that goes on and on '.repeat(8)}` },
    { title: 'Done long ago', state: 'closed' },
  ];
  for (const [at, row] of rows.entries()) {
    await app.dataSource.manager.insert(Milestone, { projectId, iid: 100 + at, ...row });
  }
  await app.dataSource.query('INSERT INTO milestone_counters VALUES ($1, 103)', [projectId]);
  const { id } = await app.dataSource.manager.findOneByOrFail(Milestone, { projectId, iid: 100 });
  for (const iid of [1, 2, 3]) {
    const closed = iid === 1 && ({ state: 'closed', closedAt: new Date() } as const);
    const title = `Punch card ${iid}`;
    const row = { projectId, iid, title, authorId: user.id, milestoneId: id, ...closed };
    await app.dataSource.manager.insert(Issue, row);
  }
  await app.dataSource.query('INSERT INTO issue_counters VALUES ($1, 3)', [projectId]);
}

describe('milestones in the browser', () => {
  it('are listed without barriers, wide and narrow', async () => {
    const page = await open(`${base}/milestones`);
    expect(await faultsOf(page, 'milestones-none')).toEqual([]);
    await furnish();
    for (const state of ['active', 'all']) {
      const address = `${app.url}${base}/milestones?state=${state}`;
      expect(await faultsAt(page, { name: `milestones-${state}`, address })).toEqual([]);
    }
    expect(app.chrome.complaints()).toEqual([]);
  });

  it.each([
    ['milestone', 'milestones/100'],
    ['milestone-new', 'milestones/new'],
    ['milestone-edit', 'milestones/100/edit'],
    ['milestone-issues', 'issues?state=all&milestone=Winter'],
    ['milestone-of-issue', 'issues/2'],
    ['milestone-in-form', 'issues/2/edit'],
  ])('have no barriers on the page %s', async (name, path) => {
    const page = await open(`${base}/${path}`);
    expect(await faultsOf(page, name)).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are made, closed and deleted without a script', async () => {
    const page = await open(`${base}/milestones`, { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'New milestone' }).first().click();
    await page.getByLabel('Title').fill('Spring');
    await page.getByLabel('Description').fill('Before the **flood**.');
    await page.getByLabel('Due date').fill('2031-04-01');
    await page.getByRole('button', { name: 'Create milestone' }).click();
    await page.getByText('Milestone created.').waitFor();
    expect(await page.locator('.markdown strong').first().textContent()).toBe('flood');
    await page.getByRole('button', { name: 'Close milestone' }).click();
    await page.getByRole('button', { name: 'Reopen milestone' }).waitFor();
    await page.getByLabel(/^More actions/).click();
    await page.locator('summary', { hasText: 'Delete' }).first().click();
    await page.getByRole('button', { name: 'Delete milestone' }).click();
    await page.getByText('Milestone deleted.').waitFor();
  });
});

describe('comments on snippets in the browser', () => {
  it('are written, and shown without barriers', async () => {
    const snippet = await makeSnippet(app, {
      authorId: user.id,
      projectId,
      visibility: VISIBILITY.public,
    });
    const note = { snippetId: snippet.id, authorId: user.id, body: 'It *runs* at `4711`.' };
    await app.dataSource.manager.insert(Note, note);
    const page = await open(`${base}/snippets/${snippet.id}`);
    await page.getByRole('textbox', { name: 'Comment' }).fill('A **neat** trick');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.locator('strong', { hasText: 'neat' }).waitFor();
    expect(await faultsOf(page, 'snippet-comments')).toEqual([]);
    await page.getByRole('link', { name: 'Edit' }).last().click();
    expect(await faultsOf(page, 'snippet-comment-edit')).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  });
});
