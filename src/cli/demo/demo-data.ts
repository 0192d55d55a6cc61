import type { Config } from '../../config/env.js';
import { CliRepository } from '../cli.repository.js';
import { ALERTS, totalsByHour, INCIDENT_ALERT } from './alerts.js';
import { planMoves } from './demo-moves.js';
import { DemoTeam, projectPath } from './demo-team.js';
import { planMonitoring } from './demo-monitoring.js';
import { planWork } from './demo-work.js';
import { DemoRepository } from './demo.repository.js';
import { DemoInstance } from './instance.js';
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
