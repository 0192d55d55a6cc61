import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UserEmail, type User } from '../../src/identity/users/user.entity.js';
import { Group } from '../../src/workspace/groups/group.entity.js';
import { FailingAddress, OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { Mention } from '../../src/workspace/mentions/mentions.repository.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';
import { makeIssueRow, makeSetting, notify, toldOf } from '../support/recipient-factories.js';

let app: TestApp;
let above: MadeGroup;
let group: MadeGroup;
let project: MadeProject;
let author: MadeUser;
beforeAll(async () => {
  app = await sharedTestApp();
});
beforeEach(async () => {
  above = await makeGroup(app);
  group = await makeGroup(app, { parentId: above.id });
  project = await makeProject(app, { namespaceId: group.id });
  author = await makeUser(app);
});

/** A member who watches the project. */
async function watcher(attributes: Partial<User> = {}): Promise<MadeUser> {
  const user = await makeUser(app, attributes);
  await makeMember(app, { project, user, role: 'developer' });
  await makeSetting(app, { user, project }, { level: 'watch' });
  return user;
}

async function issueTold(mention?: Partial<Mention>): Promise<number> {
  const id = await makeIssueRow(app, { project, author });
  if (mention !== undefined) {
    const text = { issueId: id, mergeRequestId: null, noteId: null };
    const nobody = { userId: null, namespaceId: null };
    await app.dataSource.manager.insert(Mention, { ...text, ...nobody, ...mention });
  }
  const target = { type: 'issue', id } as const;
  return notify(app, { kind: 'new_issue', projectId: project.id, actorId: author.id, target });
}

async function toldIds(mention?: Partial<Mention>): Promise<number[]> {
  return (await toldOf(app, await issueTold(mention))).map(({ userId }) => userId);
}

async function addressOf(user: MadeUser): Promise<string | undefined> {
  const notificationId = await issueTold();
  await toldOf(app, notificationId);
  const mail = { notificationId, userId: user.id };
  return (await app.dataSource.manager.findOneBy(OutgoingMail, mail))?.recipient;
}

describe('no one gets an email', () => {
  it('who is blocked, banned, deactivated, pending, not confirmed or not a person', async () => {
    const reader = await watcher();
    const others: Partial<User>[] = [
      { state: 'blocked' },
      { state: 'banned' },
      { state: 'deactivated' },
      { state: 'pending' },
      { confirmedAt: null },
      { userType: 'project_bot' },
      { userType: 'internal' },
    ];
    for (const attributes of others) await watcher(attributes);
    expect(await toldIds()).toEqual([reader.id]);
  });

  it('whose membership has expired', async () => {
    const user = await makeUser(app);
    await makeMember(app, { project, user, role: 'owner', expiresAt: '2020-01-01' });
    await makeSetting(app, { user, project }, { level: 'watch' });
    expect(await toldIds({ userId: user.id })).toEqual([]);
  });

  it('about a project whose mails are off, or are off in a group above', async () => {
    const { id } = await watcher();
    expect(await toldIds()).toEqual([id]);
    const { manager } = app.dataSource;
    await manager.update(Project, { id: project.id }, { emailsEnabled: false });
    expect(await toldIds()).toEqual([]);
    await manager.update(Project, { id: project.id }, { emailsEnabled: true });
    await manager.update(Group, { id: above.id }, { emailsEnabled: false });
    expect(await toldIds()).toEqual([]);
  });

  it('about what is gone, or has been switched off, by the time of writing it', async () => {
    await watcher();
    const gone = await issueTold();
    await app.dataSource.query('DELETE FROM issues WHERE project_id = $1', [project.id]);
    expect(await toldOf(app, gone)).toEqual([]);
    const off = await issueTold();
    await app.dataSource.manager.update(Project, { id: project.id }, { issuesEnabled: false });
    expect(await toldOf(app, off)).toEqual([]);
  });

  it('at an address that refused five mails today, but tomorrow', async () => {
    const user = await watcher({ email: 'Full@Example.com' });
    const failing = { address: 'full@example.com', permanent: 5, temporary: 0 };
    await app.dataSource.manager.insert(FailingAddress, { ...failing, since: new Date() });
    expect(await toldIds()).toEqual([]);
    const since = new Date(Date.now() - 25 * 3_600_000);
    await app.dataSource.manager.update(FailingAddress, { address: failing.address }, { since });
    expect(await toldIds()).toEqual([user.id]);
  });

  it('at an address that put 300 mails off today', async () => {
    const user = await watcher();
    const failing = { address: user.email, permanent: 4, temporary: 299, since: new Date() };
    await app.dataSource.manager.insert(FailingAddress, failing);
    expect(await toldIds()).toEqual([user.id]);
    await app.dataSource.manager.increment(FailingAddress, { address: user.email }, 'temporary', 1);
    expect(await toldIds()).toEqual([]);
  });
});

describe('a mail goes', () => {
  it('to the address for the nearest group that its reader has confirmed', async () => {
    const user = await watcher();
    expect(await addressOf(user)).toBe(user.email);
    const address = (name: string): string => `${name}.${user.email}`;
    const confirmedAt = new Date();
    await app.dataSource.manager.insert(UserEmail, [
      { userId: user.id, email: address('all'), confirmedAt },
      { userId: user.id, email: address('above'), confirmedAt },
      { userId: user.id, email: address('near') },
    ]);
    await makeSetting(app, { user }, { email: address('all') });
    expect(await addressOf(user)).toBe(address('all'));
    await makeSetting(app, { user, group: above }, { email: address('above').toUpperCase() });
    expect(await addressOf(user)).toBe(address('above').toUpperCase());
    await makeSetting(app, { user, group }, { email: address('near') });
    expect(await addressOf(user)).toBe(address('above').toUpperCase());
    await app.dataSource.manager.update(UserEmail, { email: address('near') }, { confirmedAt });
    expect(await addressOf(user)).toBe(address('near'));
  });

  it('to all members of a mentioned group, inherited ones included, once', async () => {
    const team = await makeGroup(app);
    const crew = await makeGroup(app, { parentId: team.id });
    await app.dataSource.query(
      `INSERT INTO users (username, name, email, confirmed_at)
       SELECT 'crew' || g, 'Crew', 'crew' || g || '@example.com', now() FROM generate_series(1, 1000) g`,
    );
    await app.dataSource.query(
      `INSERT INTO members (namespace_id, user_id, access_level)
       SELECT CASE WHEN id % 2 = 0 THEN $1::bigint ELSE $2 END, id, 10 FROM users WHERE name = 'Crew'
       UNION ALL SELECT $3, id, 10 FROM users WHERE name = 'Crew'`,
      [team.id, crew.id, group.id],
    );
    const stranger = await makeUser(app);
    await makeMember(app, { group: crew, user: stranger, role: 'owner' });
    await makeMember(app, { group: crew, user: author, role: 'guest' });
    const told = await toldIds({ namespaceId: crew.id });
    expect([told.length, new Set(told).size, told.includes(stranger.id)]).toEqual([
      1_000,
      1_000,
      false,
    ]);
  });

  it('to all members of the project when it says @all', async () => {
    const [direct, inherited, other] = [
      await makeUser(app),
      await makeUser(app),
      await makeUser(app),
    ];
    await makeMember(app, { project, user: direct, role: 'guest' });
    await makeMember(app, { group: above, user: inherited, role: 'guest' });
    await makeSetting(app, { user: other }, { level: 'mention' });
    expect(await toldIds({})).toEqual([direct.id, inherited.id]);
  });
});
