import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MergeRequest } from '../../src/code/merge-requests/merge-request.entity.js';
import { cloneUrl } from '../git-http/world.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let git: GitSandbox;
let owner: MadeActor;
let project: MadeProject;
let directory: string;
let clones = 0;

beforeAll(async () => {
  [app, git] = await Promise.all([sharedTestApp(), makeGitSandbox()]);
});
afterAll(() => git.remove());
beforeEach(async () => {
  owner = await makeActor(app);
  const { namespaceId } = owner.user;
  project = await makeProject(app, { namespaceId, files: { 'a.txt': 'one\n' } });
  directory = await cloneBy(owner);
  await git.run(['checkout', '--quiet', '-b', 'feature'], directory);
  await git.commit(directory, 'b.txt', 'b');
});

async function cloneBy({ token }: MadeActor): Promise<string> {
  const folder = `clone${(clones += 1)}`;
  await git.run(['clone', '--quiet', cloneUrl(app, project.fullPath, token), folder]);
  return folder;
}

/** Pushes branches with options and returns git's output. */
async function push(options: string[], ...branches: string[]): Promise<string> {
  const given = options.flatMap((option) => ['-o', option]);
  const refs = branches.length === 0 ? ['feature'] : branches;
  const { code, stderr } = await git.try(['push', ...given, 'origin', ...refs], directory);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return stderr;
}

async function openOnes(): Promise<Record<string, unknown>[]> {
  const path = `/projects/${project.id}/merge_requests`;
  return (await owner.api.get(path).expect(200)).body as Record<string, unknown>[];
}

describe('a push with options', () => {
  it('is accepted with unknown, many or no options', async () => {
    expect(await push(['unknown', 'merge_request.nonsense=1', 'ci.variable=A=b', ''])).not.toMatch(
      /WARNING/,
    );
    await git.commit(directory, 'c.txt', 'c');
    await push(Array.from({ length: 100 }, (_, n) => `option${n}`));
    expect(await openOnes()).toEqual([]);
  });

  it('is refused when the options are too long', async () => {
    const args = ['push', '-o', 'x'.repeat(65_000), '-o', 'x'.repeat(1_000), 'origin', 'feature'];
    const { code, stderr } = await git.try(args, directory);
    expect([code, stderr]).toEqual([1, expect.stringContaining('413')]);
  });
});

