import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { makeGroup, makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';
import { Trail } from './trail.js';

const LOWERED = { from: 'public', to: 'private' };

let app: OwnTestApp;
let worker: INestApplicationContext;
let owner: MadeActor;
let trail: Trail;
beforeAll(async () => {
  app = await startTestApp();
  worker = await startTestWorker(app);
  owner = await makeActor(app);
  trail = new Trail((await makeAdmin(app)).api);
});
afterAll(async () => {
  await worker.close();
  await app.close();
});

describe('the audit log of groups', () => {
  it('records creation, transfer, deletion', async () => {
    const parent = await makeOwnedGroup(app, owner);
    const path = unique('g');
    const body = { name: 'G', path, visibility: 'public' };
    const { id } = (await owner.api.post('/groups', body).expect(201)).body as { id: number };
    await owner.api.post(`/groups/${id}/transfer`, { group_id: parent.id }).expect(201);
    await owner.api.delete(`/groups/${id}`).expect(202);

    await eventually(async () => (await trail.newest('Group', id)).event_name === 'group_deleted');
    const fullPath = `${parent.fullPath}/${path}`;
    const moved = { from: path, to: fullPath };
    expect(await trail.story('Group', id)).toEqual([
      ['group_created', {}, { path, parent_id: null, visibility: 'public' }],
      ['group_transferred', { full_path: moved, visibility: LOWERED }, {}],
      ['group_deletion_requested', {}, { path: fullPath }],
      ['group_deleted', {}, {}],
    ]);
    expect(await trail.newest('Group', id)).toMatchObject({
      author_id: null,
      details: { author_name: null, ip_address: null, target_details: fullPath },
    });
  });
});

describe('a group that becomes less visible', () => {
  it('records a change of several containers in the log of each', async () => {
    const [group, parent] = [
      await makeOwnedGroup(app, owner, { visibility: 'public' }),
      await makeOwnedGroup(app, owner),
    ];
    const subgroup = await makeGroup(app, { parentId: group.id, visibility: 'internal' });
    const project = await makeProject(app, { namespaceId: subgroup.id, visibility: 'internal' });
    const hidden = await makeProject(app, { namespaceId: group.id });
    await owner.api.post(`/groups/${group.id}/transfer`, { group_id: parent.id }).expect(201);

    const lowered = { visibility: { from: 'internal', to: 'private' } };
    expect(await trail.story('Group', subgroup.id)).toEqual([['group_updated', lowered, {}]]);
    expect(await trail.story('Project', project.id)).toEqual([['project_updated', lowered, {}]]);
    expect(await trail.story('Project', hidden.id)).toEqual([]);
    expect(await trail.newest('Project', project.id)).toMatchObject({
      author_id: owner.user.id,
      details: { entity_path: `${parent.fullPath}/${subgroup.fullPath}/${project.path}` },
    });
  });
});

describe('the audit log of projects', () => {
  it('records creation, changes, archiving, transfer, deletion', async () => {
    const group = await makeOwnedGroup(app, owner, { visibility: 'internal' });
    const name = unique('p');
    const created = await owner.api.post('/projects', { name, visibility: 'public' }).expect(201);
    const { id } = created.body as { id: number };
    const path = `/projects/${id}`;
    await owner.api.put(path, { description: 'D', issues_enabled: false, name }).expect(200);
    await owner.api.put(path, { default_branch: 'trunk' }).expect(200);
    await owner.api.post(`${path}/archive`).expect(201);
    await owner.api.post(`${path}/archive`).expect(201);
    await owner.api.post(`${path}/unarchive`).expect(201);
    await owner.api.put(`${path}/transfer`, { namespace: group.id }).expect(200);
    await owner.api.delete(path).expect(202);
    await eventually(async () => {
      return (await trail.newest('Project', id)).event_name === 'project_deleted';
    });

    const [before, after] = [`${owner.user.username}/${name}`, `${group.fullPath}/${name}`];
    expect(await trail.story('Project', id)).toEqual([
      ['project_created', {}, { path: before, visibility: 'public', storage: 'default' }],
      [
        'project_updated',
        { description: { from: null, to: 'D' }, issues_enabled: { from: true, to: false } },
        {},
      ],
      ['project_default_branch_changed', { default_branch: { from: 'main', to: 'trunk' } }, {}],
      ['project_archived', { archived: { from: false, to: true } }, {}],
      ['project_unarchived', { archived: { from: true, to: false } }, {}],
      [
        'project_transferred',
        {
          full_path: { from: before, to: after },
          visibility: { from: 'public', to: 'internal' },
        },
        {},
      ],
      ['project_deletion_requested', {}, { path: after }],
      ['project_deleted', {}, {}],
    ]);
  });
});
