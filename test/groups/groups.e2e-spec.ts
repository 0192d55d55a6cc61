import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, unique, type MadeActor } from '../support/factories.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeGroup,
} from '../support/project-factories.js';

const GROUP_NOT_FOUND = { message: '404 Group Not Found' };

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

type GroupOptions = Parameters<typeof makeGroup>[1];

async function groupOwnedBy(owner: MadeActor, options: GroupOptions = {}): Promise<MadeGroup> {
  const group = await makeGroup(app, options);
  await makeMember(app, { group, user: owner.user, role: 'owner' });
  return group;
}

function fullPaths(body: unknown): string[] {
  return (body as { full_path: string }[]).map(({ full_path }) => full_path);
}

describe('POST /groups', () => {
  it('creates a private group that its creator owns', async () => {
    const creator = await makeActor(app);
    const path = unique('g');

    const created = await creator.api
      .post('/groups', { name: 'A Group', path, description: 'About' })
      .expect(201);

    const { id } = created.body as { id: number };
    expect(created.body).toEqual({
      id: expect.any(Number),
      web_url: `${app.url}/groups/${path}`,
      name: 'A Group',
      path,
      description: 'About',
      visibility: 'private',
      share_with_group_lock: false,
      require_two_factor_authentication: false,
      two_factor_grace_period: 48,
      project_creation_level: 'developer',
      subgroup_creation_level: 'owner',
      auto_devops_enabled: null,
      emails_disabled: false,
      emails_enabled: true,
      mentions_disabled: null,
      lfs_enabled: false,
      archived: false,
      default_branch: null,
      default_branch_protection: 2,
      default_branch_protection_defaults: {
        allowed_to_push: [{ access_level: 40 }],
        allow_force_push: false,
        allowed_to_merge: [{ access_level: 40 }],
      },
      avatar_url: null,
      request_access_enabled: true,
      full_name: 'A Group',
      full_path: path,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      parent_id: null,
      organization_id: 1,
      shared_runners_setting: 'enabled',
      marked_for_deletion_on: null,
      shared_with_groups: [],
    });
    const members = await creator.api.get(`/groups/${id}/members`).expect(200);
    expect(members.body).toMatchObject([{ id: creator.user.id, access_level: 50 }]);
    const audit = await app.dataSource.manager.findOneByOrFail(AuditEvent, {
      targetType: 'Group',
      targetId: id,
    });
    expect(audit).toMatchObject({ action: 'group_created', authorId: creator.user.id });
  });

  it('creates a subgroup for an owner of the parent only', async () => {
    const [owner, maintainer, stranger] = [
      await makeActor(app),
      await makeActor(app),
      await makeActor(app),
    ];
    const parent = await groupOwnedBy(owner);
    await makeMember(app, { group: parent, user: maintainer.user, role: 'maintainer' });
    const body = { name: 'Sub', path: 'sub', parent_id: parent.id };

    await maintainer.api.post('/groups', body).expect(403);
    const unseen = await stranger.api.post('/groups', body).expect(404);
    const created = await owner.api.post('/groups', body).expect(201);

    expect(unseen.body).toEqual(GROUP_NOT_FOUND);
    expect(created.body).toMatchObject({
      full_path: `${parent.path}/sub`,
      full_name: `${parent.name} / Sub`,
      parent_id: parent.id,
    });
  });

  it('reports by attribute why a path is not available', async () => {
    const creator = await makeActor(app);
    const group = await groupOwnedBy(creator);
    await makeProject(app, { namespaceId: group.id, path: 'used' });
    const refusal = async (body: object): Promise<unknown> =>
      ((await creator.api.post('/groups', body).expect(400)).body as { message: unknown }).message;
    const taken = { path: ['has already been taken'] };

    expect(await refusal({ name: 'X', path: group.path.toUpperCase() })).toEqual(taken);
    expect(await refusal({ name: 'X', path: creator.user.username })).toEqual(taken);
    expect(await refusal({ name: 'X', path: 'used', parent_id: group.id })).toEqual(taken);
    expect(await refusal({ name: 'X', path: 'api' })).toEqual({ path: ['api is a reserved name'] });
    expect(await refusal({ name: '', path: '-x' })).toEqual({
      name: ["can't be blank"],
      path: [expect.any(String)],
    });
    const visible = { name: 'X', path: 'x', parent_id: group.id, visibility: 'public' };
    expect(await refusal(visible)).toEqual({
      visibility_level: ['public is not allowed since the parent group has a private visibility.'],
    });
  });

  it.each([
    [{ path: 'x' }, 'name is missing'],
    [{}, 'name is missing, path is missing'],
    [{ name: 'x', path: 'x', visibility: 'secret' }, 'visibility does not have a valid value'],
    [{ name: 'x', path: 'x', parent_id: 'x' }, 'parent_id is invalid'],
  ])('answers 400 to %j', async (body, error) => {
    const creator = await makeActor(app);
    const answer = await creator.api.post('/groups', body).expect(400);
    expect(answer.body).toMatchObject({ error });
  });

  it('is for users who may create groups', async () => {
    const barred = await makeActor(app, { canCreateGroup: false });
    const external = await makeActor(app, { external: true });
    const body = { name: 'X', path: unique('x') };

    await api(app.url).post('/groups', body).expect(401);
    await barred.api.post('/groups', body).expect(403);
    await external.api.post('/groups', body).expect(403);
  });
});

