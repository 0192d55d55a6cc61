import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, type MadeActor } from '../support/factories.js';
import {
  makeGroup,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';
import {
  makeMovableGroup,
  makeMovableProject,
  makeMovableSnippet,
} from '../support/storage-move-factories.js';
import { Trail } from './trail.js';

let app: TestApp;
let admin: MadeActor;
let owner: MadeActor;
let trail: Trail;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
  owner = await makeActor(app);
  trail = new Trail(admin.api);
});

describe('the audit log of members', () => {
  it.each(['group', 'project'] as const)(
    'of a %s tells of adding, changing, removing',
    async (kind) => {
      const user = await makeUser(app);
      const { id } =
        kind === 'group'
          ? await makeOwnedGroup(app, owner)
          : await makeProject(app, { namespaceId: owner.user.namespaceId });
      const path = `/${kind}s/${id}/members`;
      await owner.api.post(path, { user_id: user.id, access_level: 30 }).expect(201);
      const change = { access_level: 20, expires_at: '2099-01-01' };
      await owner.api.put(`${path}/${user.id}`, change).expect(200);
      await owner.api.delete(`${path}/${user.id}`).expect(204);

      const events = (await trail.of(kind === 'group' ? 'Group' : 'Project', id)).reverse();
      expect(events.map(({ event_name, details }) => [event_name, details.changes])).toEqual([
        ['member_created', { access_level: { from: null, to: 30 } }],
        [
          'member_updated',
          { access_level: { from: 30, to: 20 }, expires_at: { from: null, to: '2099-01-01' } },
        ],
        [
          'member_removed',
          { access_level: { from: 20, to: null }, expires_at: { from: '2099-01-01', to: null } },
        ],
      ]);
      const target = { target_type: 'User', target_id: user.id, target_details: user.username };
      for (const { details } of events) expect(details).toMatchObject(target);
    },
  );

  it('records memberships that end below a group in their own scope', async () => {
    const user = await makeUser(app);
    const group = await makeOwnedGroup(app, owner);
    const subgroup = await makeGroup(app, { parentId: group.id });
    const project = await makeProject(app, { namespaceId: subgroup.id });
    await makeMember(app, { group, user, role: 'reporter' });
    await makeMember(app, { group: subgroup, user, role: 'developer' });
    await makeMember(app, { project, user, role: 'maintainer' });
    await owner.api.delete(`/groups/${group.id}/members/${user.id}`).expect(204);

    const removed = (level: number): object => ({
      event_name: 'member_removed',
      changes: { access_level: { from: level, to: null } },
    });
    expect(await trail.told('Group', group.id)).toMatchObject(removed(20));
    expect(await trail.told('Group', subgroup.id)).toMatchObject(removed(30));
    expect(await trail.told('Project', project.id)).toMatchObject(removed(40));
    expect(await trail.of('Group', group.id)).toHaveLength(1);
  });
});

describe('the deletion of a user', () => {
  it('is recorded where the user was a member', async () => {
    const user = await makeUser(app);
    const group = await makeOwnedGroup(app, owner);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    await makeMember(app, { group, user, role: 'reporter' });
    await makeMember(app, { project, user, role: 'developer' });
    await admin.api.delete(`/users/${user.id}`).expect(204);

    for (const [type, id, from] of [
      ['Group', group.id, 20],
      ['Project', project.id, 30],
    ] as const) {
      expect(await trail.newest(type, id)).toMatchObject({
        event_name: 'member_removed',
        author_id: admin.user.id,
        details: {
          target_details: user.username,
          changes: { access_level: { from, to: null } },
        },
      });
    }
  });
});

describe('snippets', () => {
  it('are recorded for their project or author', async () => {
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const own = await makeActor(app);
    const personal = await makeSnippet(app, { authorId: own.user.id });
    const projects = await makeSnippet(app, { authorId: own.user.id, projectId: project.id });
    await own.api.put(`/snippets/${personal.id}`, { visibility: 'public' }).expect(200);
    await owner.api.delete(`/projects/${project.id}/snippets/${projects.id}`).expect(204);

    expect(await trail.told('User', own.user.id)).toEqual({
      event_name: 'snippet_visibility_changed',
      author_id: own.user.id,
      target: `Snippet ${personal.id}`,
      changes: { visibility: { from: 'private', to: 'public' } },
      facts: {},
    });
    expect(await trail.newest('Project', project.id)).toMatchObject({
      event_name: 'snippet_deleted',
      details: { target_type: 'Snippet', target_details: projects.title },
    });
  });
});

describe('storage moves', () => {
  const destination = { destination_storage_name: 'storage2' };

  it('are recorded for the moved container', async () => {
    const project = await makeMovableProject(app, owner.user);
    const group = await makeMovableGroup(app);
    const snippet = await makeMovableSnippet(app, owner.user);
    for (const [kind, entity, target, id] of [
      ['projects', 'Project', 'Project', project.id],
      ['groups', 'Group', 'Group', group.id],
      ['snippets', 'User', 'Snippet', snippet.id],
    ] as const) {
      const path = `/${kind}/${id}/repository_storage_moves`;
      const move = (await admin.api.post(path, destination).expect(201)).body as { id: number };
      const entityId = entity === 'User' ? owner.user.id : id;
      expect(await trail.told(entity, entityId)).toEqual({
        event_name: 'storage_move_scheduled',
        author_id: admin.user.id,
        target: `${target} ${id}`,
        changes: {},
        facts: { move_id: move.id, source: 'default', destination: 'storage2' },
      });
      await admin.api.post(`/${target.toLowerCase()}_repository_storage_moves/${move.id}/cancel`);
      expect(await trail.told(entity, entityId)).toMatchObject({
        event_name: 'storage_move_cancelled',
        target: `${target} ${id}`,
        facts: { move_id: move.id, state: 'scheduled' },
      });
    }
  });

  it('and limits of storages are recorded for the instance', async () => {
    await admin.api.put('/storage_moves/storages/storage2', { max_in: 7 }).expect(200);
    expect(await trail.newest('Instance')).toMatchObject({
      event_name: 'storage_updated',
      entity_id: null,
      details: {
        entity_path: null,
        target_type: 'Storage',
        target_details: 'storage2',
        changes: { max_in: { from: 2, to: 7 } },
      },
    });
    const bulk = { source_storage_name: 'default', ...destination };
    await admin.api.post('/project_repository_storage_moves', bulk).expect(202);
    expect(await trail.newest('Instance')).toMatchObject({
      event_name: 'storage_moves_scheduled',
      details: { facts: { kind: 'project', source: 'default', destination: 'storage2' } },
    });
  });
});
