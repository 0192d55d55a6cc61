import { mkdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  readBlob,
  resolveCommit,
  headBranch,
  bareRepositoryExists,
} from '../../src/git/git-repository.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, unique } from '../support/factories.js';
import { makeGroup, makeMember, makeProject } from '../support/project-factories.js';

const FORBIDDEN = { message: '403 Forbidden' };

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function repositoryPath(containerId: number, storage = 'default'): string {
  return app.app.get(StorageRegistry).absolutePath({ storage, kind: 'project', containerId });
}

describe('POST /projects', () => {
  it('creates an empty private project in the own namespace, with its repository', async () => {
    const { api: client, user } = await makeActor(app);

    const created = await client.post('/projects', { name: 'My Project' }).expect(201);

    const { id } = created.body as { id: number };
    const path = `${user.username}/my-project`;
    const self = `${app.url}/api/v4/projects/${id}`;
    const date = expect.stringMatching(/^\d{4}-.*Z$/) as unknown;
    expect(created.body).toEqual({
      id: expect.any(Number),
      description: null,
      name: 'My Project',
      name_with_namespace: `${user.name} / My Project`,
      path: 'my-project',
      path_with_namespace: path,
      created_at: date,
      default_branch: 'main',
      tag_list: [],
      topics: [],
      ssh_url_to_repo: null,
      http_url_to_repo: `${app.url}/${path}.git`,
      web_url: `${app.url}/${path}`,
      readme_url: null,
      forks_count: 0,
      avatar_url: null,
      star_count: 0,
      last_activity_at: date,
      namespace: {
        id: user.namespaceId,
        name: user.name,
        path: user.username,
        kind: 'user',
        full_path: user.username,
        parent_id: null,
        avatar_url: null,
        web_url: `${app.url}/${user.username}`,
      },
      _links: {
        self,
        issues: `${self}/issues`,
        merge_requests: `${self}/merge_requests`,
        repo_branches: `${self}/repository/branches`,
        labels: `${self}/labels`,
        events: `${self}/events`,
        members: `${self}/members`,
        cluster_agents: `${self}/cluster_agents`,
      },
      empty_repo: true,
      archived: false,
      visibility: 'private',
      owner: {
        id: user.id,
        username: user.username,
        name: user.name,
        state: 'active',
        locked: false,
        avatar_url: null,
        web_url: `${app.url}/${user.username}`,
      },
      creator_id: user.id,
      import_status: 'none',
      open_issues_count: 0,
      shared_with_groups: [],
      issues_enabled: true,
      merge_requests_enabled: true,
      wiki_enabled: true,
      jobs_enabled: false,
      snippets_enabled: true,
      container_registry_enabled: false,
      packages_enabled: false,
      lfs_enabled: false,
      request_access_enabled: true,
      emails_disabled: false,
      emails_enabled: true,
      issues_access_level: 'enabled',
      repository_access_level: 'enabled',
      merge_requests_access_level: 'enabled',
      wiki_access_level: 'enabled',
      snippets_access_level: 'enabled',
      builds_access_level: 'disabled',
      forking_access_level: 'disabled',
      merge_method: 'merge',
      permissions: {
        project_access: { access_level: 50, notification_level: 3 },
        group_access: null,
      },
    });
    expect(await headBranch(repositoryPath(id))).toBe('main');
    expect((await client.get(`/projects/${id}`).expect(200)).body).toEqual(created.body);
  });

  it('commits a README on the default branch on demand', async () => {
    const { api: client } = await makeActor(app);
    const body = { name: 'Docs', description: 'About', default_branch: 'trunk' };

    const created = await client
      .post('/projects', { ...body, initialize_with_readme: true })
      .expect(201);

    expect(created.body).toMatchObject({ empty_repo: false, default_branch: 'trunk' });
    const path = repositoryPath((created.body as { id: number }).id);
    const commit = await resolveCommit(path, 'refs/heads/trunk');
    const readme = await readBlob(path, commit ?? '', 'README.md');
    expect(readme?.toString()).toBe('# Docs\n\nAbout\n');
  });

  it('goes into a group for its Developers, no more visible than the group', async () => {
    const [developer, reporter] = [await makeActor(app), await makeActor(app)];
    const group = await makeGroup(app, { visibility: 'internal' });
    await makeMember(app, { group, user: developer.user, role: 'developer' });
    await makeMember(app, { group, user: reporter.user, role: 'reporter' });
    const body = { path: 'in-group', namespace_id: group.id };

    const refused = await reporter.api.post('/projects', body).expect(400);
    const tooOpen = await developer.api.post('/projects', { ...body, visibility: 'public' });
    const created = await developer.api.post('/projects', { ...body, visibility: 'internal' });

    expect(refused.body).toEqual({ message: { namespace: ['is not valid'] } });
    expect([tooOpen.status, tooOpen.body]).toEqual([
      400,
      { message: { visibility_level: ['public is not allowed in a internal group.'] } },
    ]);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      name: 'in-group',
      path_with_namespace: `${group.path}/in-group`,
      permissions: {
        project_access: null,
        group_access: { access_level: 30, notification_level: 3 },
      },
    });
    expect(created.body).not.toHaveProperty('owner');
  });

  it('answers 400 to an unknown namespace and to names and paths that are taken', async () => {
    const { api: client } = await makeActor(app);
    await client.post('/projects', { name: 'Twin' }).expect(201);
    const taken = ['has already been taken'];

    const unknown = await client.post('/projects', { name: 'X', namespace_id: 999_999 });
    const both = await client.post('/projects', { name: 'twin' });
    const pathOnly = await client.post('/projects', { name: 'Other', path: 'TWIN' });

    expect([unknown.status, unknown.body]).toEqual([
      400,
      { message: { namespace: ['is not valid'] } },
    ]);
    expect([both.status, both.body]).toEqual([
      400,
      { message: { project_namespace: { name: taken }, name: taken, path: taken } },
    ]);
    expect([pathOnly.status, pathOnly.body]).toEqual([400, { message: { path: taken } }]);
  });

  it('lets one of two who want the same path at the same time have it', async () => {
    const { api: client } = await makeActor(app);
    const attempts = [1, 2, 3].map(() => client.post('/projects', { name: 'Race' }));

    const answers = await Promise.all(attempts);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  it.each([
    [{ name: 'x', path: '-x' }, 'path'],
    [{ path: 'x.git' }, 'path'],
    [{ path: 'a..b' }, 'path'],
    [{ name: '!', path: 'x' }, 'name'],
    [{ path: 'blob' }, 'path'],
    [{ name: 'x', default_branch: 'a..b' }, 'default_branch'],
  ])('answers 400 to %j with messages for %s', async (body, attribute) => {
    const { api: client } = await makeActor(app);
    const answer = await client.post('/projects', body).expect(400);
    expect(Object.keys((answer.body as { message: object }).message)).toEqual([attribute]);
  });

  it.each([
    [{}, 'name, path are missing, at least one parameter must be provided'],
    [{ name: 'x', visibility: 'secret' }, 'visibility does not have a valid value'],
    [{ name: 'x', namespace_id: 'x' }, 'namespace_id is invalid'],
    [{ name: 'x', initialize_with_readme: 'maybe' }, 'initialize_with_readme is invalid'],
    [{ name: 'x', wiki_access_level: 'private' }, 'wiki_access_level does not have a valid value'],
    [{ name: ['x'] }, 'name is invalid'],
  ])('answers 400 to %j', async (body, error) => {
    const { api: client } = await makeActor(app);
    const answer = await client.post('/projects', body).expect(400);
    expect(answer.body).toMatchObject({ error });
  });

  it('answers 401 without a token, 403 beyond the limit of projects', async () => {
    const { api: client } = await makeActor(app, { projectsLimit: 1 });
    await api(app.url).post('/projects', { name: 'X' }).expect(401);
    await client.post('/projects', { name: 'One' }).expect(201);

    const answer = await client.post('/projects', { name: 'Two' }).expect(403);

    expect(answer.body).toEqual({
      message:
        '403 Forbidden - Your project limit is 1 projects! Please contact your administrator to increase it',
    });
  });

  it('goes to the storage that an administrator names; from others the name is ignored', async () => {
    const [admin, user] = [await makeAdmin(app), await makeActor(app)];
    const body = { name: unique('stored'), repository_storage: 'storage2' };

    const chosen = await admin.api.post('/projects', body).expect(201);
    const ignored = await user.api.post('/projects', body).expect(201);
    const unknown = await admin.api
      .post('/projects', { name: 'X', repository_storage: 'nope' })
      .expect(400);

    const { id } = chosen.body as { id: number };
    expect(chosen.body).toMatchObject({ repository_storage: 'storage2' });
    expect(await bareRepositoryExists(repositoryPath(id, 'storage2'))).toBe(true);
    expect(ignored.body).not.toHaveProperty('repository_storage');
    expect(unknown.body).toEqual({
      message: { repository_storage: ['is not included in the list'] },
    });
  });

  it('is not stopped by a folder that was left without a row', async () => {
    const { api: client } = await makeActor(app);
    const rows: { last: number }[] = await app.dataSource.query(
      `SELECT coalesce(last_value, 0) AS last FROM pg_sequences WHERE sequencename = 'projects_id_seq'`,
    );
    for (const ahead of [1, 2, 3]) {
      await mkdir(`${repositoryPath(Number(rows[0]?.last) + ahead)}/objects`, { recursive: true });
    }

    const created = await client.post('/projects', { name: 'After' }).expect(201);

    const { id } = created.body as { id: number };
    expect(await headBranch(repositoryPath(id))).toBe('main');
  });

  it('creates for another user when an administrator asks', async () => {
    const [admin, actor, owner] = [await makeAdmin(app), await makeActor(app), await makeUser(app)];
    const path = `/projects/user/${owner.id}`;

    const created = await admin.api.post(path, { name: 'Gift' }).expect(201);
    const refused = await actor.api.post(path, { name: 'Gift' }).expect(403);
    await admin.api.post('/projects/user/999999', { name: 'Gift' }).expect(404);

    expect(created.body).toMatchObject({
      creator_id: owner.id,
      path_with_namespace: `${owner.username}/gift`,
      owner: { id: owner.id },
    });
    expect(refused.body).toEqual(FORBIDDEN);
  });
});

