import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type NotificationDetails,
  NOTIFICATION_KINDS,
} from '../../src/core/activity/notifications.repository.js';
import type { Role } from '../../src/identity/members/roles.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeUser, type MadeActor } from '../support/factories.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';
import { commitOn, openMergeRequest, tipOf } from '../support/merge-request-factories.js';
import { createMilestone } from '../support/milestone-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let git: GitSandbox;
let owner: MadeActor;

beforeAll(async () => {
  [app, git] = await Promise.all([sharedTestApp(), makeGitSandbox()]);
  owner = await makeActor(app);
});
afterAll(() => git.remove());

interface Place {
  project: MadeProject;
  id: number;
  /** Path of the merge request. */
  path: string;
}

interface ToldNotification {
  kind: string;
  actorId: number | null;
  details: NotificationDetails;
}

/** A merge request of the owner from `feature` into `main`. */
async function place(body: Record<string, unknown> = {}): Promise<Place> {
  const { namespaceId } = owner.user;
  const project = await makeProject(app, { namespaceId, files: { 'a.txt': 'one\n' } });
  await commitOn(app, project, {
    branch: 'feature',
    from: 'main',
    user: owner.user,
    files: { 'b.txt': 'two\n' },
  });
  const given = { source_branch: 'feature', title: 'Add b', ...body };
  const { id, iid } = await openMergeRequest(owner.api, project, given);
  return { project, id, path: `/projects/${project.id}/merge_requests/${iid}` };
}

/** Returns the notifications of the merge request, oldest first, without its opening. */
async function told({ id }: Place): Promise<ToldNotification[]> {
  const rows: { kind: number; actorId: number | null; details: NotificationDetails }[] =
    await app.dataSource.query(
      `SELECT kind, actor_id AS "actorId", details FROM notifications
       WHERE target_type = 2 AND target_id = $1 ORDER BY id`,
      [id],
    );
  const names = new Map(
    Object.entries(NOTIFICATION_KINDS).map(([name, kind]) => [kind as number, name]),
  );
  const notifications = rows.map(({ kind, ...rest }) => ({ kind: names.get(kind) ?? '', ...rest }));
  expect(notifications[0]?.kind).toBe('new_merge_request');
  return notifications.slice(1);
}

async function kindsOf(here: Place): Promise<string[]> {
  return (await told(here)).map(({ kind }) => kind);
}

const member = ({ project }: Place, role: Role): Promise<MadeActor> =>
  makeMemberOf(app, project, role);

const change = ({ path }: Place, body: object, by = owner) => by.api.put(path, body).expect(200);

/** Returns the users whom the texts of the merge request mention. */
async function named({ id }: Place): Promise<(number | null)[]> {
  const rows: { userId: number | null }[] = await app.dataSource.query(
    'SELECT user_id AS "userId" FROM mentions WHERE merge_request_id = $1 ORDER BY id',
    [id],
  );
  return rows.map(({ userId }) => userId);
}