describe('PUT /groups/:id', () => {
  it('moves everything below to the new path and redirects the old ones', async () => {
    const owner = await makeActor(app);
    const group = await groupOwnedBy(owner);
    const subgroup = await makeGroup(app, { parentId: group.id, path: 'sub' });
    const project = await makeProject(app, { namespaceId: subgroup.id });
    const path = unique('renamed');

    const updated = await owner.api.put(`/groups/${group.id}`, { path, name: 'New' }).expect(200);

    expect(updated.body).toMatchObject({ full_path: path, name: 'New', full_name: 'New' });
    const moved = await owner.api.get(`/groups/${path}%2Fsub`).expect(200);
    expect(moved.body).toMatchObject({ id: subgroup.id, full_name: `New / ${subgroup.name}` });
    const old = await owner.api.get(`/groups/${group.path}%2Fsub?with_projects=false`).expect(301);
    expect(old.headers['location']).toBe(
      `${app.url}/api/v4/groups/${subgroup.id}?with_projects=false`,
    );
    const oldProject = `/projects/${encodeURIComponent(`${group.path}/sub/${project.path}`)}`;
    const redirected = await owner.api.get(oldProject).expect(301);
    expect(redirected.headers['location']).toBe(`${app.url}/api/v4/projects/${project.id}`);
    await owner.api.put(`/groups/${group.path}`, { name: 'Other' }).expect(405);
  });

  it('gives a former path to the next group that takes it', async () => {
    const [owner, other] = [await makeActor(app), await makeActor(app)];
    const group = await groupOwnedBy(owner);
    const project = await makeProject(app, { namespaceId: group.id, path: 'p' });
    await owner.api.put(`/groups/${group.id}`, { path: unique('away') }).expect(200);

    await other.api.post('/groups', { name: 'Other', path: group.path }).expect(201);

    await owner.api.get(`/groups/${group.path}`).expect(404);
    await owner.api.get(`/projects/${group.path}%2Fp`).expect(404);
    await owner.api.get(`/projects/${project.id}`).expect(200);
  });

  it('replaces redirects below its new path', async () => {
    const [owner, other] = [await makeActor(app), await makeActor(app)];
    const former = await groupOwnedBy(other);
    const foreign = await makeProject(app, { namespaceId: former.id, path: 'p' });
    await other.api.put(`/projects/${foreign.id}`, { path: 'q' }).expect(200);
    await other.api.put(`/groups/${former.id}`, { path: unique('away') }).expect(200);
    const group = await groupOwnedBy(owner);
    const own = await makeProject(app, { namespaceId: group.id, path: 'a' });
    await owner.api.put(`/projects/${own.id}`, { path: 'b' }).expect(200);

    await owner.api.put(`/groups/${group.id}`, { path: former.path }).expect(200);

    await other.api.get(`/projects/${former.path}%2Fp`).expect(404);
    await owner.api.put(`/groups/${group.id}`, { path: group.path }).expect(200);
    await owner.api.get(`/projects/${group.path}%2Fa`).expect(301);
  });

  it('answers 400 with messages per attribute', async () => {
    const owner = await makeActor(app);
    const group = await groupOwnedBy(owner);
    const taken = await makeGroup(app);

    const clash = await owner.api.put(`/groups/${group.id}`, { path: taken.path }).expect(400);
    const blank = await owner.api.put(`/groups/${group.id}`, { name: ' ' }).expect(400);

    expect(clash.body).toEqual({ message: { path: ['has already been taken'] } });
    expect(blank.body).toEqual({ message: { name: ["can't be blank"] } });
  });

  it('keeps children at most as visible as their group, from both sides', async () => {
    const owner = await makeActor(app);
    const group = await groupOwnedBy(owner, { visibility: 'internal' });
    const subgroup = await makeGroup(app, { parentId: group.id, visibility: 'internal' });
    await makeProject(app, { namespaceId: group.id, visibility: 'internal' });

    const above = await owner.api
      .put(`/groups/${subgroup.id}`, { visibility: 'public' })
      .expect(400);
    const below = await owner.api.put(`/groups/${group.id}`, { visibility: 'private' }).expect(400);

    expect(above.body).toEqual({
      message: {
        visibility_level: [
          'public is not allowed since the parent group has a internal visibility.',
        ],
      },
    });
    expect(below.body).toEqual({
      message: {
        visibility_level: [
          'private is not allowed since this group contains projects with higher visibility.',
          'private is not allowed since there are sub-groups with higher visibility.',
        ],
      },
    });
  });

  it('is for owners, and answers 412 when the group changed meanwhile', async () => {
    const [owner, maintainer] = [await makeActor(app), await makeActor(app)];
    const group = await groupOwnedBy(owner);
    await makeMember(app, { group, user: maintainer.user, role: 'maintainer' });

    await maintainer.api.put(`/groups/${group.id}`, { name: 'X' }).expect(403);
    await owner.api
      .put(`/groups/${group.id}`, { name: 'X' })
      .set('If-Unmodified-Since', 'Wed, 01 Jan 2020 00:00:00 GMT')
      .expect(412);
  });
});