describe('GET /projects/:id', () => {
  it('shows strangers the basic form only', async () => {
    const group = await makeGroup(app, { visibility: 'public' });
    const project = await makeProject(app, { namespaceId: group.id, visibility: 'public' });

    const { body } = await api(app.url).get(`/projects/${project.id}`).expect(200);

    expect(Object.keys(body as object)).toEqual([
      'id',
      'description',
      'name',
      'name_with_namespace',
      'path',
      'path_with_namespace',
      'created_at',
      'default_branch',
      'tag_list',
      'topics',
      'ssh_url_to_repo',
      'http_url_to_repo',
      'web_url',
      'readme_url',
      'forks_count',
      'avatar_url',
      'star_count',
      'last_activity_at',
      'namespace',
    ]);
  });

  it('keeps the default branch from those who may not read the code', async () => {
    const guest = await makeActor(app);
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    await makeMember(app, { project, user: guest.user, role: 'guest' });

    const { body } = await guest.api.get(`/projects/${project.id}`).expect(200);

    expect(body).not.toHaveProperty('default_branch');
    expect(body).not.toHaveProperty('readme_url');
  });

  it('forgets a membership the day it expires', async () => {
    const actor = await makeActor(app);
    const project = await makeProject(app, { namespaceId: (await makeGroup(app)).id });
    const today = new Date().toISOString().slice(0, 10);
    await makeMember(app, { project, user: actor.user, role: 'owner', expiresAt: today });

    await actor.api.get(`/projects/${project.id}`).expect(404);
    expect((await actor.api.get('/projects?membership=true').expect(200)).body).toEqual([]);
  });

  it('takes only digits for an id and a bare word for nothing', async () => {
    const { api: client } = await makeActor(app);
    const notFound = { message: '404 Project Not Found' };
    for (const id of ['word', '42%2Fx', '999999', '99999999999999999999']) {
      expect((await client.get(`/projects/${id}`).expect(404)).body).toEqual(notFound);
    }
  });
});

