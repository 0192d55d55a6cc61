import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { commitOn, openMergeRequest } from '../support/merge-request-factories.js';
import { makeProject } from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

/** A public project's merge request, and what outside CI reports of its head. */
async function place() {
  const { namespaceId } = owner.user;
  const files = { 'a.txt': 'one\n' };
  const project = await makeProject(app, { namespaceId, visibility: 'public', files });
  const change = { branch: 'feature', user: owner.user, files: { 'b.txt': 'b' } };
  await commitOn(app, project, { ...change, from: 'main' });
  const { iid, sha } = await openMergeRequest(owner.api, project, { source_branch: 'feature' });
  const report = (state: string, name = 'build') => {
    const body = { state, name, ref: 'feature' };
    return owner.api.post(`/projects/${project.id}/statuses/${sha}`, body).expect(201);
  };
  const push = (): Promise<string> =>
    commitOn(app, project, { ...change, files: { 'c.txt': 'c' } });
  const path = `/projects/${project.id}/merge_requests/${iid}`;
  return { sha, path, report, push, address: `/${project.fullPath}/-/merge_requests/${iid}` };
}

async function read(address: string): Promise<string> {
  return textOf((await request(app.url).get(address).expect(200)).text);
}

describe('the pipeline of the head of a merge request', () => {
  it('is shown with its state, which leads to the statuses of the commit', async () => {
    const { sha, address, report } = await place();
    expect(await read(address)).not.toContain('Pipeline');
    await report('running');
    const { text } = await request(app.url).get(address).expect(200);
    const short = sha.slice(0, 8);
    expect(textOf(text)).toContain(`Pipeline Running for ${short} on feature`);
    expect(text).toContain(`/-/commit/${sha}`);
    await report('success');
    expect(await read(address)).toContain(`Pipeline Passed for ${short} on feature`);
    await report('failed', 'test');
    expect(await read(address)).toContain(`Pipeline Failed for ${short} on feature`);
  });

  it('is that of the head only', async () => {
    const { path, address, report, push } = await place();
    await report('success');
    await push();
    expect(await read(address)).not.toContain('Pipeline Passed');
    const { body } = (await owner.api.get(path).expect(200)) as { body: object };
    expect(body).toMatchObject({ head_pipeline: null, pipeline: null });
  });

  it('is in the API under both names', async () => {
    const { sha, path, report } = await place();
    await report('failed');
    const { body } = (await owner.api.get(path).expect(200)) as { body: object };
    const pipeline = expect.objectContaining({ sha, ref: 'feature', status: 'failed' });
    expect(body).toMatchObject({ head_pipeline: pipeline, pipeline });
  });
});