describe('POST /groups/:id/transfer', () => {
  it('puts a group with all below under another parent, no more visible than it', async () => {
    const owner = await makeActor(app);
    const group = await groupOwnedBy(owner, { visibility: 'public' });
    const project = await makeProject(app, { namespaceId: group.id, visibility: 'public' });
    const target = await groupOwnedBy(owner, { visibility: 'internal' });

    const answer = await owner.api
      .post(`/groups/${group.id}/transfer`, { group_id: target.id })
      .expect(201);

    expect(answer.body).toMatchObject({
      full_path: `${target.path}/${group.path}`,
      parent_id: target.id,
      visibility: 'internal',
    });
    const moved = await owner.api.get(`/projects/${project.id}`).expect(200);
    expect(moved.body).toMatchObject({
      path_with_namespace: `${target.path}/${group.path}/${project.path}`,
      visibility: 'internal',
    });
    await owner.api.get(`/groups/${group.path}`).expect(301);
    const back = await owner.api.post(`/groups/${group.id}/transfer`).expect(201);
    expect(back.body).toMatchObject({ full_path: group.path, parent_id: null });
  });

  it('keeps the tree at most 20 groups deep', async () => {
    const owner = await makeActor(app);
    const chain = [await groupOwnedBy(owner)];
    for (let depth = 2; depth <= 19; depth += 1) {
      chain.push(await makeGroup(app, { parentId: chain.at(-1)?.id ?? 0 }));
    }
    const pair = await groupOwnedBy(owner);
    await makeGroup(app, { parentId: pair.id });
    const [above, deepest] = chain.slice(-2).map(({ id }) => ({ group_id: id }));

    const refused = await owner.api.post(`/groups/${pair.id}/transfer`, deepest).expect(400);

    expect(refused.body).toEqual({
      message: 'Transfer failed: The group would be nested too deeply.',
    });
    await owner.api.post(`/groups/${pair.id}/transfer`, above).expect(201);
  });

  it('refuses what cannot be', async () => {
    const [owner, other] = [await makeActor(app), await makeActor(app)];
    const group = await groupOwnedBy(owner);
    const subgroup = await makeGroup(app, { parentId: group.id, path: 'twin' });
    const twin = await groupOwnedBy(owner, { path: unique('twin') });
    await makeGroup(app, { parentId: group.id, path: twin.path });
    const foreign = await groupOwnedBy(other, { visibility: 'public' });
    const refusal = async (id: number, body: object): Promise<unknown> =>
      (await owner.api.post(`/groups/${id}/transfer`, body).expect(400)).body;

    expect(await refusal(group.id, { group_id: subgroup.id })).toEqual({
      message: 'Transfer failed: Cannot transfer group to one of its subgroup.',
    });
    expect(await refusal(subgroup.id, { group_id: group.id })).toEqual({
      message: 'Transfer failed: Group is already associated to the parent group.',
    });
    expect(await refusal(group.id, {})).toEqual({
      message: 'Transfer failed: Group is already a root group.',
    });
    expect(await refusal(twin.id, { group_id: group.id })).toEqual({
      message:
        'Transfer failed: The parent group already has a subgroup or a project with the same path.',
    });
    await owner.api.post(`/groups/${group.id}/transfer`, { group_id: foreign.id }).expect(403);
    await owner.api.post(`/groups/${group.id}/transfer`, { group_id: 999_999 }).expect(404);
  });
});

