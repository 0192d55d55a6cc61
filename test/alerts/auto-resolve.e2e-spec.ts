import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Alert } from '../../src/alerts/alert.entity.js';
import { StaleAlertResolver } from '../../src/alerts/worker/alert-maintenance.service.js';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import { makeAlert, setAlertSettings } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeGroup, makeProject, type MadeProject } from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';
import { makeReaction, react, systemNotes, waitingReactions } from './reactions.js';

let app: OwnTestApp;
let worker: INestApplicationContext;
beforeAll(async () => {
  app = await startTestApp();
  worker = await startTestWorker(app);
});
afterAll(async () => {
  await worker.close();
  await app.close();
});

const ago = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
/** The worker's own first round may be at it as well. */
const run = (): Promise<number> => worker.get(StaleAlertResolver).run(() => false);
const alertRow = ({ id }: { id: number }): Promise<Alert> =>
  app.dataSource.manager.findOneByOrFail(Alert, { id });

async function projectWith(autoResolveHours: number | null): Promise<MadeProject> {
  const { id: namespaceId } = await makeGroup(app);
  const project = await makeProject(app, { namespaceId });
  await setAlertSettings(app, project, { autoResolveHours });
  return project;
}

it('resolves alerts that nothing was heard of for too long, and no others', async () => {
  const project = await projectWith(4);
  const [other, hourly] = [await projectWith(null), await projectWith(1)];
  const silent = [
    await makeAlert(app, project, { lastEventAt: ago(5) }),
    await makeAlert(app, project, { lastEventAt: ago(5), status: 1 }),
  ];
  const short = await makeAlert(app, hourly, { lastEventAt: ago(2) });
  const kept = [
    await makeAlert(app, project, { lastEventAt: ago(3) }),
    await makeAlert(app, project, { lastEventAt: ago(5), status: 3 }),
    await makeAlert(app, other, { lastEventAt: ago(5_000) }),
  ];
  const before = await Promise.all(kept.map(alertRow));
  await run();
  for (const alert of [...silent, short]) {
    await eventually(async () => expect((await alertRow(alert)).status).toBe(2));
    expect((await alertRow(alert)).endedAt).toEqual(expect.any(Date));
  }
  for (const alert of silent) {
    expect(await systemNotes(app, { alertId: alert.id })).toEqual([
      {
        author: 'alert-bot',
        body: 'changed the status to **Resolved** because no events arrived for 4 hours',
      },
    ]);
  }
  expect((await systemNotes(app, { alertId: short.id }))[0]?.body).toBe(
    'changed the status to **Resolved** because no events arrived for 1 hour',
  );
  expect(await Promise.all(kept.map(alertRow))).toEqual(before);
  expect(await run()).toBe(0);
});

it.each([
  [true, 'closed'],
  [false, 'opened'],
])('with auto_close_incident %s leaves the incident %s', async (autoCloseIncident, state) => {
  const project = await projectWith(1);
  await setAlertSettings(app, project, { createIssue: true, autoCloseIncident });
  const alert = await makeAlert(app, project, { lastEventAt: ago(2) });
  await makeReaction(app, alert, 'open_incident');
  await react(worker);
  const { issueId } = await alertRow(alert);
  await run();
  await eventually(async () => expect(await waitingReactions(app)).toEqual([]));
  const issue = await app.dataSource.manager.findOneByOrFail(Issue, { id: issueId ?? 0 });
  expect(issue.state).toBe(state);
});

it('resolves a great many', async () => {
  const project = await projectWith(1);
  await app.dataSource.query(
    `INSERT INTO alerts (project_id, iid, title, severity, payload, started_at, last_event_at)
     SELECT $1, n, 'Many', 0, '{}', now(), now() - interval '2 hours'
     FROM generate_series(1, 1200) AS n`,
    [project.id],
  );
  expect(await run()).toBe(1_200);
  expect(await app.dataSource.manager.countBy(Alert, { projectId: project.id, status: 2 })).toBe(
    1_200,
  );
});