describe('notifications of a merge request', () => {
  it('once when it is opened', async () => {
    const user = await makeUser(app);
    const here = await place({
      assignee_ids: [owner.user.id],
      reviewer_ids: [owner.user.id],
      description: `Please look, @${user.username}`,
    });
    expect(await told(here)).toEqual([]);
    expect(await named(here)).toEqual([user.id]);
  });

  it('when others are to work on it or to look at it', async () => {
    const here = await place({ assignee_ids: [owner.user.id] });
    const { user } = await member(here, 'developer');
    await change(here, { assignee_ids: [user.id], reviewer_ids: [user.id] });
    await change(here, { assignee_ids: [user.id], reviewer_ids: [0] });
    const actorId = owner.user.id;
    expect(await told(here)).toEqual([
      {
        kind: 'reassign_merge_request',
        actorId,
        details: { added: [user.id], removed: [owner.user.id] },
      },
      {
        kind: 'change_reviewer_merge_request',
        actorId,
        details: { added: [user.id], removed: [] },
      },
      {
        kind: 'change_reviewer_merge_request',
        actorId,
        details: { added: [], removed: [user.id] },
      },
    ]);
  });

  it('when its milestone changes or goes, and when it is closed and opened again', async () => {
    const here = await place();
    const { id } = await createMilestone(owner.api, here.project);
    await change(here, { milestone_id: id, state_event: 'close' });
    await change(here, { milestone_id: id, state_event: 'close' });
    await change(here, { milestone_id: 0, state_event: 'reopen' });
    expect(await kindsOf(here)).toEqual([
      'change_milestone_merge_request',
      'close_merge_request',
      'change_milestone_merge_request',
      'reopen_merge_request',
    ]);
  });

  it('of labels that are added, for those who subscribed to them', async () => {
    const here = await place({ labels: 'late' });
    await change(here, { labels: 'bug' });
    await change(here, { labels: '' });
    expect(await told(here)).toEqual([
      { kind: 'relabel_merge_request', actorId: owner.user.id, details: { labels: ['bug'] } },
    ]);
  });

  it('not of other texts and branches', async () => {
    const here = await place();
    await commitOn(app, here.project, {
      branch: 'other',
      from: 'main',
      user: owner.user,
      files: { 'o.txt': 'o\n' },
    });
    await change(here, { title: 'Draft: Add b', target_branch: 'other' });
    expect(await told(here)).toEqual([]);
  });

  it('when its texts name them, and only those that were not named before', async () => {
    const first = await makeUser(app);
    const second = await makeUser(app);
    const here = await place({ title: `Add b for @${first.username}` });
    await change(here, { description: `Also @${first.username}` });
    expect(await told(here)).toEqual([]);
    await change(here, { description: `And @${second.username} and @all` });
    const details = { named: { userIds: [second.id], namespaceIds: [], all: true } };
    expect(await told(here)).toEqual([
      { kind: 'mention_in_merge_request', actorId: owner.user.id, details },
    ]);
    await change(here, { title: 'Add b', description: 'Nobody' });
    expect(await named(here)).toEqual([]);
  });

  it('by commands of comments, too', async () => {
    const here = await place();
    const { user } = await member(here, 'developer');
    await owner.api.post(`${here.path}/notes`, { body: `/assign @${user.username}` }).expect(202);
    expect(await told(here)).toEqual([
      {
        kind: 'reassign_merge_request',
        actorId: owner.user.id,
        details: { added: [user.id], removed: [] },
      },
    ]);
  });
});

describe('notifications of commits on the source branch', () => {
  /** A clone of the project, whose `feature` is checked out. */
  async function clone({ project }: Place) {
    const url = new URL(`${app.url}/${project.fullPath}.git`);
    Object.assign(url, { username: 'oauth2', password: owner.token });
    await git.run(['clone', '--quiet', '--branch', 'feature', url.href, project.path]);
    return (...args: string[]): Promise<string> => git.run(args, project.path);
  }

  it('that are pushed, also by force, and not of the branch being deleted', async () => {
    const here = await place();
    const run = await clone(here);
    const from = String(await tipOf(app, here.project, 'feature'));
    const to = await git.commit(here.project.path, 'c.txt', 'c');
    await run('push', '--quiet', 'origin', 'feature');
    await run('push', '--quiet', '--force', 'origin', `${from}:refs/heads/feature`);
    await run('push', '--quiet', 'origin', ':feature');
    await run('push', '--quiet', 'origin', `${from}:refs/heads/feature`);
    const notification = { kind: 'push_to_merge_request', actorId: owner.user.id };
    expect(await told(here)).toEqual([
      { ...notification, details: { from, to } },
      { ...notification, details: { from: to, to: from } },
    ]);
  });

  it('that are made over the API', async () => {
    const here = await place();
    const pusher = await member(here, 'developer');
    const from = await tipOf(app, here.project, 'feature');
    const body = { branch: 'feature', content: 'd', commit_message: 'Add d' };
    await pusher.api.post(`/projects/${here.project.id}/repository/files/d.txt`, body).expect(201);
    const details = { from, to: await tipOf(app, here.project, 'feature') };
    expect(await told(here)).toEqual([
      { kind: 'push_to_merge_request', actorId: pusher.user.id, details },
    ]);
  });

  it('not of those that are merged by the same push, but of the merge by who pushed', async () => {
    const here = await place();
    const run = await clone(here);
    await git.commit(here.project.path, 'c.txt', 'c');
    await run('push', '--quiet', 'origin', 'feature', 'feature:main');
    expect(await told(here)).toEqual([
      { kind: 'merge_merge_request', actorId: owner.user.id, details: {} },
    ]);
  });

  it('not while it is closed', async () => {
    const here = await place();
    await change(here, { state_event: 'close' });
    const files = { 'e.txt': 'e\n' };
    await commitOn(app, here.project, { branch: 'feature', user: owner.user, files });
    await change(here, { state_event: 'reopen' });
    expect(await kindsOf(here)).toEqual(['close_merge_request', 'reopen_merge_request']);
  });

  it('and of a merge by who merges', async () => {
    const here = await place();
    const merger = await member(here, 'maintainer');
    await merger.api.put(`${here.path}/merge`, {}).expect(200);
    expect(await told(here)).toEqual([
      { kind: 'merge_merge_request', actorId: merger.user.id, details: {} },
    ]);
  });
});
