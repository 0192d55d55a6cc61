import { rename } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Project } from '../../src/workspace/projects/project.entity.js';
import type { Role } from '../../src/identity/members/roles.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeUser, type MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import {
  commitOn,
  gitIn,
  mergeRequestEvents,
  mergeRequestNotes,
  type MergeRequestBody,
  moveBranches,
  openMergeRequest,
  repositoryPath,
  tipOf,
} from '../support/merge-request-factories.js';
import {
  makeMember,
  makeMemberOf,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

const MERGED = 7;
const READ_ONLY = 'The repository is temporarily read-only. Please try again later.';

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

interface Place {
  project: MadeProject;
  request: MergeRequestBody;
  merge(body?: object, by?: MadeActor): ReturnType<MadeActor['api']['put']>;
  show(): Promise<MergeRequestBody>;
}

/** A project with an open merge request of `feature` into `main`; `files` are those of `feature`. */
async function place(
  files: Record<string, string | null> = { 'b.txt': 'two\n' },
  body: Record<string, unknown> = {},
): Promise<Place> {
  const project = await makeProject(app, {
    namespaceId: owner.user.namespaceId,
    files: { 'a.txt': 'one\n', 'c.txt': 'three\n' },
  });
  await commitOn(app, project, { branch: 'feature', from: 'main', user: owner.user, files });
  const request = await openMergeRequest(owner.api, project, {
    source_branch: 'feature',
    title: 'Change it',
    ...body,
  });
  const path = `/projects/${project.id}/merge_requests/${request.iid}`;
  const merge = (given: object = {}, by = owner) => by.api.put(`${path}/merge`, given);
  const show = async () => (await owner.api.get(path)).body as MergeRequestBody;
  return { project, request, merge, show };
}

const member = (of: MadeProject, role: Role): Promise<MadeActor> => makeMemberOf(app, of, role);

async function pushEvents({ id }: MadeProject): Promise<unknown[]> {
  return app.dataSource.query(
    `SELECT author_id, ref, commit_count FROM events
     WHERE project_id = $1 AND action = 5 AND ref = 'main' ORDER BY id`,
    [id],
  );
}

describe('PUT /projects/:id/merge_requests/:merge_request_iid/merge', () => {
  it('makes a merge commit of the merger and puts push and merge on record', async () => {
    const { project, request, merge } = await place();
    const merger = await member(project, 'maintainer');
    const [target, head] = [
      await tipOf(app, project, 'main'),
      await tipOf(app, project, 'feature'),
    ];

    const response = await merge({ sha: head }, merger);

    const tip = await tipOf(app, project, 'main');
    expect([response.status, response.body]).toEqual([
      200,
      expect.objectContaining({
        state: 'merged',
        merge_commit_sha: tip,
        sha: head,
        merged_at: expect.any(String),
        merge_user: expect.objectContaining({ id: merger.user.id }),
        detailed_merge_status: 'not_open',
      }),
    ]);
    expect(await gitIn(app, project, ['log', '-1', '--format=%P|%an|%ae|%cn|%B', 'main'])).toBe(
      `${target} ${head}|${merger.user.name}|${merger.user.email}|${merger.user.name}|` +
        `Merge branch 'feature' into 'main'\n\nChange it\n\nSee merge request ${project.fullPath}!1`,
    );
    expect(await gitIn(app, project, ['ls-tree', '--name-only', 'main'])).toBe(
      'a.txt\nb.txt\nc.txt',
    );
    expect((await mergeRequestEvents(app, request.id)).at(-1)).toEqual({
      action: MERGED,
      author_id: merger.user.id,
    });
    expect(await pushEvents(project)).toEqual([
      { author_id: merger.user.id, ref: 'main', commit_count: 2 },
    ]);
    expect(await mergeRequestNotes(app, request.id)).toEqual(['merged']);
    expect(await tipOf(app, project, 'feature')).toBe(head);
  });

  it('takes the message and removes the source branch when asked to', async () => {
    const { project, merge } = await place();
    const body = { merge_commit_message: 'Own words', should_remove_source_branch: true };
    expect((await merge(body)).status).toBe(200);
    expect(await gitIn(app, project, ['log', '-1', '--format=%B', 'main'])).toBe('Own words');
    expect(await tipOf(app, project, 'feature')).toBeNull();
  });

  it('never removes the default branch', async () => {
    const { project, merge } = await place();
    expect((await merge()).status).toBe(200);
    await moveBranches(app, project, {
      user: owner.user,
      branches: { release: await gitIn(app, project, ['rev-parse', 'main~1']) },
    });
    const back = await openMergeRequest(owner.api, project, {
      source_branch: 'main',
      target_branch: 'release',
      remove_source_branch: true,
    });
    const path = `/projects/${project.id}/merge_requests/${back.iid}/merge`;
    expect((await owner.api.put(path)).status).toBe(200);
    expect(await tipOf(app, project, 'main')).not.toBeNull();
  });

  it('answers 401 to who may not push to the target branch', async () => {
    const { project, merge } = await place();
    const developer = await member(project, 'developer');
    const reporter = await member(project, 'reporter');
    for (const person of [developer, reporter]) {
      const { status, body } = await merge({}, person);
      expect([status, body]).toEqual([401, { message: '401 Unauthorized' }]);
    }
  });

  it('lets Developers merge into branches that are not protected', async () => {
    const { project } = await place();
    const developer = await member(project, 'developer');
    await commitOn(app, project, {
      branch: 'topic',
      from: 'feature',
      user: developer.user,
      files: { 'd.txt': 'd' },
    });
    const { iid } = await openMergeRequest(developer.api, project, {
      source_branch: 'topic',
      target_branch: 'feature',
    });
    const path = `/projects/${project.id}/merge_requests/${iid}/merge`;
    expect((await developer.api.put(path)).status).toBe(200);
  });

  it('answers 405 for what is closed, merged or a draft', async () => {
    const draft = await place({ 'b.txt': 'b' }, { title: 'Draft: Change it' });
    const refusal = [405, { message: '405 Method Not Allowed' }];
    const first = await draft.merge();
    expect([first.status, first.body]).toEqual(refusal);
    const path = `/projects/${draft.project.id}/merge_requests/1`;
    await owner.api.put(path, { title: 'Change it', state_event: 'close' }).expect(200);
    expect((await draft.merge()).status).toBe(405);
    await owner.api.put(path, { state_event: 'reopen' }).expect(200);
    await draft.merge().expect(200);
    expect((await draft.merge()).status).toBe(405);
  });

  it('answers 409 when the source branch is elsewhere', async () => {
    const { project, merge } = await place();
    const head = await tipOf(app, project, 'feature');
    const response = await merge({ sha: '1'.repeat(40) });
    expect([response.status, response.body]).toEqual([
      409,
      { message: `SHA does not match HEAD of source branch: ${head}` },
    ]);
  });

  it('answers 422 for conflicts and leaves the target where it is', async () => {
    const { project, merge, show } = await place({ 'a.txt': 'feature\n' });
    await commitOn(app, project, {
      branch: 'main',
      user: owner.user,
      files: { 'a.txt': 'main\n' },
    });
    const tip = await tipOf(app, project, 'main');
    const response = await merge();
    expect([response.status, response.body]).toEqual([
      422,
      { message: 'Branch cannot be merged: there are conflicts' },
    ]);
    expect(await tipOf(app, project, 'main')).toBe(tip);
    expect(await show()).toMatchObject({
      state: 'opened',
      merge_status: 'cannot_be_merged',
      detailed_merge_status: 'conflict',
      has_conflicts: true,
    });
  });

  it.each([
    [
      'one side renames what the other changes',
      { 'c.txt': null, 'd.txt': 'three\n' },
      { 'c.txt': 'three\nmore\n' },
      200,
    ],
    [
      'both sides rename a file differently',
      { 'c.txt': null, 'x.txt': 'three\n' },
      { 'c.txt': null, 'y.txt': 'three\n' },
      422,
    ],
    [
      'one side deletes what the other changes',
      { 'c.txt': null },
      { 'c.txt': 'three\nmore\n' },
      422,
    ],
    [
      'a file becomes a folder',
      { 'c.txt': null, 'c.txt/inner': 'x' },
      { 'c.txt': 'changed\n' },
      422,
    ],
  ] as const)('answers when %s', async (...[, feature, main, status]) => {
    const { project, merge } = await place({ ...feature });
    await commitOn(app, project, { branch: 'main', user: owner.user, files: { ...main } });
    expect((await merge()).status).toBe(status);
  });

  it('merges criss-cross histories', async () => {
    const { project, merge } = await place({ 'c.txt': 'three\nfeature\n' });
    const feature = await tipOf(app, project, 'feature');
    const other = await commitOn(app, project, {
      branch: 'main',
      user: owner.user,
      files: { 'a.txt': 'zero\none\n' },
    });
    const cross = async (parents: (string | null)[]): Promise<string> => {
      const tree = await gitIn(app, project, ['merge-tree', '--write-tree', other, feature ?? '']);
      const given = parents.flatMap((parent) => ['-p', parent ?? '']);
      const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
      return gitIn(app, project, [...identity, 'commit-tree', tree, '-m', 'Cross', ...given]);
    };
    await moveBranches(app, project, {
      user: owner.user,
      branches: { feature: await cross([feature, other]), main: await cross([other, feature]) },
    });
    await commitOn(app, project, { branch: 'feature', user: owner.user, files: { 'e.txt': 'e' } });
    expect((await merge()).status).toBe(200);
    const names = await gitIn(app, project, ['ls-tree', '--name-only', 'main']);
    expect(names).toBe('a.txt\nc.txt\ne.txt');
  });

  it('answers 422 for histories that have nothing in common', async () => {
    const { project } = await place();
    await commitOn(app, project, {
      branch: 'alien',
      from: null,
      user: owner.user,
      files: { z: 'z' },
    });
    const request = await openMergeRequest(owner.api, project, { source_branch: 'alien' });
    expect(request).toMatchObject({
      diff_refs: { base_sha: null, head_sha: request.sha, start_sha: null },
      merge_status: 'cannot_be_merged',
    });
    const path = `/projects/${project.id}/merge_requests/${request.iid}`;
    const response = await owner.api.put(`${path}/merge`);
    expect([response.status, response.body]).toEqual([
      422,
      { message: 'Branch cannot be merged: the branches have no common history' },
    ]);
    expect((await owner.api.get(`${path}/commits`)).body).toHaveLength(1);
    expect((await owner.api.get(`${path}/diffs`)).body).toHaveLength(1);
  });

  it('answers 422 when there is nothing to merge, or a branch is gone', async () => {
    const { project, merge } = await place();
    await moveBranches(app, project, {
      user: owner.user,
      branches: { same: await tipOf(app, project, 'main') },
    });
    const empty = await openMergeRequest(owner.api, project, { source_branch: 'same' });
    expect(empty.detailed_merge_status).toBe('commits_status');
    const path = `/projects/${project.id}/merge_requests/${empty.iid}/merge`;
    const nothing = await owner.api.put(path);
    expect([nothing.status, nothing.body]).toEqual([
      422,
      { message: 'Branch cannot be merged: there is nothing to merge' },
    ]);
    await moveBranches(app, project, { user: owner.user, branches: { feature: null } });
    const gone = await merge();
    expect([gone.status, gone.body]).toEqual([
      422,
      { message: 'Branch cannot be merged: the source branch does not exist' },
    ]);
  });

  it('answers 422 while the repository is being moved, and opens merge requests all the same', async () => {
    const { project, merge } = await place();
    await moveBranches(app, project, {
      user: owner.user,
      branches: { other: await tipOf(app, project, 'feature') },
    });
    const readOnly = (repositoryReadOnly: boolean) =>
      app.dataSource.manager.update(Project, { id: project.id }, { repositoryReadOnly });
    await readOnly(true);
    const response = await merge();
    expect([response.status, response.body]).toEqual([422, { message: READ_ONLY }]);
    const opened = await openMergeRequest(owner.api, project, { source_branch: 'other' });
    expect(opened.detailed_merge_status).toBe('mergeable');
    await readOnly(false);
    expect((await merge()).status).toBe(200);
  });

  it('closes the issues that the merge request names, by who merges', async () => {
    const project = await makeProject(app, {
      namespaceId: owner.user.namespaceId,
      files: { 'a.txt': 'a' },
    });
    const issues = [];
    for (let n = 0; n < 5; n += 1) issues.push(await createIssue(owner.api, project));
    const message = 'Change\n\nResolves #4';
    const files = { b: 'b' };
    await commitOn(app, project, {
      branch: 'topic',
      from: 'main',
      user: owner.user,
      files,
      message,
    });
    const { iid } = await openMergeRequest(owner.api, project, {
      source_branch: 'topic',
      title: 'Fixes #1',
      description: 'Closes: #2 and #3, mentions #5',
    });
    const path = `/projects/${project.id}/merge_requests/${iid}`;
    const named = (await owner.api.get(`${path}/closes_issues`)).body as { iid: number }[];
    expect(named.map((issue) => issue.iid).sort()).toEqual([1, 2, 3, 4]);
    expect((await owner.api.put(`${path}/merge`)).status).toBe(200);
    const closed = (await owner.api.get(`/projects/${project.id}/issues?state=closed`)).body as {
      iid: number;
      closed_by: { id: number };
    }[];
    expect(closed.map((issue) => [issue.iid, issue.closed_by.id]).sort()).toEqual(
      [1, 2, 3, 4].map((number) => [number, owner.user.id]),
    );
  });
});

describe('merging at the same time', () => {
  it('merges one merge request once', async () => {
    const { project, request, merge } = await place();
    const answers = await Promise.all(Array.from({ length: 4 }, () => merge()));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 405 && status !== 409)).toEqual(
      [],
    );
    const events = await mergeRequestEvents(app, request.id);
    expect(events.filter(({ action }) => action === MERGED)).toHaveLength(1);
    expect(await gitIn(app, project, ['rev-list', '--count', '--merges', 'main'])).toBe('1');
    const { merge_commit_sha: sha } = (
      await owner.api.get(`/projects/${project.id}/merge_requests/1`)
    ).body as MergeRequestBody;
    expect(sha).toBe(await tipOf(app, project, 'main'));
  });

  it('merges several into one branch, each once, and loses none', async () => {
    const { project } = await place();
    const iids = [1];
    for (const name of ['x', 'y']) {
      await commitOn(app, project, {
        branch: name,
        from: 'main',
        user: owner.user,
        files: { [name]: name },
      });
      iids.push((await openMergeRequest(owner.api, project, { source_branch: name })).iid);
    }
    const paths = iids.map((iid) => `/projects/${project.id}/merge_requests/${iid}/merge`);
    const answers = await Promise.all(paths.map((path) => owner.api.put(path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await gitIn(app, project, ['rev-list', '--count', '--merges', 'main'])).toBe('3');
    expect(
      (await gitIn(app, project, ['ls-tree', '--name-only', 'main'])).split('\n'),
    ).toHaveLength(5);
  });

  it('keeps a push to the target that was faster', async () => {
    const { project, merge } = await place();
    const push = commitOn(app, project, { branch: 'main', user: owner.user, files: { new: 'n' } });
    const [answer] = await Promise.all([merge(), push.catch(() => null)]);
    expect([200, 409]).toContain(answer.status);
    const log = await gitIn(app, project, ['log', '--format=%s', 'main']);
    expect(log.split('\n').length).toBeGreaterThan(1);
  });
});

describe('a repository that was lost', () => {
  it('neither merges nor takes merge requests, with the reason', async () => {
    const { project, merge, show } = await place();
    const directory = repositoryPath(app, project);
    await rename(directory, `${directory}-away`);
    const path = `/projects/${project.id}/merge_requests`;
    const branches = { source_branch: 'feature', target_branch: 'other' };
    const refused = [
      await merge(),
      await owner.api.post(path, { ...branches, title: 'Again' }),
      await owner.api.put(`${path}/1`, { target_branch: 'other' }),
    ];
    await rename(`${directory}-away`, directory);
    const message =
      '503 Service Unavailable - The repository is missing on storage default. Please try again later.';
    expect(refused.map(({ status, body }) => ({ status, body: body as unknown }))).toEqual(
      refused.map(() => ({ status: 503, body: { message } })),
    );
    expect(await show()).toMatchObject({ state: 'opened' });
    await merge().expect(200);
  });
});

describe('rights of people who have left', () => {
  it('leaves issues alone that the merger could not close', async () => {
    const { project } = await place();
    const issue = await createIssue(owner.api, project);
    const stranger = await makeUser(app);
    await makeMember(app, { project, user: stranger, role: 'guest' });
    await commitOn(app, project, {
      branch: 'main',
      user: stranger,
      files: { x: 'x' },
      message: `Closes #${issue.iid}`,
    });
    const shown = await owner.api.get(`/projects/${project.id}/issues/${issue.iid}`);
    expect((shown.body as { state: string }).state).toBe('opened');
    await commitOn(app, project, {
      branch: 'main',
      user: owner.user,
      files: { y: 'y' },
      message: `Closes #${issue.iid}`,
    });
    const again = await owner.api.get(`/projects/${project.id}/issues/${issue.iid}`);
    expect((again.body as { state: string }).state).toBe('closed');
  });
});
