import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';
import {
  commitOn,
  gitIn,
  mergeRequestEvents,
  mergeRequestNotes,
  type MergeRequestBody,
  moveBranches,
  openMergeRequest,
  tipOf,
} from '../support/merge-request-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

const CREATED = 1;
const MERGED = 7;

let app: TestApp;
let git: GitSandbox;
let owner: MadeActor;

beforeAll(async () => {
  [app, git] = await Promise.all([sharedTestApp(), makeGitSandbox()]);
  owner = await makeActor(app);
});
afterAll(() => git.remove());

/** A project with a merge request of `feature` into `main`, and its owner's clone of it. */
async function place() {
  const { namespaceId } = owner.user;
  const project = await makeProject(app, { namespaceId, files: { 'a.txt': 'one\n' } });
  const url = new URL(`${app.url}/${project.fullPath}.git`);
  Object.assign(url, { username: 'oauth2', password: owner.token });
  await git.run(['clone', '--quiet', url.href, project.path]);
  const run = (...args: string[]): Promise<string> => git.run(args, project.path);
  const commit = (file: string, content: string): Promise<string> =>
    git.commit(project.path, file, content);
  await run('checkout', '--quiet', '-b', 'feature');
  await commit('b.txt', 'two\n');
  await run('push', '--quiet', 'origin', 'feature');
  const request = await openMergeRequest(owner.api, project, { source_branch: 'feature' });
  const show = () => shown(project, request.iid);
  return { project, request, run, commit, show };
}

async function shown({ id }: MadeProject, iid: number): Promise<MergeRequestBody> {
  const response = await owner.api.get(`/projects/${id}/merge_requests/${iid}`);
  expect(response.status).toBe(200);
  return response.body as MergeRequestBody;
}

describe('a push to the source branch', () => {
  it('gives the merge request the new head, a note and the ref that keeps it', async () => {
    const { project, request, run, commit, show } = await place();
    await commit('c.txt', 'c');
    const head = await commit('d.txt', 'd');
    await run('push', '--quiet', 'origin', 'feature');
    expect(await show()).toMatchObject({ state: 'opened', sha: head });
    expect(await mergeRequestNotes(app, request.id)).toEqual(['added 2 commits']);
    expect(await gitIn(app, project, ['rev-parse', 'refs/merge-requests/1/head'])).toBe(head);
  });

  it('follows a forced push, and moves the base with it', async () => {
    const { run, commit, show, request } = await place();
    await run('checkout', '--quiet', 'main');
    const base = await commit('main.txt', 'm');
    await run('push', '--quiet', 'origin', 'main');
    await run('checkout', '--quiet', '-B', 'feature');
    const head = await commit('z.txt', 'z');
    await run('push', '--quiet', '--force', 'origin', 'feature');
    expect(await show()).toMatchObject({
      sha: head,
      diff_refs: { base_sha: base, head_sha: head },
    });
    await run('push', '--quiet', '--force', 'origin', 'main~1:refs/heads/feature');
    const notes = await mergeRequestNotes(app, request.id);
    expect(notes.at(-1)).toMatch(/^moved the source branch to [0-9a-f]{8}$/);
    expect((await show()).state).toBe('opened');
  });

  it('keeps the merge request open when the branch goes, and takes it up when it is back', async () => {
    const { project, request, run, show } = await place();
    const head = await tipOf(app, project, 'feature');
    await run('push', '--quiet', 'origin', ':feature');
    expect(await show()).toMatchObject({
      state: 'opened',
      sha: head,
      has_conflicts: false,
      detailed_merge_status: 'broken_status',
    });
    const path = `/projects/${project.id}/merge_requests/1`;
    expect((await owner.api.get(`${path}/diffs`)).body).toHaveLength(1);
    await run('push', '--quiet', 'origin', 'feature');
    expect((await show()).detailed_merge_status).toBe('mergeable');
    expect(await mergeRequestNotes(app, request.id)).toEqual([
      'deleted the `feature` branch',
      'moved the source branch to ' + String(head).slice(0, 8),
    ]);
  });

  it('refuses pushes to the refs that the server keeps', async () => {
    const { run } = await place();
    await expect(
      run('push', '--force', 'origin', 'main:refs/merge-requests/1/head'),
    ).rejects.toThrow();
  });
});

