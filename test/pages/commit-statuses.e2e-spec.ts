import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { commitOn, openMergeRequest, tipOf } from '../support/merge-request-factories.js';
import { type PageClient, signedIn } from '../support/page-client.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';

const XSS = '<script>alert(1)</script>';

let app: TestApp;
let visitor: MadeActor;
let pages: PageClient;
let project: MadeProject;
let base: string;

beforeAll(async () => {
  app = await sharedTestApp();
  visitor = await makeActor(app);
  pages = await signedIn(app, visitor.user);
});
beforeEach(async () => {
  const { namespaceId } = visitor.user;
  const files = { 'a.txt': 'one\n' };
  project = await makeProject(app, { namespaceId, visibility: 'public', files });
  base = `/${project.fullPath}/-`;
});

async function report(ref: string, body: Record<string, unknown>): Promise<void> {
  const sha = await tipOf(app, project, ref);
  await visitor.api.post(`/projects/${project.id}/statuses/${sha}`, { ref, ...body }).expect(201);
}

async function openOne(): Promise<string> {
  const change = { branch: 'feature', from: 'main', user: visitor.user, files: { 'b.txt': 'b' } };
  await commitOn(app, project, change);
  const { iid } = await openMergeRequest(visitor.api, project, { source_branch: 'feature' });
  return `${base}/merge_requests/${iid}`;
}

describe('the pages of commits', () => {
  it('list the statuses of a commit with their links, all escaped', async () => {
    const page = `${base}/commit/main`;
    expect(textOf((await pages.get(page).expect(200)).text)).not.toContain('Statuses');
    await report('main', {
      state: 'success',
      name: `build ${XSS}`,
      description: `Fine ${XSS}`,
      target_url: 'https://ci.example.com/builds/1?a=b&c=d',
    });
    await report('main', { state: 'failed', name: 'lint', allow_failure: true });
    const { text } = await request(app.url).get(page).expect(200);
    expect(text).not.toContain(XSS);
    const shown = textOf(text);
    expect(shown).toMatch(/Pipeline #\d+ · main Passed/);
    expect(shown).toContain(`Passed build ${XSS} Fine ${XSS}`);
    expect(shown).toContain('Failed Allowed to fail lint');
    expect(text).toContain('href="https://ci.example.com/builds/1?a=b&amp;c=d"');
    expect(text).toContain('rel="nofollow noopener noreferrer ugc"');
  });

  it('group statuses by pipeline, on a page of their own as well', async () => {
    const sha = await tipOf(app, project, 'main');
    await report('main', { state: 'success', name: 'build' });
    const tag = { ref: 'v1', state: 'failed', name: 'deploy' };
    await visitor.api.post(`/projects/${project.id}/statuses/${sha}`, tag).expect(201);
    const shown = textOf((await pages.get(`${base}/commit/${sha}`).expect(200)).text);
    expect(shown).toMatch(/Pipelines 2 .*#\d+ · v1 Failed .*deploy .*#\d+ · main Passed .*build/);
    const list = await request(app.url).get(`${base}/commit/${sha}/pipelines`).expect(200);
    expect(textOf(list.text)).toMatch(/#\d+ · v1 Failed .*deploy .*#\d+ · main Passed .*build/);
    await app.dataSource.query(
      `INSERT INTO commit_statuses (pipeline_id, name, state, finished_at)
       SELECT s.pipeline_id, 'x' || at, s.state, now()
       FROM commit_statuses s JOIN pipelines l ON l.id = s.pipeline_id, generate_series(1, 200) at
       WHERE l.project_id = $1 AND s.name = 'deploy'`,
      [project.id],
    );
    const long = textOf((await pages.get(`${base}/commit/${sha}/pipelines`).expect(200)).text);
    expect(long).toMatch(/· v1 Failed .*Showing 200 of 201 statuses .*· main Passed/);
    expect(long).toMatch(/· main Passed .*\d status(es)?, not shown here/);
    await pages.get(`${base}/commit/${'0'.repeat(40)}/pipelines`).expect(404);
    const hidden = await makeProject(app, {
      namespaceId: visitor.user.namespaceId,
      files: { 'a.txt': 'a' },
    });
    await pages.get(`/${hidden.fullPath}/-/commit/main/pipelines`).expect(200);
    await request(app.url).get(`/${hidden.fullPath}/-/commit/main/pipelines`).expect(404);
  });

  it('show in lists what became of each commit', async () => {
    await report('main', { state: 'running' });
    const { text } = await request(app.url).get(`${base}/commits/main`).expect(200);
    expect(textOf(text)).toContain('Running');
    await report('main', { state: 'failed' });
    const after = await request(app.url).get(`${base}/commits/main`).expect(200);
    expect(textOf(after.text)).toContain('Failed');
  });
});

describe('the page of a merge request', () => {
  it('lets the merge wait for the pipeline, and takes that back', async () => {
    const page = await openOne();
    await report('feature', { state: 'running' });
    const form = await pages.get(page).expect(200);
    expect(textOf(form.text)).toContain('Merge when pipeline succeeds Merge now');
    await pages.post(`${page}/merge`, { auto_merge: 'true' }).expect(303);
    const waiting = textOf((await pages.get(page).expect(200)).text);
    expect(waiting).toContain('Auto-merge enabled');
    expect(waiting).toContain('Cancel auto-merge');
    expect(waiting).not.toContain('Merge now');
    const stranger = textOf((await request(app.url).get(page).expect(200)).text);
    expect(stranger).toContain('Auto-merge enabled');
    expect(stranger).not.toContain('Cancel auto-merge');
    await pages.post(`${page}/merge/cancel`, {}).expect(303);
    expect(textOf((await pages.get(page).expect(200)).text)).toContain('Merge now');
    const late = await pages.post(`${page}/merge/cancel`, {}).expect(422);
    expect(textOf(late.text)).toContain('Auto-merge is already off.');
  });

  it('shows why a merge cannot wait for a pipeline that has failed', async () => {
    const page = await openOne();
    await report('feature', { state: 'failed' });
    expect(textOf((await pages.get(page).expect(200)).text)).not.toContain('Merge now');
    const { text } = await pages.post(`${page}/merge`, { auto_merge: 'true' }).expect(422);
    expect(textOf(text)).toContain(
      'Auto-merge is unavailable for drafts, closed merge requests and failed pipelines.',
    );
  });
});
