import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/identity/members/roles.js';
import { api, type ApiClient } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
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
const CLOSED = 3;
const REOPENED = 4;

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

/** A project of the owner with one commit on `main` and one more on `feature`. */
async function project(
  attributes: Partial<Parameters<typeof makeProject>[1]> = {},
): Promise<MadeProject> {
  const { namespaceId } = owner.user;
  const made = await makeProject(app, { namespaceId, files: { 'a.txt': 'one\n' }, ...attributes });
  await commitOn(app, made, {
    branch: 'feature',
    from: 'main',
    user: owner.user,
    files: { 'b.txt': 'two\n' },
    message: 'Add b',
  });
  return made;
}

const member = (of: MadeProject, role: Role): Promise<MadeActor> => makeMemberOf(app, of, role);
const at = ({ id }: MadeProject, rest = ''): string => `/projects/${id}/merge_requests${rest}`;

describe('POST /projects/:id/merge_requests', () => {
  it('answers 201 with the whole merge request', async () => {
    const place = await project();
    const reviewer = await member(place, 'reporter');
    const response = await owner.api.post(at(place), {
      source_branch: 'feature',
      target_branch: 'main',
      title: 'Add b',
      description: 'It is needed',
      labels: 'b,a',
      assignee_ids: [owner.user.id],
      reviewer_ids: [reviewer.user.id],
      remove_source_branch: true,
    });

    const head = await tipOf(app, place, 'feature');
    const base = await tipOf(app, place, 'main');
    expect(response.status).toBe(201);
    const body = response.body as MergeRequestBody;
    const person = ({ user }: MadeActor) => ({
      id: user.id,
      username: user.username,
      name: user.name,
      state: 'active',
      locked: false,
      avatar_url: null,
      web_url: `${app.url}/${user.username}`,
    });
    expect(body).toEqual({
      id: expect.any(Number),
      iid: 1,
      project_id: place.id,
      source_project_id: place.id,
      target_project_id: place.id,
      title: 'Add b',
      description: 'It is needed',
      state: 'opened',
      draft: false,
      work_in_progress: false,
      source_branch: 'feature',
      target_branch: 'main',
      author: person(owner),
      assignees: [person(owner)],
      assignee: person(owner),
      reviewers: [person(reviewer)],
      labels: ['a', 'b'],
      milestone: null,
      merge_status: 'can_be_merged',
      detailed_merge_status: 'mergeable',
      has_conflicts: false,
      sha: head,
      merge_commit_sha: null,
      squash_commit_sha: null,
      diff_refs: { base_sha: base, head_sha: head, start_sha: base },
      merged_by: null,
      merge_user: null,
      merged_at: null,
      closed_by: null,
      closed_at: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      user_notes_count: 0,
      upvotes: 0,
      downvotes: 0,
      discussion_locked: false,
      should_remove_source_branch: null,
      force_remove_source_branch: true,
      merge_when_pipeline_succeeds: false,
      squash: false,
      blocking_discussions_resolved: true,
      task_completion_status: { count: 0, completed_count: 0 },
      time_stats: {
        time_estimate: 0,
        total_time_spent: 0,
        human_time_estimate: null,
        human_total_time_spent: null,
      },
      reference: '!1',
      references: { short: '!1', relative: '!1', full: `${place.fullPath}!1` },
      web_url: `${app.url}/${place.fullPath}/-/merge_requests/1`,
      merge_error: null,
      head_pipeline: null,
      pipeline: null,
      subscribed: true,
      user: { can_merge: true },
      imported: false,
      imported_from: 'none',
    });
    expect(await mergeRequestEvents(app, body.id)).toEqual([
      { action: CREATED, author_id: owner.user.id },
    ]);
    expect(await gitIn(app, place, ['rev-parse', 'refs/merge-requests/1/head'])).toBe(head);
  });
});

