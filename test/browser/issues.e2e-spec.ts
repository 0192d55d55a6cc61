import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import { Label } from '../../src/workspace/labels/label.entity.js';
import { Note } from '../../src/workspace/notes/note.entity.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import { makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { faultsAt, faultsOf } from './inspect.js';

const REPORT = `**Start time:** 01 March 2026, 10:00AM (UTC)  
**Severity:** critical  
**Hosts:** loom-1 loom-2

---

## What happened

1. The *jacquard head* stopped at card \`4711\`
2. Spindles went on: https://status.example.com/looms

- [x] Stop the line
- [ ] Replace the needle, see ![a photo](https://example.com/needle.png)

| Loom | Cards per minute | State of the needle after the last inspection |
| ---- | ---------------: | --------------------------------------------- |
| 1    |               24 | bent, to be replaced with the spare from the cupboard |
| 2    |               31 | good |

> Nobody was hurt.

\`\`\`
journalctl -u loom --since "10 minutes ago" | grep --line-buffered needle | tail -n 200 > /tmp/loom.log
\`\`\``;

const INCIDENT = 200;

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

/** Rows of issues as a project in use has them. */
async function furnish(): Promise<void> {
  const other = await makeUser(app, { name: 'Joseph Marie Jacquard' });
  const rows: Partial<Issue>[] = [
    { title: 'Punch the cards of the new pattern', labels: ['cards', 'pattern: silk damask'] },
    { title: 'Who orders the silk?', confidential: true, dueDate: '2031-03-04' },
    { title: `A title ${'that goes on and on '.repeat(8)}`, discussionLocked: true },
  ];
  for (const [at, row] of rows.entries()) {
    await app.dataSource.manager.insert(Issue, {
      projectId,
      authorId: other.id,
      iid: 100 + at,
      ...row,
    });
  }
  const incident = await app.dataSource.manager.insert(Issue, {
    projectId,
    authorId: user.id,
    iid: INCIDENT,
    title: 'The loom stands still',
    description: REPORT,
    issueType: 'incident',
    severity: 'critical',
    labels: ['loom', 'line-1'],
  });
  const issueId = (incident.identifiers[0] as { id: number }).id;
  const notes: Partial<Note>[] = [
    { body: 'assigned to @joseph', system: true },
    { body: 'Replaced the needle, **it runs**.', authorId: other.id },
    { body: 'Bill the spare to line 1.', internal: true },
  ];
  for (const note of notes) {
    await app.dataSource.manager.insert(Note, {
      issueId,
      authorId: user.id,
      body: '',
      ...note,
    });
  }
  await app.dataSource.query('INSERT INTO issue_assignees VALUES ($1, $2)', [issueId, other.id]);
  await app.dataSource.query('INSERT INTO issue_counters VALUES ($1, $2)', [projectId, INCIDENT]);
}

