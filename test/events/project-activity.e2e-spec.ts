import { beforeAll, describe, expect, it } from '@jest/globals';
import { Activity } from '../../src/core/activity/activity.service.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { type MadeActor, makeActor } from '../support/factories.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

const MINUTE = 60_000;

/** A project in which something happened that long ago. */
async function makeQuiet(minutes: number): Promise<MadeProject & { before: Date }> {
  const before = new Date(Date.now() - minutes * MINUTE);
  const { namespaceId } = owner.user;
  return { ...(await makeProject(app, { namespaceId, lastActivityAt: before })), before };
}

async function lastActivity({ id }: { id: number }): Promise<Date> {
  const { body } = await owner.api.get(`/projects/${id}`).expect(200);
  return new Date(body.last_activity_at);
}

describe('the last activity of a project', () => {
  it('is now when something happens after more than an hour', async () => {
    const project = await makeQuiet(61);
    await owner.api.post(`/projects/${project.id}/issues`, { title: 'New' }).expect(201);
    expect(Date.now() - (await lastActivity(project)).getTime()).toBeLessThan(MINUTE);
  });

  it('stays as it is within the hour: a busy project is not written each time', async () => {
    const project = await makeQuiet(59);
    await owner.api.post(`/projects/${project.id}/issues`, { title: 'New' }).expect(201);
    expect(await lastActivity(project)).toEqual(project.before);
  });

  it('does not wait for a change of the project to record an event', async () => {
    const project = await makeQuiet(61);
    const changing = app.dataSource.createQueryRunner();
    await changing.startTransaction();
    await changing.query('SELECT 1 FROM projects WHERE id = $1 FOR NO KEY UPDATE', [project.id]);
    await owner.api.post(`/projects/${project.id}/issues`, { title: 'New' }).expect(201);
    await changing.rollbackTransaction();
    await changing.release();
    expect(await lastActivity(project)).toEqual(project.before);
  });

  it('changes for all projects of one recording', async () => {
    const projects = await Promise.all([makeQuiet(61), makeQuiet(62), makeQuiet(1)]);
    const events = projects.map(({ id: projectId }) => {
      const target = { type: 'project', id: projectId } as const;
      return { projectId, authorId: owner.user.id, action: 'left', target } as const;
    });
    const activity = app.app.get(Activity);
    await app.dataSource.transaction((tx) => activity.record(tx, events));
    const moments = await Promise.all(projects.map(lastActivity));
    expect(moments.map((moment, index) => moment > (projects[index]?.before ?? moment))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
