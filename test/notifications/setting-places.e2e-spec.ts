import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UserEmail } from '../../src/identity/users/user.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, type MadeActor, unique } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import { commitOn } from '../support/merge-request-factories.js';
import {
  makeGroup,
  makeMember,
  makeMemberOf,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';
import { lastTold, makeSetting } from '../support/recipient-factories.js';

let app: OwnTestApp;
let group: MadeGroup;
let project: MadeProject;
let ann: MadeActor;
let bob: MadeActor;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  group = await makeGroup(app);
  project = await makeProject(app, { namespaceId: group.id });
  ann = await makeMemberOf(app, project, 'developer');
  bob = await makeMemberOf(app, project, 'developer');
});
afterAll(() => app.close());

async function isTold({ user }: MadeActor): Promise<boolean> {
  const told = await lastTold(app);
  return told.some(({ userId }) => userId === user.id);
}

async function isToldOfNewIssue(): Promise<boolean> {
  await createIssue(ann.api, project);
  return isTold(bob);
}

describe('what counts', () => {
  it.each([
    ['disabled', 'watch', false],
    ['watch', 'disabled', true],
  ] as const)('is %s for the project before %s for its group', async (here, above, expected) => {
    const { user } = bob;
    await makeSetting(app, { user, group }, { level: above });
    await makeSetting(app, { user, project }, { level: here });
    expect(await isToldOfNewIssue()).toBe(expected);
  });

  it('are the switches that come with the level, and no others', async () => {
    const { user } = bob;
    await makeSetting(app, { user }, { level: 'custom', events: ['new_issue'] });
    expect(await isToldOfNewIssue()).toBe(true);
    await makeSetting(app, { user, group }, { level: 'custom', events: ['close_issue'] });
    expect(await isToldOfNewIssue()).toBe(false);
    await makeSetting(app, { user, project }, { level: 'custom', events: ['new_issue'] });
    expect(await isToldOfNewIssue()).toBe(true);
  });

  it('includes own projects without a membership', async () => {
    bob = await makeActor(app);
    project = await makeProject(app, { namespaceId: bob.user.namespaceId });
    await makeMember(app, { project, user: ann.user, role: 'developer' });
    await makeSetting(app, { user: bob.user }, { level: 'watch' });
    expect(await isToldOfNewIssue()).toBe(true);
  });

  it('includes own comments, but no other activity', async () => {
    const { iid } = await createIssue(ann.api, project);
    const path = `/projects/${project.id}/issues/${iid}`;
    await bob.api.put(path, { title: 'Another title', labels: 'bug' }).expect(200);
    await ann.api.post(`${path}/notes`, { body: 'Any news?' }).expect(201);
    expect(await isTold(bob)).toBe(false);
    await bob.api.post(`${path}/notes`, { body: 'None.' }).expect(201);
    await ann.api.post(`${path}/notes`, { body: 'Well.' }).expect(201);
    expect(await isTold(bob)).toBe(true);
  });

  it('is an address of the author of a commit only when it is confirmed', async () => {
    const files = { 'a.txt': 'a' };
    project = await makeProject(app, { namespaceId: group.id, files });
    for (const { user } of [ann, bob]) {
      await makeMember(app, { project, user, role: 'developer' });
    }
    const { manager } = app.dataSource;
    const address = { userId: bob.user.id, email: 'author@example.com' };
    await manager.insert(UserEmail, address);
    const commit = { branch: unique('topic'), from: 'main', user: ann.user, files: { b: 'b' } };
    const sha = await commitOn(app, project, commit);
    const comments = `/projects/${project.id}/repository/commits/${sha}/comments`;
    await ann.api.post(comments, { note: 'Why?' }).expect(201);
    expect(await isTold(bob)).toBe(false);
    await manager.update(UserEmail, address, { confirmedAt: new Date() });
    await ann.api.post(comments, { note: 'Why not?' }).expect(201);
    expect(await isTold(bob)).toBe(true);
  });
});
