import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rename } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { api, type ApiClient } from '../support/api-client.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeToken, makeUser, unique, type MadeUser } from '../support/factories.js';
import { commitOn, openMergeRequest, repositoryPath } from '../support/merge-request-factories.js';
import {
  makeMember,
  makeOwnedGroup,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import { XSS_PAYLOADS } from '../support/xss-payloads.js';
import { dialogsOn } from './foreign.js';
import { faultsAt, faultsOf } from './inspect.js';

const WEAVE = `export function weave(cards: Card[]): Cloth {
  const cloth = new Cloth();
  for (const card of cards) {
    cloth.lift(card.holes);
  }
  return cloth;
}
`;
const WIDER = WEAVE.replace('new Cloth()', 'new Cloth({ width: 400 })');
const ABOUT = `Cloth was **too narrow** for the new loom.

- [x] Measure the loom
- [ ] Order silk

Closes #1
`;

let app: BrowserApp;
let user: MadeUser;
let client: ApiClient;
let project: MadeProject;
let list: string;

beforeAll(async () => {
  app = await sharedBrowserApp();
  user = await makeUser(app, { username: unique('ada'), name: 'Ada Lovelace' });
  client = api(app.url, await makeToken(app, user));
  const group = await makeOwnedGroup(app, { user }, { name: 'Mill' });
  project = await makeProject(app, {
    namespaceId: group.id,
    name: 'Analytical loom',
    files: { 'src/weave.ts': WEAVE, 'README.md': '# Loom\n' },
    visibility: 'public',
  });
  list = `${app.url}/${project.fullPath}/-/merge_requests`;
});
afterAll(() => app.close());

const open = (address: string, options?: BrowserContextOptions): Promise<Page> =>
  app.openAs(user, address, options);

async function branch(
  name: string,
  files: Record<string, string | null>,
  message = 'Weave wider cloth',
): Promise<void> {
  await commitOn(app, project, { branch: name, from: 'main', user, files, message });
}

/** The query of the form for a new one. */
function asked(source: string, target?: string): string {
  const query = new URLSearchParams({ 'merge_request[source_branch]': source });
  if (target !== undefined) query.set('merge_request[target_branch]', target);
  return query.toString();
}

/** Merge requests as a project in use has them. */
async function furnish(): Promise<void> {
  const reviewer = await makeUser(app, { name: 'Joseph Marie Jacquard' });
  await makeMember(app, { project, user: reviewer, role: 'developer' });
  await client.post(`/projects/${project.id}/issues`, { title: 'Cloth is too narrow' });
  await client.post(`/projects/${project.id}/milestones`, { title: 'First cloth' });
  await branch('wider-cloth', { 'src/weave.ts': WIDER, 'docs/guide.md': '# Guide\n' });
  await branch('new/pattern-with-a-name-that-goes-on-and-on', { 'patterns/silk.txt': 'silk\n' });
  await branch('conflict', { 'README.md': '# Mine\n', 'NOTES.md': 'x\n' }, 'Call it mine');
  const { sha } = await openMergeRequest(client, project, {
    source_branch: 'wider-cloth',
    title: 'Weave wider cloth',
    description: ABOUT,
    labels: 'cloth,loom',
    assignee_ids: [user.id],
    reviewer_ids: [reviewer.id],
    remove_source_branch: true,
  });
  await client.post(`/projects/${project.id}/statuses/${sha}`, { state: 'success' }).expect(201);
  await openMergeRequest(client, project, {
    source_branch: 'new/pattern-with-a-name-that-goes-on-and-on',
    title: `Draft: A title ${'that goes on and on '.repeat(8)}`,
  });
  await openMergeRequest(client, project, { source_branch: 'conflict', title: 'Call it mine' });
  await commitOn(app, project, { branch: 'main', user, files: { 'README.md': '# Ours\n' } });
  await client.post(`/projects/${project.id}/merge_requests/1/notes`, { body: 'It **fits**.' });
}

describe('merge requests in the browser', () => {
  it('are none at first', async () => {
    const page = await open(list);
    expect(await faultsOf(page, 'merge-requests-none')).toEqual([]);
    await furnish();
  });

  it.each([
    ['list', ''],
    ['nothing-found', '?search=weaver'],
    ['show', '/1'],
    ['draft', '/2'],
    ['conflict', '/3'],
    ['commits', '/1/commits'],
    ['diffs', '/1/diffs'],
    ['edit', '/1/edit'],
    ['new', '/new'],
    ['new-open-already', `/new?${asked('conflict')}`],
    ['new-form', `/new?${asked('conflict', 'wider-cloth')}`],
  ])('have no barriers and fit a telephone: %s', async (name, path) => {
    const page = await app.pageAs(user);
    const place = { name: `merge-requests-${name}`, address: `${list}${path}` };
    expect(await faultsAt(page, place)).toEqual([]);
  });

  it('are shown to who is not signed in', async () => {
    const stranger = await app.chrome.open();
    const place = { name: 'merge-requests-anonymous', address: `${list}/1` };
    expect(await faultsAt(stranger, place)).toEqual([]);
  });

  it('are opened, talked about and merged without a script', async () => {
    await branch('indigo', { 'colours/indigo.txt': 'blue\n' }, 'Dye with indigo');
    const page = await open(`${app.url}/${project.fullPath}/-/branches`, {
      javaScriptEnabled: false,
    });
    const item = page.getByRole('listitem').filter({ hasText: 'Dye with indigo' });
    await item.getByRole('link', { name: 'New merge request' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Dye with indigo');
    await page.getByLabel('Draft').check();
    await page.getByLabel('Delete source branch').check();
    await page.getByRole('button', { name: 'Create merge request' }).click();
    await page.getByText(/Created !\d+\./).waitFor();
    await page.getByText('This is a draft').waitFor();
    await page.getByRole('button', { name: 'Mark as ready' }).click();
    await page.getByText('Marked as ready.').waitFor();
    await page.getByRole('textbox', { name: 'Comment' }).fill('A fine colour.');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText('A fine colour.').waitFor();
    await page.getByRole('link', { name: /^Changes \d+ files?$/ }).click();
    await page.getByRole('heading', { name: 'colours/indigo.txt' }).waitFor();
    await page.getByRole('link', { name: /^Overview \d+ comments?$/ }).click();
    await page.getByText('Edit commit message').click();
    await page.getByLabel('Merge commit message').fill('Dye the cloth blue');
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByText('Merged into main.').waitFor();
    await page.getByText('Merged by Ada Lovelace').waitFor();
    await page.goto(`${app.url}/${project.fullPath}/-/branches`);
    expect(await page.textContent('main')).not.toContain('indigo');
  });

  it('are subscribed to and left alone again without a script', async () => {
    const page = await open(`${list}/1`, { javaScriptEnabled: false });
    await page.getByText('You are subscribed.').waitFor();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('You are not subscribed.').waitFor();
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await page.getByText('You are subscribed.').waitFor();
  });

  it('are merged by keys alone', async () => {
    await branch('madder', { 'colours/madder.txt': 'red\n' }, 'Dye with madder');
    const made = await openMergeRequest(client, project, { source_branch: 'madder' });
    const page = await open(`${list}/${made.iid}`);
    await page.getByText('Edit commit message').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Dye the cloth red');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await page.getByLabel('Delete source branch').isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Merged into main.').waitFor();
    expect(await faultsOf(page, 'merge-requests-merged')).toEqual([]);
  });

  it('show a refused merge with what was typed in', async () => {
    await branch('weld', { 'colours/weld.txt': 'yellow\n' }, 'Dye with weld');
    const made = await openMergeRequest(client, project, { source_branch: 'weld' });
    const page = await open(`${list}/${made.iid}`);
    await page.getByText('Edit commit message').click();
    await page.getByLabel('Merge commit message').fill('Dye the cloth yellow');
    const files = { 'colours/saffron.txt': 'dear\n' };
    await commitOn(app, project, { branch: 'weld', user, files });
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('alert').waitFor();
    const message = page.getByLabel('Merge commit message');
    expect(await message.inputValue()).toBe('Dye the cloth yellow');
    expect(await faultsOf(page, 'merge-requests-refused')).toEqual([]);
  });

  it('say by themselves when it is known whether they can be merged', async () => {
    await branch('woad', { 'colours/woad.txt': 'blue\n' }, 'Dye with woad');
    const made = await openMergeRequest(client, project, { source_branch: 'woad' });
    const path = repositoryPath(app, project);
    await rename(path, `${path}.away`);
    const page = await open(`${list}/${made.iid}`);
    await page.getByText('Checking mergeability').waitFor();
    expect(await faultsOf(page, 'merge-requests-checking')).toEqual([]);
    await rename(`${path}.away`, path);
    await page.getByRole('button', { name: 'Merge', exact: true }).waitFor();
    await page.getByText('Ready to merge.').waitFor();
  });

  it('run nothing of what was written or pushed', async () => {
    const page = await open(list);
    const dialogs = dialogsOn(page);
    // The spam check refuses such texts where others than members see them.
    await client.put(`/projects/${project.id}`, { visibility: 'private' }).expect(200);
    const name = `evil"><img/src=x/onerror=alert(1)>`;
    const files = { [`"><img src=x onerror=alert(1)>.txt`]: XSS_PAYLOADS.join('\n') };
    await branch(name, files, XSS_PAYLOADS.slice(0, 40).join('\n'));
    const made = await openMergeRequest(client, project, {
      source_branch: name,
      title: '"><img src=x onerror=alert(1)><script>alert(1)</script>',
      description: XSS_PAYLOADS.join('\n\n'),
      labels: `'><svg onload=alert(1)>`,
    });
    const notes = `/projects/${project.id}/merge_requests/${made.iid}/notes`;
    await client.post(notes, { body: XSS_PAYLOADS.join('\n\n') });
    const own = ['', '/commits', '/diffs', '/edit'].map((rest) => `/${made.iid}${rest}`);
    for (const place of ['', ...own, `/new?${asked(name)}`]) {
      const response = await page.goto(`${list}${place}`);
      expect([place, response?.status()]).toEqual([place, 200]);
    }
    expect(dialogs).toEqual([]);
  });

  it('broke no rule of the pages on the way', () => {
    expect(app.chrome.complaints()).toEqual([]);
  });
});