describe('merge_request.create', () => {
  it('creates a merge request into the default branch and prints its URL', async () => {
    const told = await push(['merge_request.create']);
    const [opened, ...more] = await openOnes();
    expect(more).toEqual([]);
    expect(opened).toMatchObject({
      source_branch: 'feature',
      target_branch: 'main',
      title: 'Change b.txt',
      author: { id: owner.user.id },
      sha: await git.run(['rev-parse', 'HEAD'], directory),
    });
    expect(told).toContain(`View merge request !1 for feature:`);
    expect(told).toContain(String(opened?.['web_url']));
  });

  it('accepts title, description, labels, assignees, target and draft', async () => {
    const colleague = await makeMemberOf(app, project, 'developer');
    await git.run(['push', '--quiet', 'origin', 'main:release'], directory);
    await push([
      'mr.create',
      'merge_request.target=release',
      'merge_request.title=Add b',
      'merge_request.description=One line.\\nAnother = line.',
      'merge_request.label=bug',
      'merge_request.label=needs review',
      `merge_request.assign=@${colleague.user.username}`,
      `merge_request.assign=${owner.user.id}`,
      'merge_request.draft',
      'merge_request.remove_source_branch',
    ]);
    expect(await openOnes()).toEqual([
      expect.objectContaining({
        target_branch: 'release',
        title: 'Draft: Add b',
        description: 'One line.\nAnother = line.',
        labels: ['bug', 'needs review'],
        assignees: [
          expect.objectContaining({ id: owner.user.id }),
          expect.objectContaining({ id: colleague.user.id }),
        ],
        draft: true,
        force_remove_source_branch: true,
      }),
    ]);
  });

  it('updates the open merge request on the next push', async () => {
    await push(['merge_request.create', 'merge_request.label=bug']);
    await git.commit(directory, 'b.txt', 'more');
    const assign = `merge_request.assign=${owner.user.username}`;
    await push(['merge_request.create', 'merge_request.title=Second', 'mr.label=ui', assign]);
    await git.commit(directory, 'b.txt', 'most');
    await push(['merge_request.unlabel=bug', 'merge_request.draft']);
    expect(await openOnes()).toEqual([
      expect.objectContaining({
        title: 'Draft: Second',
        labels: ['ui'],
        assignees: [expect.objectContaining({ id: owner.user.id })],
        sha: await git.run(['rev-parse', 'HEAD'], directory),
      }),
    ]);
  });

  it.each([
    [['merge_request.title=x'], 'A merge_request.create push option is required'],
    [['merge_request.create', 'mr.target=nowhere'], 'target branch "nowhere" does not exist'],
    [['merge_request.create', 'merge_request.target=feature'], "You can't use same project/branch"],
  ])('accepts the push and explains why %j was not applied', async (options, reason) => {
    const told = await push(options);
    expect(told).toContain('WARNING: Push options were not applied: feature: ');
    expect(told).toContain(reason);
    expect(await openOnes()).toEqual([]);
  });

  it('creates one per branch, but none for eleven branches', async () => {
    const names = Array.from({ length: 11 }, (_, n) => `feature-${n}`);
    for (const name of names) await git.run(['branch', name], directory);
    expect(await push(['mr.create'], ...names)).toContain(
      'Too many branches pushed (11, limit is 10)',
    );
    await git.commit(directory, 'c.txt', 'c');
    await push(['mr.create'], 'feature:feature-0', 'feature:feature-1', ':feature-2');
    expect((await openOnes()).map((opened) => opened['source_branch']).sort()).toEqual([
      'feature-0',
      'feature-1',
    ]);
  });

  it('creates none in a project without merge requests', async () => {
    await owner.api
      .put(`/projects/${project.id}`, { merge_requests_access_level: 'disabled' })
      .expect(200);
    expect(await push(['merge_request.create'])).toContain('WARNING');
  });
});

describe('merge_request.merge_when_pipeline_succeeds', () => {
  const WAIT = ['merge_request.create', 'merge_request.merge_when_pipeline_succeeds'];

  it('waits for the pipeline of the push', async () => {
    await push(WAIT);
    expect(await openOnes()).toEqual([
      expect.objectContaining({ state: 'opened', merge_when_pipeline_succeeds: true }),
    ]);
    const sha = await git.run(['rev-parse', 'HEAD'], directory);
    const status = `/projects/${project.id}/statuses/${sha}`;
    const isDue = async () => {
      const where = { projectId: project.id };
      return (await app.dataSource.manager.findOneBy(MergeRequest, where))?.autoMergeDue;
    };
    await owner.api.post(status, { state: 'running' }).expect(201);
    expect(await isDue()).toBe(false);
    await owner.api.post(status, { state: 'success' }).expect(201);
    expect(await isDue()).toBe(true);
  });

  it('warns users who cannot push to the target branch', async () => {
    directory = await cloneBy(await makeMemberOf(app, project, 'developer'));
    await git.run(['checkout', '--quiet', '-b', 'feature'], directory);
    await git.commit(directory, 'b.txt', 'b');
    expect(await push(WAIT)).toContain('WARNING');
    expect(await openOnes()).toEqual([
      expect.objectContaining({ state: 'opened', merge_when_pipeline_succeeds: false }),
    ]);
  });

  it('merges immediately when CI is skipped', async () => {
    await push([...WAIT, 'ci.skip']);
    expect(await openOnes()).toEqual([expect.objectContaining({ state: 'merged' })]);
  });
});

describe('ci.skip', () => {
  it('marks the pipeline of each pushed branch as skipped until CI reports a status', async () => {
    await push(['ci.skip']);
    const sha = await git.run(['rev-parse', 'HEAD'], directory);
    const commit = `/projects/${project.id}/repository/commits/${sha}`;
    const skipped = await owner.api.get(commit).expect(200);
    expect(skipped.body).toMatchObject({ status: 'skipped', last_pipeline: { ref: 'feature' } });
    await owner.api.post(`/projects/${project.id}/statuses/${sha}`, { state: 'success' });
    expect((await owner.api.get(commit)).body).toMatchObject({ status: 'success' });
  });
});