describe('PUT /projects/:id', () => {
  it('changes what is given and keeps the rest', async () => {
    const { api: client, user } = await makeActor(app);
    const project = await makeProject(app, { namespaceId: user.namespaceId, description: 'Old' });

    const updated = await client
      .put(`/projects/${project.id}`, {
        topics: ['a', ' b ', 'a'],
        wiki_access_level: 'disabled',
        issues_enabled: false,
        visibility: 'public',
      })
      .expect(200);

    expect(updated.body).toMatchObject({
      description: 'Old',
      name: project.name,
      topics: ['a', 'b'],
      tag_list: ['a', 'b'],
      wiki_enabled: false,
      issues_enabled: false,
      visibility: 'public',
    });
  });

  it('renames; the old path redirects and the disk is not touched', async () => {
    const { api: client, user, token } = await makeActor(app);
    const project = await makeProject(app, {
      namespaceId: user.namespaceId,
      files: { 'a.txt': 'a' },
    });
    const old = encodeURIComponent(project.fullPath);

    const updated = await client.put(`/projects/${project.id}`, { path: 'fresh' }).expect(200);

    expect(updated.body).toMatchObject({ path_with_namespace: `${user.username}/fresh` });
    const moved = await client.get(`/projects/${old}/members?page=1&private_token=${token}`);
    const url = `${app.url}/api/v4/projects/${project.id}/members?page=1`;
    expect(moved.status).toBe(301);
    expect(moved.headers['location']).toBe(url);
    expect(moved.body).toEqual({ message: `This resource has been moved permanently to ${url}` });
    const changed = await client.put(`/projects/${old}`, { description: 'x' }).expect(405);
    expect(changed.body).toEqual({ message: 'Non GET methods are not allowed for moved projects' });
    expect(changed.headers['allow']).toBe('OPTIONS, GET, HEAD');
    await api(app.url).get(`/projects/${old}`).expect(404);
    expect(await bareRepositoryExists(repositoryPath(project.id))).toBe(true);
  });

  it('needs an Owner for name, path and visibility, a Maintainer for the rest', async () => {
    const [maintainer, developer] = [await makeActor(app), await makeActor(app)];
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    await makeMember(app, { project, user: maintainer.user, role: 'maintainer' });
    await makeMember(app, { project, user: developer.user, role: 'developer' });
    const path = `/projects/${project.id}`;

    await maintainer.api.put(path, { description: 'x' }).expect(200);
    for (const body of [{ name: 'x' }, { path: 'x' }, { visibility: 'private' }]) {
      await maintainer.api.put(path, body).expect(403);
    }
    expect((await developer.api.put(path, { description: 'x' }).expect(403)).body).toEqual(
      FORBIDDEN,
    );
  });

  it('answers 400 to nothing given, to clashes and to too much visibility', async () => {
    const owner = await makeActor(app);
    const group = await makeGroup(app);
    await makeMember(app, { group, user: owner.user, role: 'owner' });
    const [project, other] = [
      await makeProject(app, { namespaceId: group.id }),
      await makeProject(app, { namespaceId: group.id }),
    ];
    const subgroup = await makeGroup(app, { parentId: group.id });
    const path = `/projects/${project.id}`;
    const message = async (body: object): Promise<unknown> =>
      ((await owner.api.put(path, body).expect(400)).body as { message: unknown }).message;
    const taken = ['has already been taken'];

    expect(String(await message({}))).toContain('at least one parameter must be provided');
    expect(await message({ path: other.path })).toEqual({ path: taken });
    expect(await message({ path: subgroup.path })).toEqual({ path: taken });
    expect(await message({ name: other.name })).toEqual({
      project_namespace: { name: taken },
      name: taken,
    });
    expect(await message({ visibility: 'public' })).toEqual({
      visibility_level: ['public is not allowed in a private group.'],
    });
    expect(await message({ default_branch: 'bad..name' })).toEqual({
      default_branch: ['is invalid'],
    });
  });

  it('lets HEAD name another branch that exists', async () => {
    const { api: client, user } = await makeActor(app);
    const project = await makeProject(app, {
      namespaceId: user.namespaceId,
      files: { 'a.txt': 'a' },
    });
    const empty = await client.post('/projects', { name: 'Empty' }).expect(201);
    const { id } = empty.body as { id: number };

    const missing = await client.put(`/projects/${project.id}`, { default_branch: 'other' });
    const changed = await client.put(`/projects/${id}`, { default_branch: 'trunk' }).expect(200);

    expect([missing.status, missing.body]).toEqual([
      400,
      { message: { base: ["Could not change HEAD: branch 'other' does not exist"] } },
    ]);
    expect(changed.body).toMatchObject({ default_branch: 'trunk' });
    expect(await headBranch(repositoryPath(id))).toBe('trunk');
  });

  it('does not change the default branch of a repository that is being moved', async () => {
    const { api: client, user } = await makeActor(app);
    const project = await makeProject(app, {
      namespaceId: user.namespaceId,
      files: { 'a.txt': 'a' },
      repositoryReadOnly: true,
    });

    const answer = await client.put(`/projects/${project.id}`, { default_branch: 'x' }).expect(400);

    expect(answer.body).toEqual({
      message: 'The repository is temporarily read-only. Please try again later.',
    });
  });

  it('schedules a move for an administrator and ignores the storage from others', async () => {
    const [admin, owner] = [await makeAdmin(app), await makeActor(app)];
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const path = `/projects/${project.id}`;
    const moves = (): Promise<unknown[]> =>
      app.dataSource.query('SELECT 1 FROM project_repository_storage_moves WHERE project_id = $1', [
        project.id,
      ]);

    await owner.api.put(path, { repository_storage: 'storage2' }).expect(200);
    expect(await moves()).toHaveLength(0);
    await admin.api.put(path, { repository_storage: 'default' }).expect(200);
    expect(await moves()).toHaveLength(0);
    await admin.api.put(path, { repository_storage: 'storage2' }).expect(200);
    expect(await moves()).toHaveLength(1);
  });

  it('changes nothing when the wished move is impossible', async () => {
    const admin = await makeAdmin(app);
    const project = await makeProject(app, { namespaceId: admin.user.namespaceId });
    const path = `/projects/${project.id}`;
    const body = { description: 'New' };

    const unknown = await admin.api.put(path, { ...body, repository_storage: 'nope' }).expect(400);
    await app.dataSource.manager.update(Project, project.id, { repositoryReadOnly: true });
    const moving = await admin.api.put(path, { ...body, repository_storage: 'storage2' });

    expect(unknown.body).toEqual({
      message: { repository_storage: ['is not included in the list'] },
    });
    expect([moving.status, moving.body]).toEqual([400, { message: { project: ['is read-only'] } }]);
    const { body: shown } = await admin.api.get(path).expect(200);
    expect(shown).toMatchObject({ description: null });
  });

  it('leaves the default branch of an archived project alone', async () => {
    const { api: client, user } = await makeActor(app);
    const { namespaceId } = user;
    const project = await makeProject(app, { namespaceId, archived: true, files: { a: 'a' } });
    const path = `/projects/${project.id}`;
    const refused = await client.put(path, { default_branch: 'other' }).expect(403);
    expect(refused.body).toEqual(FORBIDDEN);
    await client.put(path, { default_branch: 'main', description: 'Kept' }).expect(200);
  });
});