describe('refusals of POST /projects/:id/merge_requests', () => {
  const given = { source_branch: 'feature', target_branch: 'main', title: 'Add b' };

  it.each([
    ['no title', { title: undefined }, 400, { error: 'title is missing' }],
    ['a blank title', { title: ' ' }, 400, { error: 'title is empty' }],
    [
      'a long title',
      { title: 'x'.repeat(256) },
      400,
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      'two missing branches',
      { source_branch: 'nil', target_branch: 'nihil' },
      400,
      {
        message: {
          source_branch: ['"nil" does not exist'],
          target_branch: ['"nihil" does not exist'],
        },
      },
    ],
    [
      'one and the same branch',
      { source_branch: 'main' },
      422,
      { message: { base: ["You can't use same project/branch for source and target"] } },
    ],
    [
      'another project',
      { target_project_id: 999_999_999 },
      400,
      { error: 'target_project_id does not have a valid value' },
    ],
  ])('answers to %s', async (...[, change, status, body]) => {
    const place = await project();
    const response = await owner.api.post(at(place), { ...given, ...change });
    expect([response.status, response.body]).toEqual([status, expect.objectContaining(body)]);
  });

  it('answers 409 to a second open one for the same branches, also to many at once', async () => {
    const place = await project();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => owner.api.post(at(place), given)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
    const again = await owner.api.post(at(place), given);
    const { iid } = answers.find(({ status }) => status === 201)?.body as MergeRequestBody;
    const text = `Another open merge request already exists for this source branch: !${iid}`;
    expect([again.status, again.body]).toEqual([409, { message: [text] }]);
  });

  it('answers 400 in a project into which nothing was pushed', async () => {
    const empty = await makeProject(app, { namespaceId: owner.user.namespaceId });
    expect((await owner.api.post(at(empty), given)).status).toBe(400);
  });

  it.each([
    ['reporter', 403],
    ['developer', 201],
  ] as const)('answers a %s with %i', async (role, status) => {
    const place = await project();
    const { api: client } = await member(place, role);
    expect((await client.post(at(place), given)).status).toBe(status);
  });

  it('answers 403 where merge requests or the repository are off, and in archived projects', async () => {
    const off = [{ mergeRequestsEnabled: false }, { repositoryEnabled: false }, { archived: true }];
    for (const attributes of off) {
      const place = await project(attributes);
      expect((await owner.api.post(at(place), given)).status).toBe(403);
    }
  });

  it('takes a description of a million characters that names issues all over, and merges it', async () => {
    const place = await project();
    const description = 'closes \t#1, '.repeat(80_000);
    const made = await openMergeRequest(owner.api, place, {
      source_branch: 'feature',
      description,
    });
    const merged = await owner.api.put(at(place, `/${made.iid}/merge`));
    expect([merged.status, (merged.body as MergeRequestBody).state]).toEqual([200, 'merged']);
  });
});

