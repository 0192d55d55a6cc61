import { getQueueToken } from '@nestjs/bull';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Job, Queue } from 'bull';
import { QUEUES } from '../../src/core/durable-work/queues.js';
import { MoveError } from '../../src/storage-moves/engine/move-error.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, type MadeActor } from '../support/factories.js';
import { holdAt, passAll, throwAt, untilState } from '../support/move-control.js';
import { makeMovableProject, makeProjectRow } from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';

describe('the queue of storage moves', () => {
  let app: OwnTestApp;
  let worker: INestApplicationContext;
  let admin: MadeActor;
  let queue: Queue;

  beforeAll(async () => {
    app = await startTestApp();
    worker = await startTestWorker(app);
    admin = await makeAdmin(app);
    queue = worker.get<Queue>(getQueueToken(QUEUES.storageMoves), { strict: false });
  });

  afterEach(() => passAll(worker));

  afterAll(async () => {
    await worker.close();
    await app.close();
  });

  async function schedule(projectId: number): Promise<number> {
    const { body } = await admin.api
      .post(`/projects/${projectId}/repository_storage_moves`, {
        destination_storage_name: 'storage2',
      })
      .expect(201);
    return body.id as number;
  }

  const jobOf = (id: number, attempt: number): Promise<Job | null> =>
    queue.getJob(`project-${id}-${attempt}`);

  it('has a job that runs as long as its move', async () => {
    const { id: projectId } = await makeMovableProject(app, admin.user);
    const hold = holdAt(worker, 'attempt.after-drain');
    const id = await schedule(projectId);
    await hold.reached;
    const job = await jobOf(id, 1);
    expect(job).toMatchObject({ name: 'move-repository', data: { kind: 'project', id } });
    expect(await job?.isActive()).toBe(true);
    hold.release();
    await untilState(app, id, 'finished');
    await eventually(async () => expect(await jobOf(id, 1)).toBeNull());
  });

  it('keeps the job of a failed move with its message', async () => {
    const { id: projectId } = await makeProjectRow(app, admin.user, { emptyRepo: false });
    const id = await schedule(projectId);
    await untilState(app, id, 'failed');
    await eventually(async () => {
      const job = await jobOf(id, 1);
      expect(await job?.isFailed()).toBe(true);
      expect(job?.failedReason).toBe('Source repository is missing on storage default');
    });
  });

  it('delays the job of a move that is tried again', async () => {
    const { id: projectId } = await makeMovableProject(app, admin.user);
    const passing = new MoveError('A passing fault', { transient: true });
    throwAt(worker, 'attempt.after-drain', { error: passing });
    const id = await schedule(projectId);
    await eventually(async () => expect(await (await jobOf(id, 1))?.isDelayed()).toBe(true));
    await untilState(app, id, 'finished');
  });

  it('is not waited for when it does not give a job to a worker', async () => {
    const { id: projectId } = await makeMovableProject(app, admin.user);
    await queue.pause();
    try {
      await untilState(app, await schedule(projectId), 'finished');
    } finally {
      await queue.resume();
    }
  });

  it.each([
    ['cannot reach Redis', { kind: 'server', nodes: [{ host: '127.0.0.1', port: 1 }], db: 0 }],
    ['has none', null],
  ] as const)('is not needed by a worker that %s', async (_, redis) => {
    await worker.close();
    worker = await startTestWorker(app, { redis });
    const { id: projectId } = await makeMovableProject(app, admin.user);
    await untilState(app, await schedule(projectId), 'finished');
  });
});
