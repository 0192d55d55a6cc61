import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RepositoryTrashRepository } from '../../src/git/repository-trash.repository.js';
import { MoveError } from '../../src/storage-moves/engine/move-error.js';
import { TRASH_SLICE } from '../../src/storage-moves/engine/storage-root.js';
import { MoveOutcomesRepository } from '../../src/storage-moves/worker/move-outcomes.repository.js';
import { MoveJanitor } from '../../src/storage-moves/worker/move-janitor.service.js';
import { MoveDispatcher } from '../../src/storage-moves/worker/move-dispatcher.service.js';
import { WorkerIdentity } from '../../src/storage-moves/worker/worker-identity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import {
  holdAt,
  moveRow,
  passAll,
  projectPageContext,
  throwAt,
  untilState,
} from '../support/move-control.js';
import {
  git,
  makeMovableProject,
  makeProjectRow,
  makeRepository,
  repositoryPath,
} from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';

describe('recovery of storage moves', () => {
  let app: OwnTestApp;
  let worker: INestApplicationContext;
  let admin: MadeActor;
  let user: MadeActor;

  beforeAll(async () => {
    app = await startTestApp();
    worker = await startTestWorker(app, { moveDrainSeconds: 1, workerConcurrency: 8 });
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

  const schedule = async (projectId: number): Promise<number> => {
    const response = await admin.api
      .post(`/projects/${projectId}/repository_storage_moves`, {
        destination_storage_name: 'storage2',
      })
      .expect(201);
    return response.body.id as number;
  };

  const update = (id: number, assignments: string): Promise<unknown> =>
    app.dataSource.query(
      `UPDATE project_repository_storage_moves SET ${assignments} WHERE id = $1`,
      [id],
    );

  /** As if the worker that has the move had died a while ago. */
  const loseWorker = async (id: number): Promise<void> => {
    await update(id, `lease_owner = 'a dead worker', lease_until = now() - interval '1 second'`);
    worker.get(MoveDispatcher, { strict: false }).wake();
  };

  const retryNow = async (id: number): Promise<void> => {
    await update(id, 'retry_at = now()');
    worker.get(MoveDispatcher, { strict: false }).wake();
  };

  const pathOn = (storage: string, containerId: number): string =>
    repositoryPath(app, storage, { kind: 'project', containerId });

  /** Asserts the state after a move of any outcome: one copy, in its recorded place, writable. */
  async function expectOneCopy(projectId: number): Promise<void> {
    const { storage, readOnly } = await projectPageContext(app, projectId);
    expect(readOnly).toBe(false);
    await git(['-C', pathOn(storage, projectId), 'fsck', '--full']);
    const other = storage === 'default' ? 'storage2' : 'default';
    const root = app.config.storages['storage2']?.path ?? '';
    // A worker that was replaced may still be cleaning up behind itself.
    await eventually(async () => {
      expect(existsSync(pathOn(other, projectId))).toBe(false);
      expect(await readdir(join(root, '+svc', 'tmp'))).toEqual([]);
    });
  }

  it('leases a move whose job was never sent', async () => {
    const project = await makeMovableProject(app, user.user);
    const [row] = await app.dataSource.query<{ id: number }[]>(
      `WITH move AS (
         INSERT INTO project_repository_storage_moves
           (project_id, state, source_storage_name, destination_storage_name)
         VALUES ($1, 'scheduled', 'default', 'storage2') RETURNING id
       ), flagged AS (
         UPDATE projects SET repository_read_only = true, read_only_move_id = move.id
         FROM move WHERE projects.id = $1
       )
       SELECT id FROM move`,
      [project.id],
    );
    await untilState(app, row?.id ?? 0, 'finished');
    await expectOneCopy(project.id);
  });

  it.each([
    'lease.after-commit',
    'attempt.after-drain',
    'repository.after-copy',
    'repository.after-verify',
    'repository.after-publish',
    'switch.before',
  ] as const)('takes a move over whose worker went silent at %s', async (point) => {
    const project = await makeMovableProject(app, user.user);
    await makeRepository(app, { kind: 'wiki', containerId: project.id });
    const silent = await startTestWorker(app, { workerConcurrency: 1 });
    const hold = holdAt(silent, point);
    const idle = holdAt(worker, 'lease.before-commit');
    const id = await schedule(project.id);
    await Promise.race([hold.reached, idle.reached]);
    const byWorker = (await moveRow(app, id)).lease_owner === null;
    idle.release();
    passAll(worker);
    // Whichever of the two had leased it, its lease ends now.
    if (!byWorker) await loseWorker(id);
    const move = await untilState(app, id, 'finished');
    hold.release();
    await silent.close();
    expect(move.retries).toBe(byWorker ? 0 : 1);
    expect(await moveRow(app, id)).toEqual(move);
    await expectOneCopy(project.id);
  });

  it('lets a worker that lost its lease change nothing more', async () => {
    const project = await makeMovableProject(app, user.user);
    const hold = holdAt(worker, 'switch.before');
    const id = await schedule(project.id);
    await hold.reached;
    await update(id, `lease_owner = 'another', attempt = 7`);
    hold.release();
    passAll(worker);
    await eventually(async () => {
      const { lease_owner: owner, state } = await moveRow(app, id);
      expect({ owner, state }).toEqual({ owner: 'another', state: 'started' });
    });
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'default',
      readOnly: true,
    });
    await loseWorker(id);
    await untilState(app, id, 'finished');
    await expectOneCopy(project.id);
  });

  it('finishes a move whose worker died between switch and clean-up', async () => {
    const project = await makeMovableProject(app, user.user);
    const hold = holdAt(worker, 'clean-up.before-trash');
    const id = await schedule(project.id);
    await hold.reached;
    passAll(worker);
    await loseWorker(id);
    await untilState(app, id, 'finished');
    hold.release();
    await expectOneCopy(project.id);
  });

  it('finds the source in the trash when the row of it is missing', async () => {
    const project = await makeMovableProject(app, user.user);
    const hold = holdAt(worker, 'clean-up.after-trash');
    const id = await schedule(project.id);
    await hold.reached;
    passAll(worker);
    await loseWorker(id);
    await untilState(app, id, 'finished');
    hold.release();
    const rows = await app.dataSource.query<object[]>(
      'SELECT storage FROM repository_trash WHERE reason = $1',
      [`project-${id} moved`],
    );
    expect(rows).toEqual([{ storage: 'default' }]);
    await expectOneCopy(project.id);
  });

  it('looks the switch up when the answer to its commit was lost', async () => {
    const project = await makeMovableProject(app, user.user);
    const outcomes = worker.get(MoveOutcomesRepository, { strict: false });
    const original = outcomes.switch.bind(outcomes);
    outcomes.switch = async (...args) => {
      await original(...args);
      throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
    };
    try {
      await untilState(app, await schedule(project.id), 'finished');
    } finally {
      outcomes.switch = original;
    }
    await expectOneCopy(project.id);
  });

  it('tries again when the switch did not arrive', async () => {
    const project = await makeMovableProject(app, user.user);
    const lost = Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
    throwAt(worker, 'switch.before', { error: lost });
    const id = await schedule(project.id);
    await eventually(async () => {
      expect(await moveRow(app, id)).toMatchObject({ state: 'started', retries: 1 });
    });
    expect(existsSync(pathOn('storage2', project.id))).toBe(false);
    await retryNow(id);
    await untilState(app, id, 'finished');
    await expectOneCopy(project.id);
  });

  it('completes a failure that a dying worker began', async () => {
    const project = await makeMovableProject(app, user.user);
    const hold = holdAt(worker, 'failure.after-removal');
    const id = await schedule(project.id);
    await eventually(async () => expect((await moveRow(app, id)).state).toBe('finished'));
    hold.release();
    const second = await makeMovableProject(app, user.user);
    const copying = holdAt(worker, 'repository.after-copy');
    const secondId = await schedule(second.id);
    await copying.reached;
    await admin.api.post(`/project_repository_storage_moves/${secondId}/cancel`).expect(200);
    const failing = holdAt(worker, 'failure.after-removal');
    copying.release();
    await failing.reached;
    passAll(worker);
    await loseWorker(secondId);
    const move = await untilState(app, secondId, 'failed');
    failing.release();
    expect(move.error_message).toBe(`Cancelled by ${admin.user.username}`);
    await expectOneCopy(second.id);
  });

  it('hands its moves back when the worker stops', async () => {
    const project = await makeMovableProject(app, user.user);
    const stopping = await startTestWorker(app);
    passAll(worker);
    const holds = [
      holdAt(stopping, 'repository.after-copy'),
      holdAt(worker, 'lease.before-commit'),
    ];
    const id = await schedule(project.id);
    await Promise.race(holds.map(({ reached }) => reached));
    const closing = stopping.close();
    for (const hold of holds) hold.release();
    await closing;
    passAll(worker);
    const move = await untilState(app, id, 'finished');
    expect(move.retries).toBe(0);
    await expectOneCopy(project.id);
  });

  it('waits read-only for a short retry and writable for a long one', async () => {
    const project = await makeMovableProject(app, user.user);
    const passing = new MoveError('A passing fault', { transient: true });
    throwAt(worker, 'attempt.after-drain', { error: passing, times: 3 });
    const id = await schedule(project.id);
    for (const retries of [1, 2]) {
      await eventually(async () => expect(await moveRow(app, id)).toMatchObject({ retries }));
      expect(await projectPageContext(app, project.id)).toMatchObject({ readOnly: true });
      await retryNow(id);
    }
    await eventually(async () => expect(await moveRow(app, id)).toMatchObject({ retries: 3 }));
    expect(await projectPageContext(app, project.id)).toMatchObject({ readOnly: false });
    const refused = await admin.api
      .post(`/projects/${project.id}/repository_storage_moves`, {
        destination_storage_name: 'storage2',
      })
      .expect(400);
    expect(refused.body).toEqual({ message: { project: ['Repository already read-only'] } });
    const hold = holdAt(worker, 'attempt.after-drain');
    await retryNow(id);
    await hold.reached;
    expect(await projectPageContext(app, project.id)).toMatchObject({ readOnly: true });
    hold.release();
    await untilState(app, id, 'finished');
    await expectOneCopy(project.id);
  });

  it('gives up after the last retry and frees the project', async () => {
    const project = await makeMovableProject(app, user.user);
    const passing = new MoveError('A passing fault', { transient: true });
    throwAt(worker, 'attempt.after-drain', { error: passing, times: 4 });
    const id = await schedule(project.id);
    for (const retries of [1, 2, 3]) {
      await eventually(async () => expect(await moveRow(app, id)).toMatchObject({ retries }));
      await retryNow(id);
    }
    const move = await untilState(app, id, 'failed');
    expect(move.error_message).toBe('A passing fault');
    await expectOneCopy(project.id);
  });

  it('fails a move that keeps killing its workers', async () => {
    const project = await makeMovableProject(app, user.user);
    const hold = holdAt(worker, 'attempt.after-drain');
    const id = await schedule(project.id);
    await hold.reached;
    passAll(worker);
    await update(id, 'retries = 3');
    await loseWorker(id);
    const move = await untilState(app, id, 'failed');
    hold.release();
    expect(move.error_message).toBe('Gave up: the worker was lost repeatedly');
    await expectOneCopy(project.id);
  });

  it('cancels a move that waits for its retry at once', async () => {
    const project = await makeMovableProject(app, user.user);
    const passing = new MoveError('A passing fault', { transient: true });
    throwAt(worker, 'attempt.after-drain', { error: passing });
    const id = await schedule(project.id);
    await eventually(async () => expect(await moveRow(app, id)).toMatchObject({ retries: 1 }));
    await admin.api.post(`/project_repository_storage_moves/${id}/cancel`).expect(200);
    await untilState(app, id, 'failed');
    await expectOneCopy(project.id);
  });

  it('takes no more moves into a storage that was full twice', async () => {
    const cause = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const full = new MoveError('Storage storage2 is full (ENOSPC)', { cause });
    throwAt(worker, 'attempt.after-space', { error: full, times: 2 });
    for (let failed = 0; failed < 2; failed += 1) {
      const project = await makeMovableProject(app, user.user);
      const move = await untilState(app, await schedule(project.id), 'failed');
      expect(move.error_message).toBe('Storage storage2 is full (ENOSPC)');
    }
    const { body } = await eventually(async () => {
      const response = await admin.api.get('/storage_moves/storages/storage2');
      expect(response.body.blocked_until).not.toBeNull();
      return response;
    });
    expect(body.paused).toBe(false);
    await admin.api.put('/storage_moves/storages/storage2', { paused: false }).expect(200);
    const project = await makeMovableProject(app, user.user);
    await untilState(app, await schedule(project.id), 'finished');
  });

  it('does not wait for the lease of a worker whose process is gone', async () => {
    const project = await makeMovableProject(app, user.user);
    const hold = holdAt(worker, 'attempt.after-drain');
    const id = await schedule(project.id);
    await hold.reached;
    passAll(worker);
    const { name } = worker.get(WorkerIdentity, { strict: false });
    const [, place] = name.split('/');
    await update(id, `lease_owner = 'host/elsewhere/1-1/x'`);
    const sweeper = worker.get(MoveJanitor, { strict: false });
    await sweeper.sweep();
    expect(await moveRow(app, id)).toMatchObject({
      lease_owner: 'host/elsewhere/1-1/x',
      attempt: 1,
    });
    await update(id, `lease_owner = 'host/${place}/4194305-1/x'`);
    await sweeper.sweep();
    await untilState(app, id, 'finished');
    hold.release();
    await expectOneCopy(project.id);
  });

  it('frees a project that is read-only without a move', async () => {
    const orphan = await makeProjectRow(app, user.user, { repositoryReadOnly: true });
    const stale = await makeMovableProject(app, user.user);
    const id = await schedule(stale.id);
    await untilState(app, id, 'finished');
    await app.dataSource.query(
      'UPDATE projects SET repository_read_only = true, read_only_move_id = $2 WHERE id = $1',
      [stale.id, id],
    );
    await worker.get(MoveJanitor, { strict: false }).sweep();
    expect(await projectPageContext(app, orphan.id)).toMatchObject({ readOnly: false });
    expect(await projectPageContext(app, stale.id)).toMatchObject({ readOnly: false });
  });

  it('looks at a large trash in slices', async () => {
    const folder = join(app.config.storages['storage2']?.path ?? '', '+svc', 'trash');
    // Rows first: the worker's own janitor adds one for each file without any.
    await app.dataSource.query(
      `INSERT INTO repository_trash (storage, path, reason, delete_after)
       SELECT 'storage2', '+svc/trash/large~' || number, 'known', now() + interval '1 day'
       FROM generate_series(1, $1::int) AS number`,
      [TRASH_SLICE],
    );
    for (let index = 0; index <= TRASH_SLICE; index += 1) {
      await writeFile(join(folder, `large~${index}`), '');
    }
    const trash = worker.get(RepositoryTrashRepository, { strict: false });
    const listUnknown = jest.spyOn(trash, 'listUnknown');
    await worker.get(MoveJanitor, { strict: false }).run();
    const sizes = listUnknown.mock.calls.map(([, paths]) => paths.length);
    listUnknown.mockRestore();
    expect(Math.max(...sizes)).toBe(TRASH_SLICE);
    const found = await app.dataSource.query<object[]>(
      `SELECT reason FROM repository_trash WHERE path = '+svc/trash/large~0'`,
    );
    expect(found).toEqual([{ reason: 'found in the trash' }]);
  });
});