describe('PUT /projects/:id/merge_requests/:merge_request_iid', () => {
  it('changes its texts, and notes it', async () => {
    const place = await project();
    await moveBranches(app, place, {
      user: owner.user,
      branches: { release: await tipOf(app, place, 'main') },
    });
    const reviewer = await member(place, 'developer');
    const { id, iid } = await openMergeRequest(owner.api, place, {
      source_branch: 'feature',
      title: 'Before',
    });
    const response = await owner.api.put(at(place, `/${iid}`), {
      title: 'Draft: After',
      description: 'Words',
      target_branch: 'release',
      labels: ['x'],
      assignee_id: owner.user.id,
      reviewer_ids: [reviewer.user.id],
      discussion_locked: true,
      remove_source_branch: true,
    });
    expect(response.body).toMatchObject({
      title: 'Draft: After',
      draft: true,
      description: 'Words',
      target_branch: 'release',
      labels: ['x'],
      assignees: [{ id: owner.user.id }],
      reviewers: [{ id: reviewer.user.id }],
      discussion_locked: true,
      force_remove_source_branch: true,
      detailed_merge_status: 'draft_status',
    });
    expect(await mergeRequestNotes(app, id)).toEqual([
      'changed title from **Before** to **Draft: After**',
      'marked this merge request as **draft**',
      'changed the description',
      'changed target branch from `main` to `release`',
      'added ~x label',
      'locked the discussion in this merge request',
      `assigned to @${owner.user.username}`,
      `requested review from @${reviewer.user.username}`,
    ]);
  });

  it('closes and reopens, each once', async () => {
    const place = await project();
    const { id, iid } = await openMergeRequest(owner.api, place, { source_branch: 'feature' });
    const change = (event: string) => owner.api.put(at(place, `/${iid}`), { state_event: event });
    expect((await change('close')).body).toMatchObject({
      state: 'closed',
      closed_by: { id: owner.user.id },
      detailed_merge_status: 'not_open',
    });
    await change('close').expect(200);
    expect((await change('reopen')).body).toMatchObject({ state: 'opened', closed_at: null });
    const events = await mergeRequestEvents(app, id);
    expect(events.map(({ action }) => action)).toEqual([CREATED, CLOSED, REOPENED]);
    expect(await mergeRequestNotes(app, id)).toEqual(['closed', 'reopened']);
  });

  it('answers 409 when another one is open by now', async () => {
    const place = await project();
    const { iid } = await openMergeRequest(owner.api, place, { source_branch: 'feature' });
    await owner.api.put(at(place, `/${iid}`), { state_event: 'close' }).expect(200);
    await openMergeRequest(owner.api, place, { source_branch: 'feature' });
    const response = await owner.api.put(at(place, `/${iid}`), { state_event: 'reopen' });
    const text = 'Another open merge request already exists for this source branch: !2';
    expect([response.status, response.body]).toEqual([409, { message: [text] }]);
  });

  it('takes up what was pushed while it was closed', async () => {
    const place = await project();
    const { iid } = await openMergeRequest(owner.api, place, { source_branch: 'feature' });
    await owner.api.put(at(place, `/${iid}`), { state_event: 'close' }).expect(200);
    const head = await commitOn(app, place, {
      branch: 'feature',
      user: owner.user,
      files: { 'late.txt': 'l' },
    });
    const reopened = await owner.api.put(at(place, `/${iid}`), { state_event: 'reopen' });
    expect(reopened.body).toMatchObject({ sha: head, detailed_merge_status: 'mergeable' });
  });

  it('lets authors without a role change texts and state only', async () => {
    const place = await project({ visibility: 'public' });
    const author = await member(place, 'developer');
    const { iid } = await openMergeRequest(author.api, place, { source_branch: 'feature' });
    await app.dataSource.query('DELETE FROM members WHERE user_id = $1', [author.user.id]);
    const path = at(place, `/${iid}`);
    const changed = await author.api.put(path, { title: 'New', labels: ['x'], milestone_id: 1 });
    expect(changed.body).toMatchObject({ title: 'New', labels: [] });
    const stranger = await makeActor(app);
    expect((await stranger.api.put(path, { title: 'Mine' })).status).toBe(403);
    expect((await owner.api.put(path, {})).body).toMatchObject({
      error: expect.stringContaining('at least one parameter must be provided'),
    });
  });
});