describe('archiving and transferring', () => {
  it('marks and unmarks a project for its Owner', async () => {
    const [owner, maintainer] = [await makeActor(app), await makeActor(app)];
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    await makeMember(app, { project, user: maintainer.user, role: 'maintainer' });
    const path = `/projects/${project.id}`;

    const archived = await owner.api.post(`${path}/archive`).expect(201);
    expect(archived.body).toMatchObject({ id: project.id, archived: true });
    await maintainer.api.post(`${path}/unarchive`).expect(403);
    const again = await owner.api.post(`${path}/unarchive`).expect(201);
    expect(again.body).toMatchObject({ archived: false });
  });

  it('gives a project another namespace, by id or path; the old path redirects', async () => {
    const owner = await makeActor(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const group = await makeGroup(app);
    await makeMember(app, { group, user: owner.user, role: 'developer' });
    const path = `/projects/${project.id}/transfer`;

    const there = await owner.api.put(path, { namespace: group.path }).expect(200);
    expect(there.body).toMatchObject({ path_with_namespace: `${group.path}/${project.path}` });
    await owner.api.get(`/projects/${encodeURIComponent(project.fullPath)}`).expect(301);
    await owner.api.put(path, { namespace: owner.user.namespaceId }).expect(403);
    const admin = await makeAdmin(app);
    const back = await admin.api.put(path, { namespace: owner.user.namespaceId }).expect(200);
    expect(back.body).toMatchObject({ path_with_namespace: project.fullPath });
    await owner.api.get(`/projects/${encodeURIComponent(project.fullPath)}`).expect(200);
  });

  it('answers 400 on a clash and 404 for a namespace that cannot be used', async () => {
    const owner = await makeActor(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const group = await makeGroup(app);
    await makeMember(app, { group, user: owner.user, role: 'owner' });
    await makeProject(app, { namespaceId: group.id, path: project.path });
    const path = `/projects/${project.id}/transfer`;

    const clash = await owner.api.put(path, { namespace: group.id }).expect(400);
    const unseen = await owner.api.put(path, { namespace: (await makeGroup(app)).id }).expect(404);
    await owner.api.put(path).expect(400);

    expect(clash.body).toEqual({
      message: 'Project with same name or path in target namespace already exists',
    });
    expect(unseen.body).toEqual({ message: '404 Namespace Not Found' });
  });
});

describe('GET /projects/:id/transfer_locations', () => {
  it('lists the groups in which the viewer can create projects, without the current one', async () => {
    const owner = await makeActor(app);
    const [current, target, reported] = [
      await makeGroup(app),
      await makeGroup(app, { name: 'Warp and weft' }),
      await makeGroup(app, { visibility: 'public' }),
    ];
    await makeMember(app, { group: current, user: owner.user, role: 'owner' });
    await makeMember(app, { group: target, user: owner.user, role: 'developer' });
    await makeMember(app, { group: reported, user: owner.user, role: 'reporter' });
    const project = await makeProject(app, { namespaceId: current.id });
    const path = `/projects/${project.id}/transfer_locations`;
    const { body } = await owner.api.get(path).expect(200);
    expect(body).toEqual([
      {
        id: target.id,
        web_url: `${app.url}/groups/${target.fullPath}`,
        name: target.name,
        avatar_url: null,
        full_name: target.name,
        full_path: target.fullPath,
      },
    ]);
    expect((await owner.api.get(`${path}?search=weft`)).body).toHaveLength(1);
    expect((await owner.api.get(`${path}?search=nothing`)).body).toEqual([]);
    const maintainer = await makeActor(app);
    await makeMember(app, { project, user: maintainer.user, role: 'maintainer' });
    await maintainer.api.get(path).expect(403);
  });
});

describe('DELETE /projects/:id', () => {
  it('answers 202 and hides the project at once', async () => {
    const owner = await makeActor(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });

    const answer = await owner.api.delete(`/projects/${project.id}`).expect(202);

    expect(answer.body).toEqual({ message: '202 Accepted' });
    await owner.api.get(`/projects/${project.id}`).expect(404);
    await owner.api.get(`/projects/${encodeURIComponent(project.fullPath)}`).expect(404);
    expect((await owner.api.get('/projects?owned=true')).body).toEqual([]);
    const admin = await makeAdmin(app);
    const pending = await admin.api.get(
      `/projects?include_pending_delete=true&search=${project.path}`,
    );
    expect(pending.body).toMatchObject([{ id: project.id }]);
  });

  it('answers 409 while the project or a snippet of it is being moved', async () => {
    const owner = await makeActor(app);
    const { namespaceId } = owner.user;
    const [moving, related] = [
      await makeProject(app, { namespaceId }),
      await makeProject(app, { namespaceId }),
    ];
    await app.dataSource.query(
      `INSERT INTO project_repository_storage_moves
         (project_id, state, source_storage_name, destination_storage_name)
       VALUES ($1, 'scheduled', 'default', 'storage2')`,
      [moving.id],
    );
    await app.dataSource.query(
      `WITH s AS (INSERT INTO snippets (project_id, author_id, title, repository_storage)
         VALUES ($1, $2, 't', 'default') RETURNING id)
       INSERT INTO snippet_repository_storage_moves
         (snippet_id, state, source_storage_name, destination_storage_name)
       SELECT id, 'started', 'default', 'storage2' FROM s`,
      [related.id, owner.user.id],
    );

    const first = await owner.api.delete(`/projects/${moving.id}`).expect(409);
    const second = await owner.api.delete(`/projects/${related.id}`).expect(409);

    expect(first.body).toEqual({
      message:
        "Couldn't remove the project. A project repository storage move is in progress. Try again when it's complete.",
    });
    expect(second.body).toEqual({
      message:
        "Couldn't remove the project. A related snippet repository storage move is in progress. Try again when it's complete.",
    });
    const kept = await app.dataSource.manager.findOneByOrFail(Project, { id: moving.id });
    expect(kept.pendingDelete).toBe(false);
  });
});
