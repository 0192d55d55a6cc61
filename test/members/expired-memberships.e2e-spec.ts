import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Activity } from '../../src/core/activity/activity.service.js';
import { Event, EVENT_ACTIONS, EVENT_TARGETS } from '../../src/core/activity/event.entity.js';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { AuditLog } from '../../src/core/audit/audit.service.js';
import { Member } from '../../src/identity/members/member.entity.js';
import { MembersRepository } from '../../src/identity/members/members.repository.js';
import { ExpiredMemberships } from '../../src/identity/members/worker/expired-memberships.service.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { day } from '../support/days.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, makeUser } from '../support/factories.js';
import { makeGroup, makeMember, makeProject } from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';

let app: OwnTestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.close());

function expire(): Promise<number> {
  const { dataSource, app: nest } = app;
  const expired = new ExpiredMemberships(
    dataSource,
    nest.get(AuditLog),
    nest.get(Activity),
    nest.get(MembersRepository),
  );
  return expired.run(() => false);
}

async function memberIds(): Promise<number[]> {
  const members = await app.dataSource.manager.find(Member, { order: { id: 'ASC' } });
  return members.map(({ userId }) => userId);
}

describe('memberships that are over', () => {
  it('end with an event in projects and an entry in the trail everywhere', async () => {
    const [user, other] = [await makeUser(app), await makeUser(app)];
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    await makeMember(app, { project, user, role: 'guest', expiresAt: day(0) });
    await makeMember(app, { group, user, role: 'developer', expiresAt: day(-5) });
    await makeMember(app, { project, user: other, role: 'guest', expiresAt: day(1) });
    await makeMember(app, { group, user: other, role: 'guest' });

    expect(await expire()).toBe(2);
    expect(await memberIds()).toEqual([other.id, other.id]);
    const { manager } = app.dataSource;
    expect(await manager.find(Event)).toMatchObject([
      {
        projectId: project.id,
        authorId: user.id,
        action: EVENT_ACTIONS.expired,
        targetType: EVENT_TARGETS.project,
        targetId: project.id,
      },
    ]);
    const entries = await manager.find(AuditEvent, { order: { entityType: 'DESC' } });
    expect(entries).toMatchObject([
      {
        authorId: null,
        action: 'member_removed',
        targetType: 'User',
        targetId: user.id,
        targetName: user.username,
        entityType: 'Project',
        entityId: project.id,
        details: {
          access_level: { from: 10, to: null },
          expires_at: { from: day(0), to: null },
          reason: 'expired',
        },
      },
      {
        entityType: 'Group',
        entityId: group.id,
        details: {
          access_level: { from: 30, to: null },
          expires_at: { from: day(-5), to: null },
          reason: 'expired',
        },
      },
    ]);
    expect(await expire()).toBe(0);
  });

  it('end by a worker when it starts, more than a batch of them', async () => {
    const { id: namespaceId } = await makeGroup(app);
    const project = await makeProject(app, { namespaceId });
    await app.dataSource.query(
      `WITH people AS (INSERT INTO users (username, name, email)
         SELECT 'many' || n, 'Many', 'many' || n || '@example.com' FROM generate_series(1, 1200) n
         RETURNING id)
       INSERT INTO members (project_id, user_id, access_level, expires_at)
       SELECT $1, id, 20, '2020-01-01' FROM people`,
      [project.id],
    );
    const worker = await startTestWorker(app);
    await worker.init();
    await eventually(async () => expect(await memberIds()).toEqual([]));
    await worker.close();
    const { manager } = app.dataSource;
    expect(await manager.countBy(Event, { projectId: project.id })).toBe(1_200);
  });

  it('end once by several workers, and not when there is more time meanwhile', async () => {
    const [user, longer] = [await makeUser(app), await makeUser(app)];
    const { id: namespaceId } = await makeGroup(app);
    const project = await makeProject(app, { namespaceId });
    await makeMember(app, { project, user, role: 'guest', expiresAt: day(-1) });
    await makeMember(app, { project, user: longer, role: 'guest', expiresAt: day(-1) });
    const removed = await app.dataSource.transaction(async (tx) => {
      await tx.update(Member, { userId: longer.id }, { expiresAt: day(9) });
      return Promise.all([expire(), expire(), expire()]);
    });
    expect(removed.toSorted()).toEqual([0, 0, 1]);
    expect(await expire()).toBe(0);
    expect(await memberIds()).toEqual([longer.id]);
  });

  it('leave the last owner of a group on its list', async () => {
    const [alone, one, other] = [await makeUser(app), await makeUser(app), await makeUser(app)];
    const [lonely, shared] = [await makeGroup(app), await makeGroup(app)];
    const below = await makeGroup(app, { parentId: shared.id });
    await makeMember(app, { group: lonely, user: alone, role: 'owner', expiresAt: day(-1) });
    const bot = await makeUser(app, { userType: 'project_bot' });
    await makeMember(app, { group: lonely, user: bot, role: 'owner' });
    await makeMember(app, { group: shared, user: one, role: 'owner', expiresAt: day(-1) });
    await makeMember(app, { group: shared, user: other, role: 'owner' });
    await makeMember(app, { group: below, user: one, role: 'owner', expiresAt: day(-1) });

    expect(await expire()).toBe(2);
    expect(await memberIds()).toEqual([alone.id, bot.id, other.id]);
  });
});

describe('an owner whose membership ends one day', () => {
  it('is not enough for the last one who stays to leave or to be deleted', async () => {
    const [owner, temporary] = [await makeActor(app), await makeUser(app)];
    const created = await owner.api.post('/groups', { name: 'Guild', path: 'guild' }).expect(201);
    const group = created.body as { id: number };
    await makeMember(app, { group, user: temporary, role: 'owner', expiresAt: day(30) });
    await owner.api.delete(`/groups/${group.id}/members/${owner.user.id}`).expect(403);
    const admin = await makeAdmin(app);
    await admin.api.delete(`/users/${owner.user.id}`).expect(409);
    await owner.api.delete(`/groups/${group.id}/members/${temporary.id}`).expect(204);
  });
});
