import { existsSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LeaseLostError } from '../../src/storage-moves/worker/active-move.js';
import { MoveOutcomesRepository } from '../../src/storage-moves/worker/move-outcomes.repository.js';
import { MoveDispatcher } from '../../src/storage-moves/worker/move-dispatcher.service.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, type MadeActor } from '../support/factories.js';
import { moveRow, projectPageContext, untilState } from '../support/move-control.js';
import {
  makeMovableProject,
  referencesOf,
  repositoryPath,
} from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';

let app: OwnTestApp;
let worker: INestApplicationContext;
let admin: MadeActor;
let outcomes: MoveOutcomesRepository;

beforeAll(async () => {
  app = await startTestApp();
  worker = await startTestWorker(app);
  admin = await makeAdmin(app);
  outcomes = worker.get(MoveOutcomesRepository, { strict: false });
});
afterAll(async () => {
  await worker.close();
  await app.close();
});

type Switch = MoveOutcomesRepository['switch'];

/** One switch goes through `replacement`; the first look at what became of it fails, too. */
function loseTheConnection(replacement: (original: Switch) => Switch): void {
  const { switch: original, current } = outcomes;
  outcomes.switch = (...args) => {
    outcomes.switch = original;
    return replacement(original.bind(outcomes))(...args);
  };
  outcomes.current = () => {
    outcomes.current = current;
    return Promise.reject(new Error('Connection terminated unexpectedly'));
  };
}

async function moveThatLoses(replacement: (original: Switch) => Switch): Promise<number> {
  const project = await makeMovableProject(app, admin.user);
  const path = (storage: string): string =>
    repositoryPath(app, storage, { kind: 'project', containerId: project.id });
  const before = await referencesOf(path('default'));
  loseTheConnection(replacement);
  const { body } = await admin.api
    .post(`/projects/${project.id}/repository_storage_moves`, {
      destination_storage_name: 'storage2',
    })
    .expect(201);
  const id = body.id as number;
  await eventually(async () => expect((await moveRow(app, id)).retries).toBe(1));
  await app.dataSource.query(`UPDATE project_repository_storage_moves SET retry_at = now()`);
  worker.get(MoveDispatcher, { strict: false }).wake();
  await untilState(app, id, 'finished');
  expect(await projectPageContext(app, project.id)).toEqual({
    storage: 'storage2',
    readOnly: false,
  });
  expect(await referencesOf(path('storage2'))).toBe(before);
  expect(existsSync(path('default'))).toBe(false);
  return id;
}

describe('a switch whose outcome cannot be read', () => {
  it('keeps the copy that has become the repository', async () => {
    await moveThatLoses((original) => async (...args) => {
      await original(...args);
      throw new Error('Connection terminated unexpectedly');
    });
  });

  it('is made again by the next attempt when it did not come through', async () => {
    await moveThatLoses(() => () => {
      return Promise.reject(new Error('Connection terminated unexpectedly'));
    });
  });

  it('does not come through late, after the next attempt has begun', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const id = await moveThatLoses((original) => (...args) => {
      late = eventually(async () => (await moveRow(app, args[0].lease.id)).attempt > 1)
        .then(() => original(...args))
        .catch((error: unknown) => error);
      return Promise.reject(new Error('Connection terminated unexpectedly'));
    });
    expect(await late).toBeInstanceOf(LeaseLostError);
    expect(await moveRow(app, id)).toMatchObject({ state: 'finished', attempt: 2 });
  });
});
