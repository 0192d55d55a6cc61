import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  Notification,
  NOTIFICATION_KINDS,
  NOTIFICATION_TARGETS,
} from '../../src/core/activity/notifications.repository.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import {
  makeMember,
  makeOwnedGroup,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

function notificationsOf(project: MadeProject): Promise<Notification[]> {
  return app.dataSource.manager.find(Notification, {
    select: { kind: true, actorId: true, targetType: true, targetId: true, details: true },
    where: { projectId: project.id },
    order: { id: 'ASC' },
  });
}

function moveFrom(project: MadeProject, formerPath: string): object {
  return {
    kind: NOTIFICATION_KINDS.moved_project,
    actorId: owner.user.id,
    targetType: NOTIFICATION_TARGETS.project,
    targetId: project.id,
    details: { formerPath },
  };
}

describe('the notification that a project has moved', () => {
  it('comes with another path, and with another namespace', async () => {
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const group = await makeOwnedGroup(app, owner);
    const path = unique('fresh');

    await owner.api.put(`/projects/${project.id}`, { path }).expect(200);
    await owner.api
      .put(`/projects/${project.id}/transfer`, { namespace: group.fullPath })
      .expect(200);

    expect(await notificationsOf(project)).toEqual([
      moveFrom(project, project.fullPath),
      moveFrom(project, `${owner.user.username}/${path}`),
    ]);
  });

  it('does not come when the address goes on naming the project', async () => {
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const address = `/projects/${project.id}`;

    await owner.api.put(address, { name: unique('Other') }).expect(200);
    await owner.api.put(address, { path: project.path.toUpperCase() }).expect(200);

    expect(await notificationsOf(project)).toEqual([]);
  });

  it('does not come when the move is refused', async () => {
    const group = await makeOwnedGroup(app, owner);
    const project = await makeProject(app, { namespaceId: group.id });
    const other = await makeProject(app, { namespaceId: group.id });
    const maintainer = await makeActor(app);
    await makeMember(app, { group, user: maintainer.user, role: 'maintainer' });
    const address = `/projects/${project.id}`;

    await owner.api.put(address, { path: other.path }).expect(400);
    await owner.api.put(`${address}/transfer`, { namespace: group.id }).expect(400);
    await maintainer.api.put(address, { path: unique('mine') }).expect(403);

    expect(await notificationsOf(project)).toEqual([]);
  });

  it('does not come for each project of a group that moves', async () => {
    const [group, parent] = [await makeOwnedGroup(app, owner), await makeOwnedGroup(app, owner)];
    const project = await makeProject(app, { namespaceId: group.id });

    await owner.api.put(`/groups/${group.id}`, { path: unique('renamed') }).expect(200);
    await owner.api.post(`/groups/${group.id}/transfer`, { group_id: parent.id }).expect(201);

    expect(await notificationsOf(project)).toEqual([]);
  });
});
