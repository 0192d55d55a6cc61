import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeActor, makeAdmin, makeToken, unique, type MadeActor } from '../support/factories.js';
import {
  makeMovableGroup,
  makeMovableProject,
  makeMovableSnippet,
  makeProjectRow,
} from '../support/storage-move-factories.js';

const ISO = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const LISTS = [
  '/project_repository_storage_moves',
  '/snippet_repository_storage_moves',
  '/group_repository_storage_moves',
];

// No worker runs in this file: every move stays as it was scheduled.
describe('the endpoints of storage moves', () => {
  let app: OwnTestApp;
  let admin: MadeActor;
  let user: MadeActor;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await makeAdmin(app);
    user = await makeActor(app);
  });

  afterAll(() => app.close());

  const expectedMove = (id: number): Record<string, unknown> => ({
    id,
    created_at: ISO,
    state: 'scheduled',
    source_storage_name: 'default',
    destination_storage_name: 'storage2',
    error_message: null,
    updated_at: ISO,
    started_at: null,
    finished_at: null,
    attempts: 0,
    phase: 'queued',
    bytes_total: null,
    bytes_copied: 0,
    bytes_per_second: null,
    eta_seconds: null,
    read_only_seconds: expect.any(Number),
    checksum: null,
  });

  describe.each(LISTS)('GET %s', (path) => {
    it('answers an empty list when there is none', async () => {
      const empty = await startTestApp();
      try {
        const response = await (await makeAdmin(empty)).api.get(path).expect(200);
        expect(response.body).toEqual([]);
        expect(response.headers).toMatchObject({ 'x-total': '0', 'x-per-page': '20' });
      } finally {
        await empty.close();
      }
    });

    it('is for administrators only', async () => {
      const anonymous = await api(app.url).get(path).expect(401);
      expect(anonymous.body).toEqual({ message: '401 Unauthorized' });
      const refused = await user.api.get(path).expect(403);
      expect(refused.body).toEqual({ message: '403 Forbidden' });
    });

    it('refuses a move ID that is not an integer and an unknown one', async () => {
      const invalid = await admin.api.get(`${path}/abc`).expect(400);
      expect(invalid.body).toMatchObject({ error: 'repository_storage_move_id is invalid' });
      const unknown = await admin.api.get(`${path}/999999`).expect(404);
      expect(unknown.body).toEqual({ message: '404 Not found' });
    });
  });

  it.each([
    ['/projects', '404 Project Not Found'],
    ['/snippets', '404 Snippet Not Found'],
    ['/groups', '404 Group Not Found'],
  ])('hides from users whether something exists below %s', async (path, message) => {
    await user.api.get(`${path}/999999/repository_storage_moves`).expect(403);
    const response = await admin.api.get(`${path}/999999/repository_storage_moves`).expect(404);
    expect(response.body).toEqual({ message });
    await admin.api.post(`${path}/999999/repository_storage_moves`).expect(404);
  });

  it('lets a token with read_api read and not schedule', async () => {
    const token = await makeToken(app, admin.user, { scopes: ['read_api'] });
    const project = await makeProjectRow(app, user.user);
    const path = `/projects/${project.id}/repository_storage_moves`;
    await api(app.url, token).get(path).expect(200);
    const refused = await api(app.url, token).post(path).expect(403);
    expect(refused.body).toMatchObject({ error: 'insufficient_scope' });
  });

  it('schedules a project by id and makes it read-only', async () => {
    const project = await makeMovableProject(app, user.user, { description: 'About' });
    const response = await admin.api
      .post(`/projects/${project.id}/repository_storage_moves`, {
        destination_storage_name: 'storage2',
      })
      .expect(201);
    expect(response.body).toEqual({
      ...expectedMove(response.body.id),
      project: {
        id: project.id,
        description: 'About',
        name: project.name,
        name_with_namespace: `${user.user.name} / ${project.name}`,
        path: project.path,
        path_with_namespace: `${user.user.username}/${project.path}`,
        created_at: ISO,
      },
    });
    const rows = await app.dataSource.query<object[]>(
      'SELECT repository_read_only, read_only_move_id FROM projects WHERE id = $1',
      [project.id],
    );
    expect(rows).toEqual([{ repository_read_only: true, read_only_move_id: response.body.id }]);
    await expectAudit('storage_move_scheduled', project.id);
  });

  async function expectAudit(action: string, targetId: number): Promise<void> {
    const rows = await app.dataSource.query<object[]>(
      'SELECT author_id FROM audit_events WHERE action = $1 AND target_id = $2',
      [action, targetId],
    );
    expect(rows).toEqual([{ author_id: admin.user.id }]);
  }

  it('schedules a project by its full path', async () => {
    const project = await makeMovableProject(app, user.user);
    const path = encodeURIComponent(`${user.user.username}/${project.path}`);
    const response = await admin.api
      .post(`/projects/${path}/repository_storage_moves`)
      .send('destination_storage_name=storage2')
      .expect(201);
    expect(response.body.project.id).toBe(project.id);
    const single = `/projects/${path}/repository_storage_moves/${response.body.id}`;
    expect((await admin.api.get(single).expect(200)).body).toMatchObject({ id: response.body.id });
  });

  it('sends readers from a path of old to the new one and takes no orders there', async () => {
    const project = await makeMovableProject(app, user.user);
    const group = await makeMovableGroup(app);
    const newPath = unique('renamed');
    await admin.api.put(`/projects/${project.id}`, { path: newPath }).expect(200);
    await admin.api.put(`/groups/${group.id}`, { path: `${newPath}-group` }).expect(200);
    const old = encodeURIComponent(`${user.user.username}/${project.path}`);
    const olds = [
      [`/projects/${old}/repository_storage_moves`, `/projects/${project.id}`],
      [`/groups/${group.path}/repository_storage_moves`, `/groups/${group.id}`],
    ] as const;
    for (const [path, address] of olds) {
      const moved = await admin.api.get(`${path}?state=failed`).expect(301);
      const location = `${app.url}/api/v4${address}/repository_storage_moves?state=failed`;
      expect(moved.headers['location']).toBe(location);
      const destination = { destination_storage_name: 'storage2' };
      await admin.api.post(path, destination).expect(405);
      await user.api.get(path).expect(403);
    }
  });

  it('schedules a snippet and a group with what they show of themselves', async () => {
    const snippet = await makeMovableSnippet(app, user.user);
    const group = await makeMovableGroup(app);
    const destination = { destination_storage_name: 'storage2' };
    const ofSnippet = await admin.api
      .post(`/snippets/${snippet.id}/repository_storage_moves`, destination)
      .expect(201);
    expect(ofSnippet.body).toEqual({
      ...expectedMove(ofSnippet.body.id),
      snippet: {
        id: snippet.id,
        title: snippet.title,
        description: null,
        visibility: 'private',
        author: {
          id: user.user.id,
          username: user.user.username,
          name: user.user.name,
          state: 'active',
          locked: false,
          avatar_url: null,
          web_url: `${app.url}/${user.user.username}`,
        },
        created_at: ISO,
        updated_at: ISO,
        project_id: null,
        web_url: `${app.url}/-/snippets/${snippet.id}`,
        raw_url: `${app.url}/-/snippets/${snippet.id}/raw`,
        ssh_url_to_repo: null,
        http_url_to_repo: `${app.url}/snippets/${snippet.id}.git`,
      },
    });
    const ofGroup = await admin.api
      .post(`/groups/${group.path}/repository_storage_moves`, destination)
      .expect(201);
    expect(ofGroup.body).toEqual({
      ...expectedMove(ofGroup.body.id),
      group: { id: group.id, web_url: `${app.url}/groups/${group.path}`, name: group.path },
    });
    expect((await admin.api.get('/snippet_repository_storage_moves')).body).toHaveLength(1);
    expect((await admin.api.get('/group_repository_storage_moves')).body).toHaveLength(1);
    await admin.api.get('/snippets/abc/repository_storage_moves').expect(400);
  });

  it('refuses a second move while the container is read-only', async () => {
    const project = await makeMovableProject(app, user.user);
    const path = `/projects/${project.id}/repository_storage_moves`;
    await admin.api.post(path, { destination_storage_name: 'storage2' }).expect(201);
    const second = await admin.api.post(path, { destination_storage_name: 'storage2' }).expect(400);
    expect(second.body).toEqual({ message: { project: ['is read-only'] } });
    expect((await admin.api.get(path)).body).toHaveLength(1);
  });

  it('lets one of many simultaneous requests win', async () => {
    const project = await makeMovableProject(app, user.user);
    const path = `/projects/${project.id}/repository_storage_moves`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        admin.api.post(path, { destination_storage_name: 'storage2' }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
  });

  it.each([
    ['nope', ['is not included in the list']],
    ['', ["can't be blank", 'is not included in the list']],
  ])('refuses the destination %j and leaves the project writable', async (name, messages) => {
    const project = await makeMovableProject(app, user.user);
    const response = await admin.api
      .post(`/projects/${project.id}/repository_storage_moves`, { destination_storage_name: name })
      .expect(400);
    expect(response.body).toEqual({ message: { destination_storage_name: messages } });
    const [row] = await app.dataSource.query<{ repository_read_only: boolean }[]>(
      'SELECT repository_read_only FROM projects WHERE id = $1',
      [project.id],
    );
    expect(row?.repository_read_only).toBe(false);
  });

  it('refuses a destination that is no text', async () => {
    const project = await makeMovableProject(app, user.user);
    const response = await admin.api
      .post(`/projects/${project.id}/repository_storage_moves`, { destination_storage_name: {} })
      .expect(400);
    expect(response.body).toMatchObject({ error: 'destination_storage_name is invalid' });
  });

  it('names every failing check at once', async () => {
    const project = await makeProjectRow(app, user.user, {
      repositoryStorage: 'gone',
      repositoryReadOnly: true,
    });
    const response = await admin.api
      .post(`/projects/${project.id}/repository_storage_moves`, {
        destination_storage_name: 'nope',
      })
      .expect(400);
    expect(response.body).toEqual({
      message: {
        source_storage_name: ['is not included in the list'],
        destination_storage_name: ['is not included in the list'],
        project: ['is read-only'],
      },
    });
  });

  it('draws the destination by weight and never the source', async () => {
    const onStorage2 = await makeProjectRow(app, user.user, { repositoryStorage: 'storage2' });
    const drawn = await admin.api.post(`/projects/${onStorage2.id}/repository_storage_moves`);
    expect(drawn.body.destination_storage_name).toBe('default');
    const project = await makeProjectRow(app, user.user);
    const none = await admin.api
      .post(`/projects/${project.id}/repository_storage_moves`, { destination_storage_name: null })
      .expect(400);
    expect(none.body).toEqual({ message: { destination_storage_name: ["can't be blank"] } });
  });

  it('lists the moves of one container newest first and page by page', async () => {
    const project = await makeProjectRow(app, user.user);
    const ids = await insertFinishedMoves(project.id, 3);
    const path = `/projects/${project.id}/repository_storage_moves`;
    const all = await admin.api.get(path).expect(200);
    expect(all.body.map(({ id }: { id: number }) => id)).toEqual([...ids].reverse());
    const second = await admin.api.get(`${path}?per_page=1&page=2`).expect(200);
    expect(second.body.map(({ id }: { id: number }) => id)).toEqual([ids[1]]);
    expect(second.headers).toMatchObject({ 'x-next-page': '3', 'x-prev-page': '1' });
    expect(second.headers['link']?.match(/rel="/g)).toHaveLength(4);
  });

  async function insertFinishedMoves(projectId: number, count: number): Promise<number[]> {
    const rows = await app.dataSource.query<{ id: number }[]>(
      `INSERT INTO project_repository_storage_moves
         (project_id, state, source_storage_name, destination_storage_name)
       SELECT $1, 'finished', 'default', 'storage2' FROM generate_series(1, $2) RETURNING id`,
      [projectId, count],
    );
    return rows.map(({ id }) => id);
  }

  it('filters lists by state and storages', async () => {
    const project = await makeProjectRow(app, user.user);
    await insertFinishedMoves(project.id, 1);
    const path = `/projects/${project.id}/repository_storage_moves`;
    expect((await admin.api.get(`${path}?state=finished`)).body).toHaveLength(1);
    expect((await admin.api.get(`${path}?state=failed`)).body).toHaveLength(0);
    expect((await admin.api.get(`${path}?source_storage_name=storage2`)).body).toHaveLength(0);
    const invalid = await admin.api.get(`${path}?state=bogus`).expect(400);
    expect(invalid.body).toMatchObject({ error: 'state does not have a valid value' });
  });

  it('shows a move only below its own container', async () => {
    const [one, other] = [
      await makeProjectRow(app, user.user),
      await makeProjectRow(app, user.user),
    ];
    const [move] = await insertFinishedMoves(one.id, 1);
    await admin.api.get(`/projects/${one.id}/repository_storage_moves/${move}`).expect(200);
    const response = await admin.api
      .get(`/projects/${other.id}/repository_storage_moves/${move}`)
      .expect(404);
    expect(response.body).toEqual({ message: '404 Not found' });
  });

  it.each([
    [{}, 'source_storage_name is missing, source_storage_name does not have a valid value'],
    [{ source_storage_name: 'nope' }, 'source_storage_name does not have a valid value'],
    [
      { source_storage_name: 'default', destination_storage_name: 'nope' },
      'destination_storage_name does not have a valid value',
    ],
  ])('refuses the bulk request %j', async (body, error) => {
    for (const path of LISTS) {
      const response = await admin.api.post(path, body).expect(400);
      expect(response.body).toMatchObject({ error, message: expect.any(String) });
    }
  });

  it('accepts a bulk request without making rows in it', async () => {
    const response = await admin.api
      .post('/project_repository_storage_moves', {
        source_storage_name: 'default',
        destination_storage_name: 'storage2',
      })
      .expect(202);
    expect(response.body).toEqual({ message: '202 Accepted' });
    const batches = await app.dataSource.query<object[]>(
      `SELECT kind, source_storage_name, destination_storage_name, created_by_id, finished_at
       FROM storage_move_batches`,
    );
    expect(batches).toEqual([
      {
        kind: 'project',
        source_storage_name: 'default',
        destination_storage_name: 'storage2',
        created_by_id: admin.user.id,
        finished_at: null,
      },
    ]);
  });

  it('predicts a move without scheduling it', async () => {
    const project = await makeMovableProject(app, user.user);
    const path = `/projects/${project.id}/repository_storage_moves`;
    const response = await admin.api
      .post(path, { destination_storage_name: 'storage2', dry_run: true })
      .expect(200);
    expect(response.body).toEqual({
      dry_run: true,
      source_storage_name: 'default',
      destination_storage_name: 'storage2',
      repositories: [{ kind: 'project', bytes: expect.any(Number), files: expect.any(Number) }],
      bytes_total: response.body.repositories[0].bytes,
      file_count: response.body.repositories[0].files,
      estimated_seconds: expect.any(Number),
      blockers: [],
    });
    expect(response.body.bytes_total).toBeGreaterThan(100);
    const refused = await admin.api.post(path, { destination_storage_name: 'x', dry_run: 'true' });
    expect(refused.body.blockers).toEqual(['destination_storage_name is not included in the list']);
    expect((await admin.api.get(path)).body).toEqual([]);
    const bulk = await admin.api
      .post('/group_repository_storage_moves', { source_storage_name: 'storage2', dry_run: true })
      .expect(200);
    expect(bulk.body).toMatchObject({ dry_run: true, containers: 0, busy: 0 });
  });

  it("lists the storages' blockers before a move", async () => {
    const project = await makeProjectRow(app, user.user, { emptyRepo: false });
    const storage = '/storage_moves/storages/storage2';
    await admin.api.put(storage, { paused: true }).expect(200);
    const wish = { destination_storage_name: 'storage2', dry_run: true };
    const path = `/projects/${project.id}/repository_storage_moves`;
    const { body } = await admin.api.post(path, wish).expect(200);
    await admin.api.put(storage, { paused: false }).expect(200);
    expect(body.blockers).toEqual([
      'Source repository is missing on storage default',
      'Storage storage2 is paused',
    ]);
  });

  it('cancels a waiting move at once and frees the project', async () => {
    const project = await makeMovableProject(app, user.user);
    const path = `/projects/${project.id}/repository_storage_moves`;
    const destination = { destination_storage_name: 'storage2' };
    const { body: move } = await admin.api.post(path, destination).expect(201);
    const one = `/project_repository_storage_moves/${move.id}`;
    await user.api.post(`${one}/cancel`).expect(403);
    const cancelled = await admin.api.post(`${one}/cancel`).expect(200);
    expect(cancelled.body).toMatchObject({
      state: 'failed',
      error_message: `Cancelled by ${admin.user.username}`,
    });
    const again = await admin.api.post(`${one}/cancel`).expect(409);
    expect(again.body).toEqual({ message: 'The move can no longer be cancelled: it is failed' });
    await admin.api.post('/project_repository_storage_moves/999999/cancel').expect(404);
    const retried = await admin.api.post(`${one}/retry`).expect(201);
    expect(retried.body).toMatchObject({ state: 'scheduled', ...destination });
    expect(retried.body.id).not.toBe(move.id);
    const refused = await admin.api
      .post(`/project_repository_storage_moves/${retried.body.id}/retry`)
      .expect(409);
    expect(refused.body).toEqual({ message: 'Only a failed move can be retried' });
  });

  it('shows and sets the limits of a storage', async () => {
    const defaults = await admin.api.get('/storage_moves/storages/storage2').expect(200);
    expect(defaults.body).toEqual({
      name: 'storage2',
      weight: 0,
      paused: false,
      max_in: 2,
      max_out: 1,
      bytes_per_second: null,
      blocked_until: null,
    });
    const changes = { paused: true, max_in: 4, bytes_per_second: 1_000_000 };
    const changed = await admin.api.put('/storage_moves/storages/storage2', changes).expect(200);
    expect(changed.body).toEqual({ ...defaults.body, ...changes });
    const back = { paused: false, bytes_per_second: null };
    await admin.api.put('/storage_moves/storages/storage2', back).expect(200);
    expect((await admin.api.get('/storage_moves/storages/storage2')).body).toEqual({
      ...defaults.body,
      max_in: 4,
    });
    await admin.api.put('/storage_moves/storages/storage2', { max_out: 0 }).expect(400);
    await admin.api.put('/storage_moves/storages/storage2', { max_out: 1_000 }).expect(400);
    const unknown = { max_out: 0, weight: 50, max: 3 };
    const { body } = await admin.api.put('/storage_moves/storages/storage2', unknown).expect(400);
    expect(body.error).toBe('max_out has a value not allowed, weight is unknown, max is unknown');
    await admin.api.put('/storage_moves/storages/nope', {}).expect(404);
    await user.api.put('/storage_moves/storages/storage2', {}).expect(403);
  });

  it('sums up what lies and moves on each storage', async () => {
    const response = await admin.api.get('/storage_moves/summary').expect(200);
    expect(response.body.map(({ name }: { name: string }) => name)).toEqual([
      'default',
      'storage2',
    ]);
    expect(response.body[1]).toEqual({
      name: 'storage2',
      weight: 0,
      paused: false,
      max_in: expect.any(Number),
      max_out: 1,
      bytes_per_second: null,
      blocked_until: null,
      containers: { project: expect.any(Number), snippet: 0, group: 0 },
      incoming: expect.any(Object),
      outgoing: expect.any(Object),
      bytes_left: 0,
      measured_bytes_per_second: null,
      eta_seconds: null,
      repositories_in_trash: 0,
    });
    await user.api.get('/storage_moves/summary').expect(403);
  });
});
