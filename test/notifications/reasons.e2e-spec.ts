import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NotificationLevel } from '../../src/workspace/subscriptions/notification-levels.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import type { MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import { commitOn, openMergeRequest } from '../support/merge-request-factories.js';
import {
  makeGroup,
  makeMemberOf,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import { lastTold, makeSetting } from '../support/recipient-factories.js';

let app: TestApp;
let project: MadeProject;
let ann: MadeActor;
let bob: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  const group = await makeGroup(app);
  project = await makeProject(app, { namespaceId: group.id, files: { 'a.txt': 'a' } });
  ann = await makeMemberOf(app, project, 'owner');
});
beforeEach(async () => {
  bob = await makeMemberOf(app, project, 'developer');
});

/** Why Bob gets an email about what happened last. */
async function reason(): Promise<string | null | undefined> {
  const told = await lastTold(app);
  return told.find(({ userId }) => userId === bob.user.id)?.reason;
}

const choose = (level: NotificationLevel): Promise<void> =>
  makeSetting(app, { user: bob.user, project }, { level });
const nameBob = (): string => `@${bob.user.username}, please.`;

async function subscribedIssue(): Promise<string> {
  const { iid } = await createIssue(ann.api, project);
  const path = `/projects/${project.id}/issues/${iid}`;
  await bob.api.post(`${path}/subscribe`).expect(201);
  return path;
}

describe('of several reasons for a mail', () => {
  it('being assigned counts before being mentioned, which counts before being subscribed', async () => {
    await createIssue(ann.api, project, {
      description: nameBob(),
      assignee_ids: [bob.user.id],
    });
    expect(await reason()).toBe('assigned');
    const path = await subscribedIssue();
    await ann.api.post(`${path}/notes`, { body: nameBob() }).expect(201);
    expect(await reason()).toBe('mentioned');
    await ann.api.put(path, { assignee_ids: [bob.user.id] }).expect(200);
    expect(await reason()).toBe('assigned');
  });

  it('being assigned counts before being asked for a review', async () => {
    const files = { 'b.txt': 'b' };
    await commitOn(app, project, { branch: 'topic', from: 'main', user: ann.user, files });
    const ids = { assignee_ids: [bob.user.id], reviewer_ids: [bob.user.id] };
    await openMergeRequest(ann.api, project, { source_branch: 'topic', ...ids });
    expect(await reason()).toBe('assigned');
  });

  it('doing it oneself counts before all others', async () => {
    await makeSetting(app, { user: bob.user }, { level: 'watch', ownActivity: true });
    await createIssue(bob.api, project, {
      description: nameBob(),
      assignee_ids: [bob.user.id],
    });
    expect(await reason()).toBe('own_activity');
  });

  it.each<[NotificationLevel, string]>([
    ['mention', 'mentioned'],
    ['participating', 'assigned'],
  ])('only those count for which the level %s lets a mail through', async (level, found) => {
    await choose(level);
    await createIssue(ann.api, project, {
      description: nameBob(),
      assignee_ids: [bob.user.id],
    });
    expect(await reason()).toBe(found);
  });

  it('only being subscribed counts for who has switched mails off', async () => {
    await choose('disabled');
    const path = await subscribedIssue();
    await ann.api.post(`${path}/notes`, { body: nameBob() }).expect(201);
    expect(await reason()).toBe('subscribed');
    await ann.api.put(path, { assignee_ids: [bob.user.id] }).expect(200);
    expect(await reason()).toBe('subscribed');
  });
});