describe('GET /groups/:id/transfer_locations', () => {
  it('lists the groups that the viewer owns outside of the group and its parent', async () => {
    const owner = await makeActor(app);
    const parent = await groupOwnedBy(owner);
    const group = await makeGroup(app, { parentId: parent.id });
    await makeGroup(app, { parentId: group.id });
    const target = await groupOwnedBy(owner);
    const other = await makeGroup(app, { visibility: 'public' });
    await makeMember(app, { group: other, user: owner.user, role: 'maintainer' });
    const path = `/groups/${group.id}/transfer_locations`;
    const { body } = await owner.api.get(path).expect(200);
    expect(body).toMatchObject([{ id: target.id, full_path: target.fullPath }]);
    const maintainer = await makeActor(app);
    await makeMember(app, { group, user: maintainer.user, role: 'maintainer' });
    await maintainer.api.get(path).expect(403);
  });
});

describe('DELETE /groups/:id', () => {
  it('hides the group and all below it at once', async () => {
    const owner = await makeActor(app);
    const group = await groupOwnedBy(owner);
    const subgroup = await makeGroup(app, { parentId: group.id });
    const project = await makeProject(app, { namespaceId: subgroup.id });

    const answer = await owner.api.delete(`/groups/${group.id}`).expect(202);

    expect(answer.body).toEqual({ message: '202 Accepted' });
    await owner.api.get(`/groups/${group.id}`).expect(404);
    await owner.api.get(`/groups/${subgroup.id}`).expect(404);
    await owner.api.get(`/projects/${project.id}`).expect(404);
    expect((await owner.api.get('/groups?owned=true')).body).toEqual([]);
  });

  it('answers 409 while anything in it is being moved', async () => {
    const owner = await makeActor(app);
    const group = await groupOwnedBy(owner);
    const project = await makeProject(app, { namespaceId: group.id });
    await app.dataSource.query(
      `INSERT INTO project_repository_storage_moves
         (project_id, state, source_storage_name, destination_storage_name)
       VALUES ($1, 'started', 'default', 'storage2')`,
      [project.id],
    );

    const answer = await owner.api.delete(`/groups/${group.id}`).expect(409);

    expect(answer.body).toEqual({
      message:
        "Couldn't remove the group. A project repository storage move is in progress. Try again when it's complete.",
    });
    await owner.api.get(`/groups/${group.id}`).expect(200);
  });

  it('is for owners', async () => {
    const maintainer = await makeActor(app);
    const group = await makeGroup(app);
    await makeMember(app, { group, user: maintainer.user, role: 'maintainer' });

    await maintainer.api.delete(`/groups/${group.id}`).expect(403);
    await api(app.url).delete(`/groups/${group.id}`).expect(401);
  });
});