describe('lists of merge requests', () => {
  it('filter by branch, state, people, draft, labels and text', async () => {
    const place = await project();
    const reviewer = await member(place, 'developer');
    for (const branch of ['x', 'y']) {
      const tip = await tipOf(app, place, 'feature');
      await moveBranches(app, place, { user: owner.user, branches: { [branch]: tip } });
    }
    await openMergeRequest(owner.api, place, { source_branch: 'x', labels: ['a'] });
    await openMergeRequest(reviewer.api, place, {
      source_branch: 'y',
      title: 'draft: needle',
      reviewer_ids: [reviewer.user.id],
      assignee_ids: [owner.user.id],
    });
    await openMergeRequest(owner.api, place, { source_branch: 'feature', description: 'needle' });
    await owner.api.put(at(place, '/3'), { state_event: 'close' }).expect(200);
    const cases: [string, number[]][] = [
      ['', [3, 2, 1]],
      ['?sort=asc', [1, 2, 3]],
      ['?state=opened', [2, 1]],
      ['?state=closed', [3]],
      ['?state=merged', []],
      ['?state=locked', []],
      ['?source_branch=x', [1]],
      ['?target_branch=x', []],
      ['?draft=true', [2]],
      ['?wip=no', [3, 1]],
      ['?labels=a', [1]],
      ['?labels=None', [3, 2]],
      ['?milestone=None', [3, 2, 1]],
      ['?milestone=Any', []],
      ['?search=needle', [3, 2]],
      ['?search=needle&in=title', [2]],
      [`?author_id=${reviewer.user.id}`, [2]],
      [`?author_username=${owner.user.username}`, [3, 1]],
      [`?reviewer_id=${reviewer.user.id}`, [2]],
      ['?reviewer_id=None', [3, 1]],
      [`?reviewer_username=${reviewer.user.username}`, [2]],
      [`?assignee_id=${owner.user.id}`, [2]],
      ['?scope=assigned_to_me', [2]],
      ['?scope=created_by_me', [3, 1]],
      ['?iids[]=1&iids[]=3', [3, 1]],
      ['?created_after=2100-01-01T00:00:00Z', []],
      ['?order_by=title&sort=desc&state=opened&draft=true', [2]],
    ];
    for (const [query, iids] of cases) {
      const response = await owner.api.get(at(place, query));
      const found = (response.body as MergeRequestBody[]).map(({ iid }) => iid);
      expect([query, response.status, found]).toEqual([query, 200, iids]);
    }
    expect((await owner.api.get(at(place, '?reviewer_id=x'))).status).toBe(400);
    expect((await owner.api.get(at(place, '?state=open'))).status).toBe(400);
  });

  it('shows those of a milestone', async () => {
    const place = await project();
    const made = await owner.api.post(`/projects/${place.id}/milestones`, { title: 'Soon' });
    const { id } = made.body as { id: number };
    await openMergeRequest(owner.api, place, { source_branch: 'feature', milestone_id: id });
    const found = await owner.api.get(`/projects/${place.id}/milestones/${id}/merge_requests`);
    const expected = [expect.objectContaining({ milestone: expect.objectContaining({ id }) })];
    expect(found.body).toEqual(expected);
    expect((await owner.api.get(at(place, '?milestone=Soon'))).body).toEqual(expected);
    expect((await owner.api.get(at(place, '?milestone=None'))).body).toEqual([]);
    await owner.api.put(at(place, '/1'), { milestone_id: 0 }).expect(200);
    expect((await owner.api.get(at(place, '?milestone=None'))).body).toHaveLength(1);
  });

  it("shows one's own of all projects, with whole references", async () => {
    const author = await makeActor(app);
    const place = await makeProject(app, {
      namespaceId: author.user.namespaceId,
      files: { a: 'a' },
    });
    await commitOn(app, place, { branch: 'f', from: 'main', user: author.user, files: { b: 'b' } });
    await openMergeRequest(author.api, place, { source_branch: 'f' });
    const { body } = await author.api.get('/merge_requests');
    expect(body).toEqual([
      expect.objectContaining({
        reference: `${place.fullPath}!1`,
        references: expect.objectContaining({ relative: `${place.fullPath}!1` }),
      }),
    ]);
    expect((await api(app.url).get('/merge_requests')).status).toBe(401);
    const admin = await makeAdmin(app);
    const all = (await admin.api.get('/merge_requests?scope=all&per_page=1')).body as unknown[];
    expect(all).toHaveLength(1);
  });

  it('hide the ones of projects whose code the viewer may not read', async () => {
    const place = await project();
    await openMergeRequest(owner.api, place, { source_branch: 'feature' });
    const guest = await member(place, 'guest');
    const reporter = await member(place, 'reporter');
    const seen = async (client: ApiClient): Promise<unknown[]> => {
      const all = (await client.get('/merge_requests?scope=all')).body as MergeRequestBody[];
      return all.filter((request) => request.project_id === place.id);
    };
    expect(await seen(guest.api)).toEqual([]);
    expect((await guest.api.get(at(place, '/1'))).status).toBe(403);
    expect(await seen(reporter.api)).toHaveLength(1);
  });
});

