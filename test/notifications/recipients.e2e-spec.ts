import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { day } from '../support/days.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import { commitOn, openMergeRequest } from '../support/merge-request-factories.js';
import {
  makeGroup,
  makeMember,
  makeMemberOf,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';
import { lastTold, makeSetting, notify } from '../support/recipient-factories.js';

let app: TestApp;
let group: MadeGroup;
let project: MadeProject;
let ann: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  group = await makeGroup(app);
  project = await makeProject(app, { namespaceId: group.id, files: { 'a.txt': 'a' } });
  ann = await makeMemberOf(app, project, 'owner');
});

/** Returns the recipients of the latest notification among these, with their reasons. */
async function toldLast(...people: MadeActor[]): Promise<(string | null)[]> {
  const told = await lastTold(app);
  return people.map(({ user }) => {
    const mail = told.find(({ userId }) => userId === user.id);
    return mail === undefined ? 'no mail' : mail.reason;
  });
}

const developer = (): Promise<MadeActor> => makeMemberOf(app, project, 'developer');

describe('what people do', () => {
  it('notifies users mentioned in a new issue, and no other participants', async () => {
    const bob = await developer();
    await createIssue(ann.api, project);
    expect(await toldLast(bob, ann)).toEqual(['no mail', 'no mail']);
    await createIssue(ann.api, project, { description: `Look, @${bob.user.username}` });
    expect(await toldLast(bob, ann)).toEqual(['mentioned', 'no mail']);
  });

  it('notifies assignees even at the level mention', async () => {
    const bob = await developer();
    await makeSetting(app, { user: bob.user }, { level: 'mention' });
    const { iid } = await createIssue(ann.api, project);
    const path = `/projects/${project.id}/issues/${iid}`;
    await ann.api.put(path, { assignee_ids: [bob.user.id] }).expect(200);
    expect(await toldLast(bob)).toEqual(['assigned']);
    await ann.api.put(path, { assignee_ids: [] }).expect(200);
    expect(await toldLast(bob)).toEqual([null]);
  });

  it('notifies the author only if enabled', async () => {
    const bob = await developer();
    await createIssue(bob.api, project);
    expect(await toldLast(bob)).toEqual(['no mail']);
    await makeSetting(app, { user: bob.user }, { ownActivity: true });
    await createIssue(bob.api, project, { assignee_ids: [bob.user.id] });
    expect(await toldLast(bob)).toEqual(['own_activity']);
  });

  it('notifies subscribers although they disabled emails', async () => {
    const bob = await developer();
    await makeSetting(app, { user: bob.user, project }, { level: 'disabled' });
    const { iid } = await createIssue(ann.api, project);
    const path = `/projects/${project.id}/issues/${iid}`;
    await bob.api.post(`${path}/subscribe`).expect(201);
    await ann.api.post(`${path}/notes`, { body: 'Any news?' }).expect(201);
    expect(await toldLast(bob)).toEqual(['subscribed']);
    await bob.api.post(`${path}/unsubscribe`).expect(201);
    await ann.api.post(`${path}/notes`, { body: 'None' }).expect(201);
    expect(await toldLast(bob)).toEqual(['no mail']);
  });

  it('notifies subscribers of a label that an issue gets, and of the nearest one only', async () => {
    const [bob, eve] = [await developer(), await developer()];
    const [label, other] = [unique('label'), unique('label')];
    const color = { color: '#d9534f' };
    const own = `/projects/${project.id}/labels`;
    await ann.api.post(own, { name: label, ...color }).expect(201);
    const theirs = await app.dataSource.query<{ id: number }[]>(
      `INSERT INTO labels (group_id, name, color) VALUES ($1, $2, '#d9534f') RETURNING id`,
      [group.id, label],
    );
    await bob.api.post(`${own}/${label}/subscribe`).expect(201);
    await app.dataSource.query('INSERT INTO label_subscriptions VALUES ($1, $2)', [
      theirs[0]?.id,
      eve.user.id,
    ]);
    const { iid } = await createIssue(ann.api, project);
    const path = `/projects/${project.id}/issues/${iid}`;
    await ann.api.put(path, { add_labels: other }).expect(200);
    expect(await toldLast(bob, eve)).toEqual(['no mail', 'no mail']);
    await ann.api.put(path, { add_labels: label }).expect(200);
    expect(await toldLast(bob, eve)).toEqual(['label_subscribed', 'no mail']);
    await createIssue(ann.api, project, { labels: label });
    expect(await toldLast(bob)).toEqual(['label_subscribed']);
    const guest = await makeMemberOf(app, project, 'guest');
    await guest.api.post(`${own}/${label}/subscribe`).expect(201);
    await createIssue(ann.api, project, { labels: label, confidential: true });
    expect(await toldLast(bob, guest)).toEqual(['label_subscribed', 'no mail']);
  });

  it('notifies subscribers of a label that a merge request gets, unless they muted it', async () => {
    const [bob, eve] = [await developer(), await developer()];
    const [label, branch] = [unique('label'), unique('branch')];
    const own = `/projects/${project.id}/labels`;
    await ann.api.post(own, { name: label, color: '#d9534f' }).expect(201);
    for (const { api } of [bob, eve]) await api.post(`${own}/${label}/subscribe`).expect(201);
    const files = { [`${branch}.txt`]: 'b' };
    await commitOn(app, project, { branch, from: 'main', user: ann.user, files });
    const { iid } = await openMergeRequest(ann.api, project, { source_branch: branch });
    const path = `/projects/${project.id}/merge_requests/${iid}`;
    await eve.api.post(`${path}/subscribe`).expect(201);
    await eve.api.post(`${path}/unsubscribe`).expect(201);
    await ann.api.put(path, { add_labels: label }).expect(200);
    expect(await toldLast(bob, eve)).toEqual(['label_subscribed', 'no mail']);
  });

  it('notifies unsubscribed users only of mentions', async () => {
    const bob = await developer();
    await makeSetting(app, { user: bob.user }, { level: 'watch' });
    const { iid } = await createIssue(ann.api, project);
    const path = `/projects/${project.id}/issues/${iid}`;
    await bob.api.post(`${path}/notes`, { body: 'Enough for me' }).expect(201);
    await bob.api.post(`${path}/unsubscribe`).expect(201);
    await ann.api.post(`${path}/notes`, { body: 'Any news?' }).expect(201);
    expect(await toldLast(bob)).toEqual(['no mail']);
    await ann.api.post(`${path}/notes`, { body: `@${bob.user.username}?` }).expect(201);
    expect(await toldLast(bob)).toEqual(['mentioned']);
  });

  it('notifies earlier commenters', async () => {
    const [bob, eve] = [await developer(), await developer()];
    const { iid } = await createIssue(ann.api, project);
    const notes = `/projects/${project.id}/issues/${iid}/notes`;
    await bob.api.post(notes, { body: 'I can do that' }).expect(201);
    expect(await toldLast(ann, bob, eve)).toEqual([null, 'no mail', 'no mail']);
    await eve.api.post(notes, { body: `Thank you, @${bob.user.username}` }).expect(201);
    expect(await toldLast(ann, bob, eve)).toEqual([null, 'mentioned', 'no mail']);
  });

  it('keeps confidential issues and internal notes from Guests who watch the project', async () => {
    const gus = await makeMemberOf(app, project, 'guest');
    await makeSetting(app, { user: gus.user, project }, { level: 'watch' });
    const { iid } = await createIssue(ann.api, project);
    expect(await toldLast(gus)).toEqual([null]);
    const notes = `/projects/${project.id}/issues/${iid}/notes`;
    await ann.api.post(notes, { body: 'Between us', internal: true }).expect(201);
    expect(await toldLast(gus)).toEqual(['no mail']);
    await createIssue(ann.api, project, { confidential: true });
    expect(await toldLast(gus)).toEqual(['no mail']);
  });

  it('goes by the level of the nearest group before the one for everything', async () => {
    const bob = await developer();
    await makeSetting(app, { user: bob.user }, { level: 'disabled' });
    await makeSetting(app, { user: bob.user, project }, { level: 'global' });
    await makeSetting(app, { user: bob.user, group }, { level: 'watch' });
    await createIssue(ann.api, project);
    expect(await toldLast(bob)).toEqual([null]);
  });

  it('notifies reviewers of merge requests', async () => {
    const [bob, eve] = [await developer(), await developer()];
    const files = { 'b.txt': 'b' };
    await commitOn(app, project, { branch: 'topic', from: 'main', user: ann.user, files });
    await openMergeRequest(ann.api, project, {
      source_branch: 'topic',
      reviewer_ids: [bob.user.id],
      assignee_ids: [eve.user.id],
    });
    expect(await toldLast(bob, eve)).toEqual(['review_requested', 'assigned']);
  });

  it('notifies the author of a commit, by the address in Git', async () => {
    const stranger = await makeActor(app, { email: 'author@example.com' });
    const bob = await developer();
    const files = { 'd.txt': 'd' };
    const sha = await commitOn(app, project, {
      branch: 'said',
      from: 'main',
      user: ann.user,
      files,
    });
    const comments = `/projects/${project.id}/repository/commits/${sha}/comments`;
    await ann.api.post(comments, { note: 'Why?' }).expect(201);
    expect(await toldLast(stranger, bob)).toEqual(['no mail', 'no mail']);
    await makeMember(app, { project, user: stranger.user, role: 'reporter' });
    await ann.api.post(comments, { note: 'Why not?' }).expect(201);
    expect(await toldLast(stranger, bob)).toEqual([null, 'no mail']);
  });

  it('notifies the user of an auto-merge, unless they merged themselves', async () => {
    const files = { 'c.txt': 'c' };
    await commitOn(app, project, { branch: 'wish', from: 'main', user: ann.user, files });
    const { id } = await openMergeRequest(ann.api, project, { source_branch: 'wish' });
    const target = { type: 'merge_request', id } as const;
    const base = { projectId: project.id, actorId: ann.user.id, target };
    await notify(app, { ...base, kind: 'merge_merge_request' });
    expect(await toldLast(ann)).toEqual(['no mail']);
    const wish = 'UPDATE merge_requests SET auto_merge_user_id = $2 WHERE id = $1';
    await app.dataSource.query(wish, [id, ann.user.id]);
    await notify(app, { ...base, kind: 'merge_merge_request' });
    expect(await toldLast(ann)).toEqual([null]);
  });

  it('notifies assignees of a due issue unless they watch the project', async () => {
    const [bob, eve] = [await developer(), await developer()];
    await makeSetting(app, { user: bob.user, project }, { level: 'watch' });
    const { id } = await createIssue(ann.api, project, {
      due_date: day(1),
      assignee_ids: [bob.user.id, eve.user.id],
    });
    const target = { type: 'issue', id } as const;
    await notify(app, { kind: 'issue_due', projectId: project.id, actorId: null, target });
    expect(await toldLast(bob, eve, ann)).toEqual(['no mail', null, null]);
  });

  it('notifies members of a group above who watch it', async () => {
    const below = await makeGroup(app, { parentId: group.id });
    const inner = await makeProject(app, { namespaceId: below.id });
    const bob = await developer();
    await makeMember(app, { group, user: bob.user, role: 'reporter' });
    await makeMember(app, { group, user: ann.user, role: 'owner' });
    await makeSetting(app, { user: bob.user, group }, { level: 'watch' });
    await createIssue(ann.api, inner);
    expect(await toldLast(bob)).toEqual([null]);
    await makeSetting(app, { user: bob.user, group: below }, { level: 'mention' });
    await createIssue(ann.api, inner);
    expect(await toldLast(bob)).toEqual(['no mail']);
  });
});
