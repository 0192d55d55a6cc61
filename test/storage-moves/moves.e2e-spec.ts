import { existsSync, lstatSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import {
  holdAt,
  moveRow,
  passAll,
  projectPageContext,
  untilState,
} from '../support/move-control.js';
import {
  git,
  makeMovableGroup,
  makeMovableProject,
  makeMovableSnippet,
  makeProjectRow,
  makeRepository,
  referencesOf,
  repositoryPath,
} from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';

describe('a storage move', () => {
  let app: OwnTestApp;
  let worker: INestApplicationContext;
  let admin: MadeActor;
  let user: MadeActor;

  beforeAll(async () => {
    app = await startTestApp();
    worker = await startTestWorker(app, { moveDrainSeconds: 1 });
    admin = await makeAdmin(app);
    user = await makeActor(app);
    const limits = { max_in: 8, max_out: 8 };
    await admin.api.put('/storage_moves/storages/default', limits).expect(200);
    await admin.api.put('/storage_moves/storages/storage2', limits).expect(200);
  });

  afterEach(() => passAll(worker));

  afterAll(async () => {
    await worker.close();
    await app.close();
  });

  const schedule = async (projectId: number, destination = 'storage2'): Promise<number> => {
    const response = await admin.api
      .post(`/projects/${projectId}/repository_storage_moves`, {
        destination_storage_name: destination,
      })
      .expect(201);
    return response.body.id as number;
  };

  const pathOn = (storage: string, containerId: number): string =>
    repositoryPath(app, storage, { kind: 'project', containerId });

  const filesIn = (storage: string, folder: string): Promise<string[]> =>
    readdir(join(app.config.storages[storage]?.path ?? '', '+svc', folder));

  it('brings a project to the other storage, whole and writable', async () => {
    const project = await makeMovableProject(app, user.user);
    const source = pathOn('default', project.id);
    const before = await referencesOf(source);

    const id = await schedule(project.id);
    await untilState(app, id, 'finished');

    const target = pathOn('storage2', project.id);
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'storage2',
      readOnly: false,
    });
    expect(existsSync(source)).toBe(false);
    expect(existsSync(join(target, 'svc-move.json'))).toBe(false);
    expect(await referencesOf(target)).toBe(before);
    await git(['-C', target, 'fsck', '--full', '--strict']);
    const { body } = await admin.api.get(`/project_repository_storage_moves/${id}`).expect(200);
    expect(body).toMatchObject({
      state: 'finished',
      phase: 'done',
      attempts: 1,
      error_message: null,
      checksum: expect.stringMatching(/^[0-9a-f]{40}$/),
      started_at: expect.any(String),
      finished_at: expect.any(String),
    });
    expect(body.bytes_copied).toBeGreaterThan(0);
    expect(body.bytes_total).toBe(body.bytes_copied);
    expect(await filesIn('storage2', 'tmp')).toEqual([]);
  });

  it('reports the throughput and the remaining time of a copy', async () => {
    const project = await makeMovableProject(app, user.user);
    const storage = '/storage_moves/storages/storage2';
    await admin.api.put(storage, { bytes_per_second: 100 }).expect(200);
    try {
      const path = `/project_repository_storage_moves/${await schedule(project.id)}`;
      await eventually(async () => {
        const { body } = await admin.api.get(path).expect(200);
        expect(body).toMatchObject({ state: 'started', phase: 'copying' });
        expect(body.bytes_per_second).toBeGreaterThan(0);
        const left = body.bytes_total - body.bytes_copied;
        expect(body.eta_seconds).toBe(Math.ceil(left / body.bytes_per_second));
      });
      await admin.api.post(`${path}/cancel`).expect(200);
      await eventually(async () => {
        const { body } = await admin.api.get(path).expect(200);
        expect(body).toMatchObject({ state: 'failed', eta_seconds: null });
      });
    } finally {
      await admin.api.put(storage, { bytes_per_second: null }).expect(200);
    }
  });

  it('applies a limit changed while it copies', async () => {
    const project = await makeMovableProject(app, user.user);
    const storage = '/storage_moves/storages/storage2';
    await admin.api.put(storage, { bytes_per_second: 1 }).expect(200);
    try {
      const id = await schedule(project.id);
      await eventually(async () => {
        const { body } = await admin.api.get(`/project_repository_storage_moves/${id}`).expect(200);
        expect(body).toMatchObject({ phase: 'copying', bytes_total: expect.any(Number) });
        expect(body.bytes_copied).toBeLessThan(body.bytes_total);
      });
      await admin.api.put(storage, { bytes_per_second: null }).expect(200);
      await untilState(app, id, 'finished');
    } finally {
      await admin.api.put(storage, { bytes_per_second: null }).expect(200);
    }
  });

  it('keeps the source in the trash with a row that records its expiry', async () => {
    const project = await makeMovableProject(app, user.user);
    const id = await schedule(project.id);
    await untilState(app, id, 'finished');
    const rows = await app.dataSource.query<{ path: string; hours: number }[]>(
      `SELECT path, round(extract(epoch FROM delete_after - now()) / 3600)::int AS hours
       FROM repository_trash WHERE storage = 'default' AND reason = $1`,
      [`project-${id} moved`],
    );
    expect(rows).toEqual([{ path: expect.stringContaining('+svc/trash/'), hours: 24 }]);
    expect(existsSync(join(app.config.storages['default']?.path ?? '', rows[0]?.path ?? ''))).toBe(
      true,
    );
  });

  it('passes through its states in order', async () => {
    const project = await makeMovableProject(app, user.user);
    const beforeSwitch = holdAt(worker, 'switch.before');
    const id = await schedule(project.id);
    await beforeSwitch.reached;
    expect(await moveRow(app, id)).toMatchObject({ state: 'started' });
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'default',
      readOnly: true,
    });
    const cleaning = holdAt(worker, 'clean-up.before-trash');
    beforeSwitch.release();
    await cleaning.reached;
    expect(await moveRow(app, id)).toMatchObject({ state: 'replicated' });
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'storage2',
      readOnly: false,
    });
    cleaning.release();
    await untilState(app, id, 'finished');
  });

  it('leaves everything where it is when source and destination are the same', async () => {
    const project = await makeMovableProject(app, user.user);
    const path = pathOn('default', project.id);
    const { ino } = lstatSync(path);
    const id = await schedule(project.id, 'default');
    await untilState(app, id, 'finished');
    expect(lstatSync(path).ino).toBe(ino);
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'default',
      readOnly: false,
    });
  });

  it('moves the wiki and the design repository along', async () => {
    const project = await makeMovableProject(app, user.user);
    const kinds = ['project', 'wiki', 'design'] as const;
    await makeRepository(app, { kind: 'wiki', containerId: project.id });
    await makeRepository(app, { kind: 'design', containerId: project.id });
    await untilState(app, await schedule(project.id), 'finished');
    for (const kind of kinds) {
      const repository = { kind, containerId: project.id };
      expect(existsSync(repositoryPath(app, 'default', repository))).toBe(false);
      await git(['-C', repositoryPath(app, 'storage2', repository), 'fsck', '--full']);
    }
  });

  it('finishes for a project without any repository', async () => {
    const project = await makeProjectRow(app, user.user);
    await untilState(app, await schedule(project.id), 'finished');
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'storage2',
      readOnly: false,
    });
  });

  it('fails when the repository that must be there is not', async () => {
    const project = await makeProjectRow(app, user.user, { emptyRepo: false });
    const move = await untilState(app, await schedule(project.id), 'failed');
    expect(move.error_message).toBe('Source repository is missing on storage default');
  });

  it('moves an archived project, which stays archived', async () => {
    const project = await makeMovableProject(app, user.user, { archived: true });
    await untilState(app, await schedule(project.id), 'finished');
    const rows = await app.dataSource.query<object[]>(
      'SELECT archived, repository_storage FROM projects WHERE id = $1',
      [project.id],
    );
    expect(rows).toEqual([{ archived: true, repository_storage: 'storage2' }]);
  });

  it('moves snippets and group wikis', async () => {
    const snippet = await makeMovableSnippet(app, user.user);
    const group = await makeMovableGroup(app);
    const project = await makeProjectRow(app, user.user, { namespaceId: group.id });
    const destination = { destination_storage_name: 'storage2' };
    const paths = [`/snippets/${snippet.id}`, `/groups/${group.id}`];
    for (const path of paths) {
      const moves = `${path}/repository_storage_moves`;
      await admin.api.post(moves, destination).expect(201);
      await eventually(async () => {
        const { body } = await admin.api.get(moves);
        expect(body[0]).toMatchObject({ state: 'finished' });
      });
    }
    const target = { kind: 'snippet', containerId: snippet.id } as const;
    await git(['-C', repositoryPath(app, 'storage2', target), 'fsck', '--full']);
    const wiki = { kind: 'group-wiki', containerId: group.id } as const;
    await git(['-C', repositoryPath(app, 'storage2', wiki), 'fsck', '--full']);
    expect(await projectPageContext(app, project.id)).toMatchObject({ storage: 'default' });
  });

  it('goes there and back again', async () => {
    const project = await makeMovableProject(app, user.user);
    const before = await referencesOf(pathOn('default', project.id));
    await untilState(app, await schedule(project.id), 'finished');
    await untilState(app, await schedule(project.id, 'default'), 'finished');
    expect(await referencesOf(pathOn('default', project.id))).toBe(before);
    expect(existsSync(pathOn('storage2', project.id))).toBe(false);
  });

  it('puts a stranger at the destination into the trash', async () => {
    const project = await makeMovableProject(app, user.user);
    const target = pathOn('storage2', project.id);
    await mkdir(target, { recursive: true });
    await writeFile(join(target, 'precious'), 'somebody needs this');
    const id = await schedule(project.id);
    await untilState(app, id, 'finished');
    await git(['-C', target, 'fsck', '--full']);
    const rows = await app.dataSource.query<{ path: string }[]>(
      `SELECT path FROM repository_trash WHERE storage = 'storage2' AND reason = 'unexpected destination'`,
    );
    const root = app.config.storages['storage2']?.path ?? '';
    expect(existsSync(join(root, rows[0]?.path ?? '', 'precious'))).toBe(true);
  });

  it('waits for a running push and takes its commit along', async () => {
    const project = await makeMovableProject(app, user.user);
    await insertWrite(project.id, 'now()');
    const id = await schedule(project.id);
    await untilState(app, id, 'started');
    const source = pathOn('default', project.id);
    await git(['-C', source, 'update-ref', 'refs/heads/late', 'refs/heads/main']);
    await app.dataSource.query('DELETE FROM inflight_writes WHERE container_id = $1', [project.id]);
    await untilState(app, id, 'finished');
    await git(['-C', pathOn('storage2', project.id), 'rev-parse', 'refs/heads/late']);
  });

  async function insertWrite(projectId: number, heartbeatAt: string): Promise<void> {
    await app.dataSource.query(
      `INSERT INTO inflight_writes
         (id, repository_key, repository_kind, container_id, instance, heartbeat_at)
       VALUES (gen_random_uuid(), 'wiki-' || $1::bigint, 'wiki', $1::bigint, 'test', ${heartbeatAt})`,
      [projectId],
    );
  }

  it('gives up when a push does not end and leaves the project writable', async () => {
    const project = await makeMovableProject(app, user.user);
    await insertWrite(project.id, "now() + interval '1 hour'");
    const move = await untilState(app, await schedule(project.id), 'failed');
    expect(move.error_message).toBe('Timeout waiting for wiki repository pushes');
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'default',
      readOnly: false,
    });
    expect(existsSync(pathOn('default', project.id))).toBe(true);
  });

  it('does not wait for a push whose process is gone', async () => {
    const project = await makeMovableProject(app, user.user);
    await insertWrite(project.id, "now() - interval '2 minutes'");
    await untilState(app, await schedule(project.id), 'finished');
  });

  it('fails on a damaged source and touches nothing', async () => {
    const project = await makeMovableProject(app, user.user);
    const source = pathOn('default', project.id);
    await git(['-C', source, 'update-ref', 'refs/heads/broken', 'refs/heads/main']);
    const missing = '1234567890123456789012345678901234567890';
    await writeFile(join(source, 'refs', 'heads', 'broken'), `${missing}\n`);
    const move = await untilState(app, await schedule(project.id), 'failed');
    expect(move.error_message).toMatch(/^Source repository is damaged: /);
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'default',
      readOnly: false,
    });
    expect(existsSync(pathOn('storage2', project.id))).toBe(false);
    expect(await filesIn('storage2', 'tmp')).toEqual([]);
  });

  it('refuses a destination that is a copy of the source, and takes a link for the source', async () => {
    const project = await makeMovableProject(app, user.user);
    const from = app.config.storages['default']?.path ?? '';
    const metadata = join(app.config.storages['storage2']?.path ?? '', '.svc-metadata');
    await rename(metadata, `${metadata}.own`);
    try {
      await copyFile(join(from, '.svc-metadata'), metadata);
      const move = await untilState(app, await schedule(project.id), 'failed');
      expect(move.error_message).toBe(
        'Storage storage2 was made as a copy of default: same .svc-metadata',
      );
      await rm(metadata);
      await link(join(from, '.svc-metadata'), metadata);
      const { ino } = lstatSync(pathOn('default', project.id));
      await untilState(app, await schedule(project.id), 'finished');
      expect(await projectPageContext(app, project.id)).toEqual({
        storage: 'storage2',
        readOnly: false,
      });
      expect(lstatSync(pathOn('default', project.id)).ino).toBe(ino);
    } finally {
      await rename(`${metadata}.own`, metadata);
    }
  });

  it('fails when the destination is not mounted', async () => {
    const project = await makeMovableProject(app, user.user);
    const root = app.config.storages['storage2']?.path ?? '';
    const metadata = join(root, '.svc-metadata');
    await rename(metadata, `${metadata}.away`);
    try {
      const move = await untilState(app, await schedule(project.id), 'failed');
      expect(move.error_message).toBe('Storage storage2 is not available');
    } finally {
      await rename(`${metadata}.away`, metadata);
    }
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'default',
      readOnly: false,
    });
  });

  it('reports a source that cannot be removed and removes it later', async () => {
    const project = await makeMovableProject(app, user.user);
    const cleaning = holdAt(worker, 'clean-up.before-trash');
    const id = await schedule(project.id);
    await cleaning.reached;
    const metadata = join(app.config.storages['default']?.path ?? '', '.svc-metadata');
    await rename(metadata, `${metadata}.away`);
    try {
      cleaning.release();
      const move = await untilState(app, id, 'cleanup failed');
      expect(move).toMatchObject({ phase: 'cleaning', error_message: expect.any(String) });
    } finally {
      await rename(`${metadata}.away`, metadata);
    }
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'storage2',
      readOnly: false,
    });
    expect(existsSync(pathOn('default', project.id))).toBe(true);
    await runJanitorFor(id);
    expect(existsSync(pathOn('default', project.id))).toBe(false);
    expect(await moveRow(app, id)).toMatchObject({ state: 'cleanup failed', phase: 'done' });
  });

  it.each(['project', 'snippet'] as const)(
    'leaves nothing of a deleted %s on the storage that it could not leave tidily',
    async (kind) => {
      const make = kind === 'project' ? makeMovableProject : makeMovableSnippet;
      const { id } = await make(app, user.user);
      const pathOf = (storage: string): string =>
        repositoryPath(app, storage, { kind, containerId: id });
      await app.dataSource.query(
        `WITH move AS (
           INSERT INTO ${kind}_repository_storage_moves (${kind}_id, state, phase,
             source_storage_name, destination_storage_name, retry_at)
           VALUES ($1, 'cleanup failed', 'cleaning', 'default', 'storage2', now() + interval '1 hour')
         )
         UPDATE ${kind}s SET repository_storage = 'storage2' WHERE id = $1`,
        [id],
      );
      await makeRepository(app, { kind, containerId: id }, { storage: 'storage2' });
      await admin.api.delete(`/${kind}s/${id}`);
      await eventually(() => {
        expect(existsSync(pathOf('default'))).toBe(false);
        expect(existsSync(pathOf('storage2'))).toBe(false);
      });
    },
  );

  it('moves neither of two repositories when the second is damaged', async () => {
    const project = await makeMovableProject(app, user.user);
    const wiki = await makeRepository(app, { kind: 'wiki', containerId: project.id });
    await writeFile(join(wiki, 'refs', 'heads', 'broken'), `${'1'.repeat(40)}\n`);
    const move = await untilState(app, await schedule(project.id), 'failed');
    expect(move.error_message).toMatch(/^Source repository is damaged: /);
    expect(existsSync(pathOn('storage2', project.id))).toBe(false);
    expect(existsSync(pathOn('default', project.id))).toBe(true);
    expect(await filesIn('storage2', 'tmp')).toEqual([]);
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'default',
      readOnly: false,
    });
  });

  async function runJanitorFor(id: number): Promise<void> {
    const { MoveJanitor } = await import('../../src/storage-moves/worker/move-janitor.service.js');
    await app.dataSource.query(
      'UPDATE project_repository_storage_moves SET retry_at = now() WHERE id = $1',
      [id],
    );
    await worker.get(MoveJanitor, { strict: false }).run();
  }

  it('keeps a source that is in use again when its late clean-up comes', async () => {
    const project = await makeMovableProject(app, user.user);
    const id = await schedule(project.id);
    await untilState(app, id, 'finished');
    await untilState(app, await schedule(project.id, 'default'), 'finished');
    await app.dataSource.query(
      `UPDATE project_repository_storage_moves SET state = 'cleanup failed', phase = 'cleaning'
       WHERE id = $1`,
      [id],
    );
    await runJanitorFor(id);
    await git(['-C', pathOn('default', project.id), 'fsck', '--full']);
    expect(await moveRow(app, id)).toMatchObject({ phase: 'done' });
  });

  it('deletes trash only when its time has come', async () => {
    const project = await makeMovableProject(app, user.user);
    const id = await schedule(project.id);
    await untilState(app, id, 'finished');
    const [row] = await app.dataSource.query<{ path: string }[]>(
      'SELECT path FROM repository_trash WHERE reason = $1',
      [`project-${id} moved`],
    );
    const path = join(app.config.storages['default']?.path ?? '', row?.path ?? '');
    await runJanitorFor(id);
    expect(existsSync(path)).toBe(true);
    await app.dataSource.query('UPDATE repository_trash SET delete_after = now() WHERE path = $1', [
      row?.path,
    ]);
    await runJanitorFor(id);
    expect(existsSync(path)).toBe(false);
    const left = await app.dataSource.query<object[]>(
      'SELECT 1 FROM repository_trash WHERE path = $1',
      [row?.path],
    );
    expect(left).toEqual([]);
  });

  it('registers trash that has no row and removes copies of dead attempts', async () => {
    const root = app.config.storages['storage2']?.path ?? '';
    const forgotten = join(root, '+svc', 'trash', 'project-9~forgotten~1');
    const copy = join(root, '+svc', 'tmp', 'project-999999-1-abcd-project');
    await mkdir(forgotten);
    await mkdir(copy);
    await runJanitorFor(0);
    expect(existsSync(copy)).toBe(false);
    const rows = await app.dataSource.query<object[]>(
      `SELECT reason FROM repository_trash WHERE storage = 'storage2' AND path = $1`,
      ['+svc/trash/project-9~forgotten~1'],
    );
    expect(rows).toEqual([{ reason: 'found in the trash' }]);
    expect(dirname(forgotten)).toBe(join(root, '+svc', 'trash'));
  });

  it.each([
    'attempt.before-leftovers',
    'attempt.after-drain',
    'repository.after-copy',
    'repository.after-verify',
    'repository.after-publish',
    'switch.before',
  ] as const)('can be cancelled at %s', async (point) => {
    const project = await makeMovableProject(app, user.user);
    const hold = holdAt(worker, point);
    const id = await schedule(project.id);
    await hold.reached;
    await admin.api.post(`/project_repository_storage_moves/${id}/cancel`).expect(200);
    hold.release();
    const move = await untilState(app, id, 'failed');
    expect(move.error_message).toBe(`Cancelled by ${admin.user.username}`);
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'default',
      readOnly: false,
    });
    expect(existsSync(pathOn('storage2', project.id))).toBe(false);
    expect(await filesIn('storage2', 'tmp')).toEqual([]);
    await git(['-C', pathOn('default', project.id), 'fsck', '--full']);
  });

  it('can no longer be cancelled once it has switched', async () => {
    const project = await makeMovableProject(app, user.user);
    const hold = holdAt(worker, 'switch.after');
    const id = await schedule(project.id);
    await hold.reached;
    await admin.api.post(`/project_repository_storage_moves/${id}/cancel`).expect(409);
    hold.release();
    await untilState(app, id, 'finished');
  });

  it('cuts a long message to 256 characters', async () => {
    const { throwAt } = await import('../support/move-control.js');
    const { MoveError } = await import('../../src/storage-moves/engine/move-error.js');
    const project = await makeMovableProject(app, user.user);
    throwAt(worker, 'attempt.after-drain', { error: new MoveError('x'.repeat(400)) });
    const move = await untilState(app, await schedule(project.id), 'failed');
    expect(move.error_message).toBe(`${'x'.repeat(253)}...`);
  });
});