describe('what lies behind a merge request', () => {
  it('lists commits, differences and participants', async () => {
    const place = await project();
    const commenter = await member(place, 'developer');
    await openMergeRequest(owner.api, place, { source_branch: 'feature' });
    await commenter.api.post(at(place, '/1/notes'), { body: 'Good' }).expect(201);
    const commits = await owner.api.get(at(place, '/1/commits'));
    expect(commits.body).toEqual([expect.objectContaining({ title: 'Add b' })]);
    expect(commits.headers['x-total']).toBe('1');
    const diff = {
      old_path: 'b.txt',
      new_path: 'b.txt',
      a_mode: '0',
      b_mode: '100644',
      diff: '@@ -0,0 +1 @@\n+two\n',
      new_file: true,
      renamed_file: false,
      deleted_file: false,
      collapsed: false,
      too_large: false,
    };
    expect((await owner.api.get(at(place, '/1/diffs'))).body).toEqual([diff]);
    expect((await owner.api.get(at(place, '/1/changes'))).body).toMatchObject({
      iid: 1,
      changes_count: '1',
      changes: [diff],
      overflow: false,
    });
    const people = (await owner.api.get(at(place, '/1/participants'))).body as { id: number }[];
    expect(people.map(({ id }) => id)).toEqual([owner.user.id, commenter.user.id]);
    expect((await owner.api.get(at(place, '/9/commits'))).status).toBe(404);
  });

  it('takes comments, changes and deletes them', async () => {
    const place = await project({ visibility: 'public' });
    await openMergeRequest(owner.api, place, { source_branch: 'feature' });
    const stranger = await makeActor(app);
    const path = at(place, '/1/notes');
    const made = await stranger.api.post(path, { body: 'Hello' });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ body: 'Hello', noteable_type: 'MergeRequest', noteable_iid: 1 }),
    ]);
    const { id } = made.body as { id: number };
    expect((await owner.api.get(at(place, '/1'))).body).toMatchObject({ user_notes_count: 1 });
    expect((await stranger.api.put(`${path}/${id}`, { body: 'Hi' })).body).toMatchObject({
      body: 'Hi',
    });
    await owner.api.put(at(place, '/1'), { discussion_locked: true }).expect(200);
    expect((await stranger.api.post(path, { body: 'Again' })).status).toBe(403);
    expect((await api(app.url).get(path)).status).toBe(401);
    expect((await stranger.api.delete(`${path}/${id}`)).status).toBe(204);
    const events = await app.dataSource.query<{ action: number }[]>(
      'SELECT action FROM events WHERE author_id = $1',
      [stranger.user.id],
    );
    expect(events).toEqual([]);
  });
});

describe('DELETE /projects/:id/merge_requests/:merge_request_iid', () => {
  it('is for Owners, and takes the events with it', async () => {
    const place = await project();
    const { id } = await openMergeRequest(owner.api, place, { source_branch: 'feature' });
    const maintainer = await member(place, 'maintainer');
    expect((await maintainer.api.delete(at(place, '/1'))).status).toBe(403);
    expect((await owner.api.delete(at(place, '/1'))).status).toBe(204);
    expect((await owner.api.get(at(place, '/1'))).status).toBe(404);
    expect(await mergeRequestEvents(app, id)).toEqual([]);
    const next = await openMergeRequest(owner.api, place, {
      source_branch: 'feature',
      title: unique('Next '),
    });
    expect(next.iid).toBe(2);
  });
});
