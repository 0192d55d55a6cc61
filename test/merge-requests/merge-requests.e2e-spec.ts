import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/members/roles.js';
import { api } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
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
  app = await startTestApp();
  owner = await makeActor(app);
});
afterAll(() => app.close());

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
      subscribed: false,
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
