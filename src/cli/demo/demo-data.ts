import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/env.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { CliRepository } from '../cli.repository.js';
import { ALERTS, totalsByHour, INCIDENT_ALERT } from './alerts.js';
import { DemoTeam, projectPath } from './demo-team.js';
import { planMonitoring } from './demo-monitoring.js';
import { planWork } from './demo-work.js';
import { DemoRepository } from './demo.repository.js';
import { DemoInstance, type DemoBody } from './instance.js';
import { PEOPLE } from './people.js';
import { daysBefore, Timeline, type DemoProgress } from './timeline.js';
import { DataSource } from 'typeorm';
import { Sql } from '../../core/sql/sql.service.js';

/**
 * Lets a team of seven people work for eighty days: by the API of a web process of its own, in the
 * order of time; at last the rows get the dates of their actions. What an earlier run has done is
 * not done again.
 */
export async function createDemoData(
  config: Config,
  { progress, hasWorker }: { progress: DemoProgress; hasWorker: boolean },
): Promise<void> {
  const instance = await DemoInstance.start(config, hasWorker);
  try {
    const dataSource = instance.app.get(DataSource);
    const sql = instance.app.get(Sql, { strict: false });
    const users = new CliRepository(dataSource, sql);
    const root = await users.findFirstAdministratorId();
    if (root === null) throw new Error('there is no administrator');
    const emails = PEOPLE.map(({ email }) => email);
    if (!(await users.isNewSince(progress.base, emails))) {
      progress.finish();
      throw new Error('the database is in use');
    }
    const team = new DemoTeam(instance, await instance.clientOf(root));
    try {
      await team.prepare(progress.base);
      const timeline = new Timeline(progress.base);
      team.plan(timeline);
      planWork(timeline, team);
      planMonitoring(timeline, team, instance);
      planMoves(timeline, team, instance);
      const dates = new DemoRepository(dataSource, sql);
      for (const { at, run } of timeline.inOrder.slice(progress.done)) {
        const from = await dates.findTime();
        await run();
        progress.record({ from, to: await dates.findTime(), at });
      }
      await dates.date(progress.periods);
      const { id } = await team.root.get<{ id: number }>(projectPath('checkout'));
      for (const alert of [...ALERTS, INCIDENT_ALERT]) {
        const end = daysBefore(progress.base, alert.recovered ?? 0);
        await dates.spreadEvents(id, alert, totalsByHour(alert), end);
      }
    } finally {
      await team.dissolve();
    }
  } finally {
    await instance.close();
  }
  progress.finish();
}

/** A repository with a symbolic link cannot be moved. */
const LINK = 'latest-backup';

/** Adds moves between storages: finished, failed and cancelled ones, which a worker really ran. */
function planMoves(timeline: Timeline, team: DemoTeam, instance: DemoInstance): void {
  const { storages } = instance.config;
  const [source = '', destination] = Object.keys(storages);
  if (destination === undefined) return;
  const move = (path: string, storage: string): Promise<DemoBody> =>
    team.root.post(`${projectPath(path)}/repository_storage_moves`, {
      destination_storage_name: storage,
    });
  const stateOf = async (path: string): Promise<string> => {
    const [newest] = await team.root.get<DemoBody[]>(
      `${projectPath(path)}/repository_storage_moves`,
    );
    return newest?.state ?? 'none';
  };
  const isOver = async (path: string): Promise<boolean> =>
    ['finished', 'failed', 'cleanup failed', 'none'].includes(await stateOf(path));
  timeline.add(0.0009, async () => {
    for (const path of ['payments', 'deploy', 'handbook']) await move(path, destination);
    await instance.isEventually(() => isOver('handbook'));
  });
  timeline.add(0.0008, async () => {
    if (!(await isOver('handbook'))) return;
    await move('handbook', source);
    await instance.isEventually(() => isOver('handbook'));
  });
  timeline.add(0.0007, async () => {
    if (!(await isOver('handbook'))) return;
    const project = await team.root.get(projectPath('storefront'));
    const registry = instance.app.get(StorageRegistry, { strict: false });
    const address = { storage: source, kind: 'project', containerId: project.id } as const;
    const link = join(registry.absolutePath(address), LINK);
    await rm(link, { force: true });
    await symlink('/srv/backups/latest', link);
    try {
      await move('storefront', destination);
      await instance.isEventually(() => isOver('storefront'));
    } finally {
      await rm(link, { force: true });
    }
  });
}