describe('GET /groups', () => {
  it('lists what the viewer sees, by name', async () => {
    const mark = unique('mark');
    const [member, external] = [await makeActor(app), await makeActor(app, { external: true })];
    const open = await makeGroup(app, { path: `${mark}-b`, visibility: 'public' });
    const internal = await makeGroup(app, { path: `${mark}-a`, visibility: 'internal' });
    const closed = await makeGroup(app, { path: `${mark}-c` });
    const inner = await makeGroup(app, { path: `${mark}-d`, parentId: closed.id });
    await makeMember(app, { group: closed, user: member.user, role: 'guest' });
    const admin = await makeAdmin(app);
    const stranger = await makeActor(app);
    const seen = async (client: typeof admin.api, query = ''): Promise<string[]> =>
      fullPaths((await client.get(`/groups?search=${mark}${query}`).expect(200)).body);

    expect(await seen(api(app.url))).toEqual([open.fullPath]);
    expect(await seen(external.api)).toEqual([open.fullPath]);
    expect(await seen(stranger.api)).toEqual([internal.fullPath, open.fullPath]);
    const all = [internal, open, closed, inner].map(({ fullPath }) => fullPath);
    expect(await seen(member.api)).toEqual(all);
    expect(await seen(admin.api)).toEqual(all);
    expect(await seen(member.api, '&all_available=false')).toEqual(all.slice(2));
    expect(await seen(member.api, '&top_level_only=true')).toEqual(all.slice(0, 3));
    expect(await seen(member.api, '&min_access_level=10')).toEqual(all.slice(2));
    expect(await seen(member.api, '&owned=true')).toEqual([]);
    expect(await seen(api(app.url), '&owned=true')).toEqual([]);
    expect(await seen(member.api, '&order_by=id&sort=desc')).toEqual(
      [inner, closed, internal, open].map(({ fullPath }) => fullPath),
    );
    expect(await seen(member.api, '&order_by=path&sort=desc')).toEqual(
      [inner, closed, open, internal].map(({ fullPath }) => fullPath),
    );
    expect(await seen(member.api, `&skip_groups[]=${open.id}&skip_groups[]=${closed.id}`)).toEqual([
      internal.fullPath,
      inner.fullPath,
    ]);
    const similar = await admin.api.get(`/groups?search=${mark}-c&order_by=similarity`).expect(200);
    expect(fullPaths(similar.body)[0]).toBe(closed.fullPath);
  });

  it('pages by keyset to the end for anonymous callers', async () => {
    const mark = unique('keyset');
    const names = ['b', 'a', 'a', 'c'].map((name) => `${mark} ${name}`);
    const made: MadeGroup[] = [];
    for (const name of names) made.push(await makeGroup(app, { name, visibility: 'public' }));
    const anyone = api(app.url);
    const start = '/groups?pagination=keyset&order_by=name&sort=asc&per_page=3';
    const first = await anyone.get(`${start}&search=${mark}`).expect(200);
    const after = ({ headers }: Response): Promise<Response> => {
      const [, link = ''] = /^<(.*)>; rel="next"$/.exec(String(headers['link'])) ?? [];
      return request(link).get('').expect(200);
    };
    const second = await after(first);
    const last = await after(second);

    const seen = [first, second, last].flatMap(({ body }) => fullPaths(body));
    expect(seen).toEqual([1, 2, 0, 3].map((index) => made[index]?.fullPath));
    expect(first.headers).not.toHaveProperty('x-total');
    expect(last.headers).not.toHaveProperty('link');
  });

  it('refuses keyset pagination in another order, for users, and from nowhere', async () => {
    const [anyone, { api: user }] = [api(app.url), await makeActor(app)];
    const keyset = '/groups?pagination=keyset';
    const unsupported = {
      error: 'Keyset pagination is not yet available for this type of request',
    };
    const byName = `${keyset}&order_by=name`;
    expect((await anyone.get(`${keyset}&order_by=id`).expect(405)).body).toEqual(unsupported);
    expect((await anyone.get(`${byName}&sort=desc`).expect(405)).body).toEqual(unsupported);
    expect((await user.get(byName).expect(405)).body).toEqual(unsupported);
    expect((await anyone.get(keyset).expect(400)).body).toMatchObject({
      error: 'order_by is missing',
    });
    const contents = [
      'x',
      'null',
      '[]',
      '{"name":1,"id":"1","_kd":"n"}',
      '{"name":"\\u0000","id":"1","_kd":"n"}',
    ];
    for (const content of contents) {
      const cursor = Buffer.from(content).toString('base64url');
      const { body } = await anyone.get(`${byName}&cursor=${cursor}`).expect(400);
      expect(body).toMatchObject({ error: 'cursor is invalid' });
    }
  });

  it('filters by storage for administrators and drops the filter for others', async () => {
    const [admin, user] = [await makeAdmin(app), await makeActor(app)];
    const mark = unique('store');
    const path = `${mark}-a`;
    await makeGroup(app, { path, visibility: 'public', repositoryStorage: 'storage2' });
    await makeGroup(app, { path: `${mark}-b`, visibility: 'public' });
    const query = `/groups?search=${mark}&repository_storage=storage2`;

    const filtered = await admin.api.get(query).expect(200);
    const dropped = await user.api.get(query).expect(200);

    expect(fullPaths(filtered.body)).toEqual([path]);
    expect(filtered.body).toMatchObject([{ repository_storage: 'storage2' }]);
    expect(fullPaths(dropped.body)).toHaveLength(2);
    expect(dropped.text).not.toContain('repository_storage');
  });

  it.each([
    ['order_by=bogus', 'order_by does not have a valid value'],
    ['sort=up', 'sort does not have a valid value'],
    ['min_access_level=11', 'min_access_level does not have a valid value'],
    ['owned=maybe', 'owned is invalid'],
    ['skip_groups[]=x', 'skip_groups is invalid'],
  ])('answers 400 to %s', async (query, error) => {
    const answer = await api(app.url).get(`/groups?${query}`).expect(400);
    expect(answer.body).toMatchObject({ error });
  });
});

