import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { ApplicationSetting } from '../../src/core/settings/application-settings.repository.js';
import { InstanceSettings } from '../../src/core/settings/instance-settings.service.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { startTestWorker } from '../support/worker.js';

const PATH = '/application/settings';

let app: OwnTestApp;
let worker: INestApplicationContext;
let admin: MadeActor;
beforeAll(async () => {
  app = await startTestApp();
  worker = await startTestWorker(app);
  admin = await makeAdmin(app);
});
afterAll(async () => {
  await worker.close();
  await app.close();
});
beforeEach(() => app.dataSource.manager.clear(ApplicationSetting));

/** Milliseconds until the worker knows the number of days. */
async function untilWorkerKnows(days: number): Promise<number> {
  const start = performance.now();
  const settings = worker.get(InstanceSettings);
  await eventually(() => settings.values.event_retention_days === days, { everyMs: 5 });
  return performance.now() - start;
}

/** The fastest of three changes: a busy computer may hold one of them up. */
async function fastestChange(firstDays: number, before?: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (const days of [firstDays, firstDays + 1, firstDays + 2]) {
    await before?.();
    await admin.api.put(PATH, { event_retention_days: days }).expect(200);
    times.push(await untilWorkerKnows(days));
  }
  return Math.min(...times);
}

/** Ends the connections on which this database's processes listen, and tells how many those were. */
async function endListening(): Promise<number> {
  const ended: unknown[] = await app.dataSource.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'guildhall announcements'`,
  );
  return ended.length;
}

describe('changed settings in other processes', () => {
  it('hold within a second, without a restart', async () => {
    expect(await fastestChange(21)).toBeLessThan(1_000);
  });

  it('follow changes made in the database', async () => {
    await app.dataSource.manager.insert(ApplicationSetting, {
      name: 'event_retention_days',
      value: 31,
    });
    await untilWorkerKnows(31);
    await app.dataSource.manager.clear(ApplicationSetting);
    await untilWorkerKnows(1_095);
  });

  it('hold within a second although the connection that listens was lost', async () => {
    const endBoth = (): Promise<void> =>
      eventually(async () => expect(await endListening()).toBe(2));
    expect(await fastestChange(41, endBoth)).toBeLessThan(1_000);
    expect(await fastestChange(51)).toBeLessThan(1_000);
  });

  it('are read without rows of unknown settings', async () => {
    const rows = [
      { name: 'of_another_version', value: 1 },
      { name: 'event_retention_days', value: 51 },
    ];
    await app.dataSource.manager.insert(ApplicationSetting, rows);
    await untilWorkerKnows(51);
  });
});

describe('weights of storages', () => {
  async function storageOf(path: string, body: object): Promise<unknown> {
    const { id } = (await admin.api.post(path, body).expect(201)).body as { id: number };
    const table = path.slice(1);
    const [row] = await app.dataSource.query<{ repository_storage: string }[]>(
      `SELECT repository_storage FROM ${table} WHERE id = $1`,
      [id],
    );
    return row?.repository_storage;
  }

  /** Where a new project, a new snippet and a new group come to lie. */
  async function places(): Promise<unknown[]> {
    const name = unique('placed');
    return [
      await storageOf('/projects', { name }),
      await storageOf('/snippets', {
        title: name,
        visibility: 'private',
        files: [{ file_path: 'a.txt', content: 'a' }],
      }),
      await storageOf('/groups', { name, path: name }),
    ];
  }

  it('decide at once where new repositories go', async () => {
    expect(await places()).toEqual(['default', 'default', 'default']);
    await admin.api
      .put(PATH, { repository_storages_weighted: { default: 0, storage2: 100 } })
      .expect(200);
    expect(await places()).toEqual(['storage2', 'storage2', 'storage2']);
    await admin.api.put(PATH, { repository_storages_weighted: {} }).expect(200);
    expect(await places()).toEqual(['default', 'default', 'default']);
    expect(await app.dataSource.manager.countBy(Project, { repositoryStorage: 'storage2' })).toBe(
      1,
    );
  });

  it('are those that administrators see of each storage', async () => {
    await admin.api.put(PATH, { repository_storages_weighted: { storage2: 30 } }).expect(200);
    const of = async (name: string): Promise<unknown> =>
      (await admin.api.get(`/storage_moves/storages/${name}`).expect(200)).body;
    expect(await of('default')).toMatchObject({ weight: 0 });
    expect(await of('storage2')).toMatchObject({ weight: 30 });
  });
});
