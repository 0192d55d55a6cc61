import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { commitOn, openMergeRequest, tipOf } from '../support/merge-request-factories.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';
import { faultsAt, faultsOf } from './inspect.js';

let app: BrowserApp;
let owner: MadeActor;
let project: MadeProject;
let base: string;

beforeAll(async () => {
  app = await sharedBrowserApp();
  owner = await makeActor(app);
  const { namespaceId } = owner.user;
  project = await makeProject(app, { namespaceId, files: { 'a.txt': 'one\n' } });
  const files = { 'b.txt': 'two\n' };
  await commitOn(app, project, { branch: 'feature', from: 'main', user: owner.user, files });
  base = `${app.url}/${project.fullPath}/-`;
  await report('feature', { state: 'success', name: 'build', description: 'Built in 2 minutes' });
  const lint = { name: 'lint', allow_failure: true, target_url: 'https://ci.example.com/lint' };
  await report('feature', { state: 'failed', ...lint, description: 'long '.repeat(50) });
  await report('feature', { state: 'running', name: 'integration/with-a-name-of-some-length' });
  await report('main', { state: 'canceled' });
});
afterAll(() => app.close());

async function report(ref: string, body: Record<string, unknown>): Promise<void> {
  const sha = await tipOf(app, project, ref);
  await owner.api.post(`/projects/${project.id}/statuses/${sha}`, { ref, ...body }).expect(201);
}

describe('what outside CI says', () => {
  it('is on the pages of commits', async () => {
    const page = await app.pageAs(owner.user);
    const commit = { name: 'commit-statuses', address: `${base}/commit/feature` };
    expect(await faultsAt(page, commit)).toEqual([]);
    expect(await page.getByRole('link', { name: 'lint' }).getAttribute('href')).toBe(
      'https://ci.example.com/lint',
    );
    const list = { name: 'commit-statuses-list', address: `${base}/commits/feature` };
    expect(await faultsAt(page, list)).toEqual([]);
    expect(app.chrome.complaints()).toEqual([]);
  });

  it('lets a merge wait, which is taken back by a button', async () => {
    const { iid } = await openMergeRequest(owner.api, project, { source_branch: 'feature' });
    const page = await app.pageAs(owner.user);
    const form = { name: 'auto-merge-form', address: `${base}/merge_requests/${iid}` };
    expect(await faultsAt(page, form)).toEqual([]);
    await page.getByRole('button', { name: 'Merge when pipeline succeeds' }).click();
    await page.getByText('Auto-merge enabled', { exact: true }).waitFor();
    expect(await faultsOf(page, 'auto-merge-waiting')).toEqual([]);
    await page.getByRole('button', { name: 'Cancel auto-merge' }).click();
    await page.getByRole('button', { name: 'Merge now' }).waitFor();
    expect(app.chrome.complaints()).toEqual([]);
  });
});