describe('a group', () => {
  it('is found by id and by path in any case; others are 404', async () => {
    const group = await makeGroup(app, { visibility: 'public' });
    const anyone = api(app.url);

    await anyone.get(`/groups/${group.id}`).expect(200);
    await anyone.get(`/groups/${group.path.toUpperCase()}`).expect(200);
    expect((await anyone.get('/groups/no-such-group').expect(404)).body).toEqual(GROUP_NOT_FOUND);
    expect((await anyone.get('/groups/999999').expect(404)).body).toEqual(GROUP_NOT_FOUND);
  });

  it('lists its subgroups and, with those below on demand, its projects', async () => {
    const owner = await makeActor(app);
    const group = await groupOwnedBy(owner);
    const subgroup = await makeGroup(app, { parentId: group.id });
    await makeGroup(app, { parentId: subgroup.id });
    const own = await makeProject(app, { namespaceId: group.id });
    const below = await makeProject(app, { namespaceId: subgroup.id });
    const ids = async (query: string): Promise<number[]> => {
      const { body } = await owner.api.get(`/groups/${group.id}/projects?${query}`).expect(200);
      return (body as { id: number }[]).map(({ id }) => id);
    };

    const subgroups = await owner.api.get(`/groups/${group.id}/subgroups`).expect(200);
    expect(fullPaths(subgroups.body)).toEqual([subgroup.fullPath]);
    expect(await ids('')).toEqual([own.id]);
    expect(await ids('include_subgroups=true&order_by=id&sort=asc')).toEqual([own.id, below.id]);
  });
});

describe('GET /namespaces', () => {
  it("lists the viewer's own namespace and groups, and shows what they see", async () => {
    const [actor, other] = [await makeActor(app), await makeUser(app)];
    const group = await groupOwnedBy(actor);
    const hidden = await makeGroup(app);

    const list = await actor.api.get('/namespaces').expect(200);

    const { username, name, namespaceId } = actor.user;
    expect(list.body).toEqual([
      {
        id: namespaceId,
        name,
        path: username,
        kind: 'user',
        full_path: username,
        parent_id: null,
        avatar_url: null,
        web_url: `${app.url}/${username}`,
      },
      {
        id: group.id,
        name: group.name,
        path: group.path,
        kind: 'group',
        full_path: group.path,
        parent_id: null,
        avatar_url: null,
        web_url: `${app.url}/groups/${group.path}`,
      },
    ]);
    const one = await actor.api.get(`/namespaces/${group.path}`).expect(200);
    expect(one.body).toEqual((list.body as unknown[])[1]);
    const foreign = await actor.api.get(`/namespaces/${other.namespaceId}`).expect(404);
    expect(foreign.body).toEqual({ message: '404 Namespace Not Found' });
    await actor.api.get(`/namespaces/${hidden.id}`).expect(404);
    await api(app.url).get('/namespaces').expect(401);
    const found = await actor.api.get(`/namespaces?search=${group.path}`).expect(200);
    expect(fullPaths(found.body)).toEqual([group.path]);
  });
});