describe('issues in the browser', () => {
  it('are none at first, which has no barriers', async () => {
    const page = await open(`${base}/issues`);
    expect(await faultsOf(page, 'issues-none')).toEqual([]);
    await furnish();
  });

  it.each([
    ['issues', 'issues'],
    ['issues-nothing-found', 'issues?search=weaver'],
    ['incidents', 'incidents'],
    ['incident', `issues/incident/${INCIDENT}`],
    ['issue-locked', 'issues/102'],
    ['issue-new', 'issues/new'],
    ['issue-edit', `issues/${INCIDENT}/edit`],
  ])('have no barriers and fit a telephone: %s', async (name, path) => {
    const page = await app.pageAs(user);
    const address = `${app.url}${base}/${path}`;
    expect(await faultsAt(page, { name, address })).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are shown to strangers without what is internal', async () => {
    const stranger = await app.chrome.open();
    const address = `${app.url}${base}/issues/incident/${INCIDENT}`;
    expect(await faultsAt(stranger, { name: 'incident-anonymous', address })).toEqual([]);
    expect(await stranger.textContent('main')).not.toContain('Bill the spare');
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('are made, talked about, closed and deleted without a script', async () => {
    const page = await open(`${base}/issues`, { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'New issue' }).first().click();
    await page.getByLabel('Title').fill('Card 4712 is torn');
    await page.getByLabel('Description').fill('It tore at **noon**.');
    await page.getByLabel('Labels').fill('cards, paper');
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.getByText(/Created #\d+\./).waitFor();
    expect(await page.locator('.markdown strong').first().textContent()).toBe('noon');
    await page.getByRole('textbox', { name: 'Comment' }).fill('Glued.');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText('Glued.').waitFor();
    await page.getByRole('link', { name: 'Edit' }).last().click();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Glued well.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Glued well.').waitFor();
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText('Assigned to you.').waitFor();
    await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
    await page.getByText('Unsubscribed.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await page.getByText('You are subscribed.').waitFor();
    await page.getByRole('button', { name: 'Close issue' }).click();
    await page.getByRole('button', { name: 'Reopen issue' }).waitFor();
    await page.getByLabel(/^More actions/).click();
    await page.locator('summary', { hasText: 'Delete' }).first().click();
    await page.getByRole('button', { name: 'Delete issue' }).click();
    await page.getByText(/Deleted #\d+\./).waitFor();
  });

  it('are filtered by suggestions, which Tab passes by, and their tasks are ticked on the page', async () => {
    const page = await open(`${base}/issues`);
    const search = page.locator('.filter-bar input[type=search]');
    await search.focus();
    await page.getByRole('option', { name: 'label:' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Sort by',
    );
    expect(await search.inputValue()).toBe('');
    await search.fill('label:car');
    await page.getByRole('option', { name: 'cards' }).click();
    await page.waitForURL(/label=cards/);
    await page.getByRole('link', { name: 'Remove filter: label cards' }).waitFor();
    const description = '- [ ] Count the cards';
    await app.dataSource.manager.update(Issue, { projectId, iid: 100 }, { description });
    await page.goto(`${app.url}${base}/issues/100`);
    await page.locator('.task-box').click();
    await page.locator('.task-box[aria-checked=true]').waitFor();
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('take several labels as chips, by keyboard and pointer', async () => {
    await app.dataSource.manager.insert(Label, { projectId, name: 'velvet', color: '#dc143c' });
    const page = await open(`${base}/issues/new`);
    await page.getByLabel('Title').fill('Card 4714 is torn');
    const labels = page.getByLabel('Labels');
    const field = page.locator('.field', { has: labels });
    const chips = (): Promise<string[]> => field.getByRole('listitem').allTextContents();
    await labels.fill('paper, Paper, paper, ');
    expect(await chips()).toEqual(['paper×', 'Paper×']);
    await page.keyboard.press('Backspace');
    expect(await chips()).toEqual(['paper×']);
    await labels.pressSequentially('vel');
    await field
      .locator('[data-combobox-option-default]:only-child', { hasText: 'velvet' })
      .waitFor();
    await page.keyboard.press('Enter');
    expect(await chips()).toEqual(['paper×', 'velvet×']);
    expect(await labels.inputValue()).toBe('');
    await labels.fill('steel');
    await page.keyboard.press('Enter');
    expect(await chips()).toEqual(['paper×', 'velvet×', 'steel×']);
    expect(await field.getByRole('status').textContent()).toBe('paper, velvet, steel');
    expect(await faultsOf(page, 'issue-new-chips')).toEqual([]);
    await labels.fill('wood');
    await page.getByRole('button', { name: 'Remove paper' }).click();
    expect(await chips()).toEqual(['velvet×', 'steel×']);
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.getByText(/Created #\d+\./).waitFor();
    const issue = await app.dataSource.manager.findOneByOrFail(Issue, {
      projectId,
      title: 'Card 4714 is torn',
    });
    expect(issue.labels.toSorted()).toEqual(['steel', 'velvet', 'wood']);
    await page.goto(`${app.url}${base}/issues/${issue.iid}/edit`);
    expect((await chips()).toSorted()).toEqual(['steel×', 'velvet×', 'wood×']);
  });

  it('are refused with what was typed in and what is wrong with it', async () => {
    const page = await open(`${base}/issues/new`);
    await page.getByLabel('Title').fill('Card 4713 is torn');
    await page.getByLabel('Assignees').fill('nobody-of-that-name');
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Card 4713 is torn');
    expect(await faultsOf(page, 'issue-new-refused')).toEqual([]);
  });
});
