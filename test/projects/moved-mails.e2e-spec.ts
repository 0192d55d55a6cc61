import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IsNull } from 'typeorm';
import { Notification } from '../../src/core/activity/notifications.repository.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import {
  makeGroup,
  makeMember,
  makeMemberOf,
  makeOwnedGroup,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';

let app: OwnTestApp;
let worker: INestApplicationContext;
let owner: MadeActor;
beforeAll(async () => {
  app = await startTestApp();
  worker = await startTestWorker(app);
  owner = await makeActor(app);
});
afterAll(async () => {
  await worker.close();
  await app.close();
});

/** IDs of those who get an email once the worker is through with the project's move. */
async function toldOfMove(project: MadeProject): Promise<(number | null)[]> {
  await owner.api.put(`/projects/${project.id}`, { path: unique('moved') }).expect(200);
  const { manager } = app.dataSource;
  await eventually(async () => {
    return (
      (await manager.countBy(Notification, { projectId: project.id, mailedAt: IsNull() })) === 0
    );
  });
  const notifications = await manager.findBy(Notification, { projectId: project.id });
  const mails = await Promise.all(
    notifications.map(({ id }) =>
      manager.findBy(OutgoingMail, { notificationId: id, kind: 'moved_project' }),
    ),
  );
  return mails.flat().map(({ userId }) => userId);
}

describe('the mail that a project has moved', () => {
  it('goes to its owners and maintainers, but for who moved it', async () => {
    const group = await makeOwnedGroup(app, owner);
    const project = await makeProject(app, { namespaceId: group.id });
    const maintainer = await makeMemberOf(app, project, 'maintainer');
    const inherited = await makeActor(app);
    await makeMember(app, { group, user: inherited.user, role: 'owner' });
    await makeMemberOf(app, project, 'developer');

    const told = await toldOfMove(project);

    const expected = [maintainer.user.id, inherited.user.id];
    expect(told.sort()).toEqual(expected.sort());
  });

  it('goes to no one while the project or a group above has emails disabled', async () => {
    const group = await makeOwnedGroup(app, owner);
    const silent = await makeOwnedGroup(app, owner, { emailsEnabled: false });
    const below = await makeGroup(app, { parentId: silent.id });
    const own = await makeProject(app, { namespaceId: group.id });
    const inherited = await makeProject(app, { namespaceId: below.id });
    for (const project of [own, inherited]) await makeMemberOf(app, project, 'maintainer');
    await owner.api.put(`/projects/${own.id}`, { emails_enabled: false }).expect(200);

    expect([await toldOfMove(own), await toldOfMove(inherited)]).toEqual([[], []]);
  });
});
