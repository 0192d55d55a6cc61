import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BulkMoveScheduler,
  MAX_WAITING,
} from '../../src/storage-moves/worker/bulk-move-scheduler.service.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import { holdAt, passAll } from '../support/move-control.js';
import {
  makeMovableGroup,
  makeMovableProject,
  makeMovableSnippet,
  makeProjectRow,
} from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';

const FROM_DEFAULT = {
  source_storage_name: 'default',
  destination_storage_name: 'storage2',
};

describe('moving everything off a storage', () => {
  let app: OwnTestApp;
  let worker: INestApplicationContext | undefined;
  let admin: MadeActor;
  let user: MadeActor;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await makeAdmin(app);
    user = await makeActor(app);
  });

  afterAll(async () => {
    await worker?.close();
    await app.close();
  });

  const count = async (where: string): Promise<number> => {
    const [row] = await app.dataSource.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM ${where}`,
    );
    return row?.n ?? 0;
  };

  it('accepts a request for a storage without projects and makes no rows', async () => {
    const empty = { source_storage_name: 'storage2', destination_storage_name: 'default' };
    await admin.api.post('/project_repository_storage_moves', empty).expect(202);
    worker = await startTestWorker(app, { workerConcurrency: 8 });
    await eventually(async () => {
      expect(await count('storage_move_batches WHERE finished_at IS NULL')).toBe(0);
    });
    expect(await count('project_repository_storage_moves')).toBe(0);
  });

  it('starts nothing to a paused storage and lets nothing wait read-only for it', async () => {
    await admin.api.put('/storage_moves/storages/storage2', { paused: true }).expect(200);
    const single = await makeMovableProject(app, user.user);
    await admin.api
      .post(`/projects/${single.id}/repository_storage_moves`, {
        destination_storage_name: 'storage2',
      })
      .expect(201);
    for (let made = 0; made < MAX_WAITING + 10; made += 1) await makeProjectRow(app, user.user);
    for (let made = 0; made < 3; made += 1) await makeMovableProject(app, user.user);
    await admin.api.post('/project_repository_storage_moves', FROM_DEFAULT).expect(202);
    expect(await worker?.get(BulkMoveScheduler, { strict: false }).scheduleDue()).toBe(0);
    expect(await count('project_repository_storage_moves')).toBe(1);
    expect(await count(`project_repository_storage_moves WHERE state = 'scheduled'`)).toBe(1);
    expect(await count('projects WHERE repository_read_only')).toBe(1);
  });

  it('leaves containers beyond the waiting ones writable', async () => {
    if (worker === undefined) throw new Error('No worker');
    const hold = holdAt(worker, 'switch.before');
    await admin.api.put('/storage_moves/storages/storage2', { paused: false }).expect(200);
    await hold.reached;
    // The already moving project is skipped; while it waits, one fewer is chosen.
    await eventually(async () => {
      const readOnly = await count('projects WHERE repository_read_only');
      expect([MAX_WAITING - 1, MAX_WAITING]).toContain(readOnly);
    });
    const moves = await count('project_repository_storage_moves');
    await worker.get(BulkMoveScheduler, { strict: false }).scheduleDue();
    expect(await count('project_repository_storage_moves')).toBe(moves);
    const writable = await count('projects WHERE NOT repository_read_only');
    expect(writable).toBe((await count('projects')) - moves);
    hold.release();
    passAll(worker);
  });

  it('moves all once the storage takes moves again, and twice asked is not twice moved', async () => {
    await admin.api.post('/project_repository_storage_moves', FROM_DEFAULT).expect(202);
    const limits = { max_in: 4 };
    await admin.api.put('/storage_moves/storages/storage2', limits).expect(200);
    await admin.api.put('/storage_moves/storages/default', { max_out: 4 }).expect(200);
    await eventually(
      async () => {
        expect(await count(`projects WHERE repository_storage = 'default'`)).toBe(0);
        expect(await count(`project_repository_storage_moves WHERE state <> 'finished'`)).toBe(0);
        expect(await count('storage_move_batches WHERE finished_at IS NULL')).toBe(0);
      },
      { seconds: 25 },
    );
    const all = await count('projects');
    expect(await count('project_repository_storage_moves')).toBe(all);
    expect(await count('projects WHERE repository_read_only')).toBe(0);
    const [totals] = await app.dataSource.query<object[]>(
      `SELECT sum(scheduled_count)::int AS scheduled FROM storage_move_batches`,
    );
    // All but the one that was asked for by itself.
    expect(totals).toEqual({ scheduled: all - 1 });
  });

  it('skips a container that is busy and goes on', async () => {
    const busy = await makeProjectRow(app, user.user, { repositoryReadOnly: true });
    await app.dataSource.query(
      `INSERT INTO project_repository_storage_moves
         (project_id, state, source_storage_name, destination_storage_name, lease_owner, lease_until)
       VALUES ($1, 'replicated', 'storage2', 'default', 'another', now() + interval '1 hour')`,
      [busy.id],
    );
    const free = await makeMovableProject(app, user.user);
    const before = await count('storage_move_batches WHERE skipped_count = 1');
    await admin.api.post('/project_repository_storage_moves', FROM_DEFAULT).expect(202);
    await eventually(async () => {
      const { body } = await admin.api.get(`/projects/${free.id}/repository_storage_moves`);
      expect(body).toMatchObject([{ state: 'finished' }]);
    });
    expect(await count('storage_move_batches WHERE skipped_count = 1')).toBe(before + 1);
  });

  it('moves only the kind that was asked for', async () => {
    const snippet = await makeMovableSnippet(app, user.user);
    const group = await makeMovableGroup(app);
    await admin.api.post('/snippet_repository_storage_moves', FROM_DEFAULT).expect(202);
    await eventually(async () => {
      expect(await count(`snippets WHERE repository_storage = 'storage2'`)).toBe(1);
    });
    expect(await count(`groups WHERE repository_storage = 'default'`)).toBe(1);
    await admin.api.post('/group_repository_storage_moves', FROM_DEFAULT).expect(202);
    await eventually(async () => {
      const { body } = await admin.api.get(`/groups/${group.id}/repository_storage_moves`);
      expect(body).toMatchObject([{ state: 'finished' }]);
    });
    const { body } = await admin.api.get(`/snippets/${snippet.id}/repository_storage_moves`);
    expect(body).toHaveLength(1);
  });
});