describe('a push to the target branch', () => {
  it('merges what it contains, with the merge commit, by who pushed', async () => {
    const { project, request, run, show } = await place();
    await run('checkout', '--quiet', 'main');
    await run('merge', '--quiet', '--no-ff', '-m', 'By hand', 'feature');
    await run('push', '--quiet', 'origin', 'main');
    expect(await show()).toMatchObject({
      state: 'merged',
      merge_commit_sha: await tipOf(app, project, 'main'),
      merge_user: { id: owner.user.id },
    });
    const events = await mergeRequestEvents(app, request.id);
    expect(events.map(({ action }) => action)).toEqual([CREATED, MERGED]);
  });

  it('merges without a merge commit what it was moved on to', async () => {
    const { run, show } = await place();
    await run('push', '--quiet', 'origin', 'feature:main');
    expect(await show()).toMatchObject({ state: 'merged', merge_commit_sha: null });
  });

  it('merges what came with the same push, by its new head', async () => {
    const { run, commit, show } = await place();
    const head = await commit('late.txt', 'l');
    await run('push', '--quiet', 'origin', 'feature', 'feature:main');
    expect(await show()).toMatchObject({ state: 'merged', sha: head });
  });

  it('leaves open what it contains only in part', async () => {
    const { run, commit, show } = await place();
    await commit('more.txt', 'm');
    await run('push', '--quiet', 'origin', 'feature');
    await run('push', '--quiet', 'origin', 'feature~1:main');
    expect(await show()).toMatchObject({ state: 'opened', detailed_merge_status: 'mergeable' });
  });

  it('leaves open a merge request that has no commits of its own', async () => {
    const { project, run, commit } = await place();
    await run('push', '--quiet', 'origin', 'main:refs/heads/same');
    const { iid } = await openMergeRequest(owner.api, project, { source_branch: 'same' });
    await run('checkout', '--quiet', 'main');
    await commit('new.txt', 'n');
    await run('push', '--quiet', 'origin', 'main');
    expect((await shown(project, iid)).state).toBe('opened');
  });

  it('resets mergeability in lists, and checks it again for single ones', async () => {
    const { project, run, commit, show } = await place();
    expect((await show()).merge_status).toBe('can_be_merged');
    await run('checkout', '--quiet', 'main');
    await commit('b.txt', 'other\n');
    await run('push', '--quiet', 'origin', 'main');
    const listed = async () =>
      (
        (await owner.api.get(`/projects/${project.id}/merge_requests`)).body as MergeRequestBody[]
      )[0];
    expect(await listed()).toMatchObject({
      detailed_merge_status: 'unchecked',
      has_conflicts: false,
    });
    expect((await show()).detailed_merge_status).toBe('conflict');
    expect(await listed()).toMatchObject({
      detailed_merge_status: 'conflict',
      has_conflicts: true,
    });
  });

  it('merges many at once, each by one event', async () => {
    const { project, run } = await place();
    const ids = [];
    for (let n = 0; n < 5; n += 1) {
      await run('checkout', '--quiet', '-b', `part${n}`);
      await git.commit(project.path, `part${n}.txt`, String(n));
      await run('push', '--quiet', 'origin', `part${n}`);
      const request = await openMergeRequest(owner.api, project, { source_branch: `part${n}` });
      ids.push(request.id);
    }
    await run('push', '--quiet', 'origin', 'part4:main');
    for (const id of ids) {
      const actions = (await mergeRequestEvents(app, id)).map(({ action }) => action);
      expect(actions).toEqual([CREATED, MERGED]);
    }
  });
});

describe('names that try to be something else', () => {
  it.each([
    ['topic/`<b>$(id)`', true],
    ["it's;rm -rf".replace(' ', '_'), true],
    ['--force', false],
    ['refs/heads/main', false],
    ['main~1', false],
    ['HEAD', false],
    ['a'.repeat(300), false],
    ['\u2028line', true],
  ])('opens %j only when it is a branch', async (name, exists) => {
    const { project } = await place();
    if (exists) {
      const tip = await tipOf(app, project, 'feature');
      await moveBranches(app, project, { user: owner.user, branches: { [name]: tip } });
    }
    const body = { source_branch: name, target_branch: 'main', title: 'Name' };
    const response = await owner.api.post(`/projects/${project.id}/merge_requests`, body);
    if (!exists) {
      const message = { source_branch: [`"${name}" does not exist`] };
      expect([response.status, response.body]).toEqual([400, { message }]);
      return;
    }
    expect(response.status).toBe(201);
    const { iid } = response.body as MergeRequestBody;
    const path = `/projects/${project.id}/merge_requests/${iid}/merge`;
    expect((await owner.api.put(path)).status).toBe(200);
    const subject = await gitIn(app, project, ['log', '-1', '--format=%B', 'main']);
    expect(subject).toContain(`Merge branch '${name}' into 'main'`);
  });
});

describe('what else reaches the branches', () => {
  it('counts symbolic links and submodules as changes, and merges them', async () => {
    const { project, run } = await place();
    await run('checkout', '--quiet', '-b', 'odd', 'main');
    const blob = await git.run(['rev-parse', 'HEAD:a.txt'], project.path);
    const head = await git.run(['rev-parse', 'HEAD'], project.path);
    await run('update-index', '--add', '--cacheinfo', `120000,${blob},link`);
    await run('update-index', '--add', '--cacheinfo', `160000,${head},sub`);
    await run('commit', '--quiet', '-m', 'Odd things');
    await run('push', '--quiet', 'origin', 'odd');
    const { iid } = await openMergeRequest(owner.api, project, { source_branch: 'odd' });
    const path = `/projects/${project.id}/merge_requests/${iid}`;
    const changes = (await owner.api.get(`${path}/changes`)).body as {
      changes: { b_mode: string }[];
    };
    expect(changes.changes.map(({ b_mode: mode }) => mode).sort()).toEqual(['120000', '160000']);
    await commitOn(app, project, { branch: 'main', user: owner.user, files: { q: 'q' } });
    expect((await owner.api.put(`${path}/merge`)).status).toBe(200);
  });

  it('hides merge requests of a private project from Guests', async () => {
    const { project } = await place();
    const guest = await makeMemberOf(app, project, 'guest');
    const list = await guest.api.get(`/projects/${project.id}/merge_requests`);
    expect(list.status).toBe(403);
    const all = `/merge_requests?scope=all&author_id=${owner.user.id}`;
    expect((await guest.api.get(all)).body).toEqual([]);
  });
});
