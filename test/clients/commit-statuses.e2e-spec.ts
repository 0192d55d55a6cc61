import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { commitOn, tipOf } from '../support/merge-request-factories.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';
import { clientOf, refusalOf, type Client } from './client.js';

let app: OwnTestApp;
let owner: MadeActor;
let client: Client;
let project: MadeProject;
let sha: string;

beforeAll(async () => {
  app = await startTestApp();
  owner = await makeActor(app);
  client = clientOf(app, owner);
  const { namespaceId } = owner.user;
  project = await makeProject(app, { namespaceId, files: { 'a.txt': 'one\n' } });
  const files = { 'b.txt': 'two\n' };
  await commitOn(app, project, { branch: 'feature', from: 'main', user: owner.user, files });
  sha = (await tipOf(app, project, 'feature')) ?? '';
});
afterAll(() => app.close());

describe('commit statuses', () => {
  it('are reported and listed, with the pipeline that follows from them', async () => {
    const { id } = project;
    await client.Commits.editStatus(id, sha, 'running', { name: 'build', ref: 'feature' });
    const ended = await client.Commits.editStatus(id, sha, 'success', {
      name: 'build',
      ref: 'feature',
      targetUrl: 'https://ci.example.com/1',
      description: 'Fine',
      coverage: 80.25,
    });
    expect(ended).toMatchObject({ status: 'success', name: 'build', coverage: 80.25 });
    await client.Commits.editStatus(id, sha, 'failed', { context: 'lint', ref: 'feature' });
    const listed = await client.Commits.allStatuses(id, sha, { ref: 'feature' });
    expect(listed.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'build success',
      'lint failed',
    ]);
    const commit = await client.Commits.show(id, sha);
    expect(commit).toMatchObject({ status: 'failed', last_pipeline: { ref: 'feature', sha } });
  });

  it('are refused with words that reporters know', async () => {
    const { id } = project;
    await client.Commits.editStatus(id, sha, 'pending', { name: 'twice' });
    const refused = await refusalOf(
      client.Commits.editStatus(id, sha, 'pending', { name: 'twice' }),
    );
    expect(refused).toEqual({
      status: 400,
      description: expect.stringContaining('Cannot transition status via :enqueue from :pending'),
    });
  });
});

describe('merges that wait for the pipeline', () => {
  it('are asked for and taken back', async () => {
    const { id } = project;
    const { iid } = await client.MergeRequests.create(id, 'feature', 'main', 'Change it');
    await client.Commits.editStatus(id, sha, 'running', { name: 'deploy', ref: 'feature' });
    const waiting = await client.MergeRequests.merge(id, iid, { mergeWhenPipelineSucceeds: true });
    expect(waiting).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    const shown = await client.MergeRequests.show(id, iid);
    expect(shown.head_pipeline).toMatchObject({ status: 'running', sha });
    const canceled = await client.MergeRequests.cancelOnPipelineSuccess(id, iid);
    expect(canceled).toMatchObject({ merge_when_pipeline_succeeds: false });
  });
});
