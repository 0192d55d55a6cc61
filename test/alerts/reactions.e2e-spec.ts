import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Alert } from '../../src/alerts/alert.entity.js';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import { makeAlert, setAlertSettings } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeUser } from '../support/factories.js';
import { makeGroup, makeProject, type MadeProject } from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';
import { makeReaction, react, waitingReactions } from './reactions.js';

let app: OwnTestApp;
const workers: INestApplicationContext[] = [];
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
});
afterAll(() => app.close());

async function start(): Promise<INestApplicationContext> {
  const worker = await startTestWorker(app);
  workers.push(worker);
  return worker;
}

async function openingProject(): Promise<MadeProject> {
  const { id: namespaceId } = await makeGroup(app);
  const project = await makeProject(app, { namespaceId });
  await setAlertSettings(app, project, { createIssue: true });
  return project;
}

async function storm(project: MadeProject, size: number): Promise<void> {
  await app.dataSource.query(
    `WITH made AS (
       INSERT INTO alerts (project_id, iid, title, severity, payload, started_at)
       SELECT $1, n, 'Alert ' || n, 0, '{}', now() FROM generate_series(1, $2::integer) AS n
       RETURNING id
     ) INSERT INTO alert_reactions (alert_id, kind) SELECT id, 'open_incident' FROM made`,
    [project.id, size],
  );
}

/** Every alert has its own incident, and the numbers have no gap. */
async function assertOneEach(project: MadeProject, size: number): Promise<void> {
  expect(await waitingReactions(app)).toEqual([]);
  const [counts] = await app.dataSource.query<object[]>(
    `SELECT count(DISTINCT a.issue_id)::int AS linked, count(*) FILTER (WHERE a.title <> i.title)::int AS wrong,
       (SELECT count(*)::int FROM issues WHERE project_id = $1) AS issues,
       (SELECT max(iid)::int FROM issues WHERE project_id = $1) AS last,
       (SELECT count(*)::int FROM notes n JOIN alerts na ON na.id = n.alert_id
        WHERE na.project_id = $1) AS notes
     FROM alerts a JOIN issues i ON i.id = a.issue_id WHERE a.project_id = $1`,
    [project.id],
  );
  expect(counts).toEqual({ linked: size, wrong: 0, issues: size, last: size, notes: size });
}

describe('a storm of alerts', () => {
  it('opens one incident for each, whichever of two workers does it', async () => {
    const project = await openingProject();
    const pair = [await start(), await start()];
    await storm(project, 2_000);
    await Promise.all(pair.map(react));
    await eventually(() => assertOneEach(project, 2_000), { seconds: 30 });
  });

  it('is worked off by the next worker when one stops in its midst', async () => {
    const project = await openingProject();
    await storm(project, 2_000);
    const first = await start();
    await eventually(async () => {
      const opened = await app.dataSource.manager.countBy(Issue, { projectId: project.id });
      expect(opened).toBeGreaterThan(0);
    });
    await first.close();
    workers.splice(0);
    const left = await waitingReactions(app);
    const opened = await app.dataSource.manager.countBy(Issue, { projectId: project.id });
    expect(opened + left.length).toBe(2_000);
    await react(await start());
    await assertOneEach(project, 2_000);
  });
});

describe('a reaction', () => {
  it('that fails is undone, stops no other and waits longer each time', async () => {
    const project = await openingProject();
    const alerts = [await makeAlert(app, project), await makeAlert(app, project)];
    // No issue may have such a title: the whole batch fails with it.
    const poison = await makeAlert(app, project, { title: 'x'.repeat(300) });
    for (const alert of [poison, ...alerts]) await makeReaction(app, alert, 'open_incident');
    const worker = await start();
    await react(worker);
    expect(await app.dataSource.manager.countBy(Issue, { projectId: project.id })).toBe(2);
    const pauses: number[] = [];
    for (const attempts of [1, 2, 3]) {
      const [row, ...others] = await waitingReactions(app);
      expect(others).toEqual([]);
      expect(row).toMatchObject({ alertId: poison.id, kind: 'open_incident', attempts });
      pauses.push(((row?.notBefore.getTime() ?? 0) - Date.now()) / 1_000);
      await react(worker);
      expect((await waitingReactions(app))[0]?.attempts).toBe(attempts);
      await app.dataSource.query('UPDATE alert_reactions SET not_before = now()');
      await react(worker);
    }
    expect(pauses.map((pause) => Math.round(pause / 5) * 5)).toEqual([5, 20, 80]);
    await app.dataSource.manager.update(Alert, { id: poison.id }, { title: 'Fine' });
    await app.dataSource.query('UPDATE alert_reactions SET not_before = now()');
    await react(worker);
    expect(await waitingReactions(app)).toEqual([]);
    expect(await app.dataSource.manager.countBy(Issue, { projectId: project.id })).toBe(3);
  });

  it('waits for a locked alert, while others go on', async () => {
    const project = await openingProject();
    const [held, free] = [await makeAlert(app, project), await makeAlert(app, project)];
    const worker = await start();
    await app.dataSource.transaction(async (tx) => {
      await tx.query('UPDATE alerts SET event_count = 2 WHERE id = $1', [held.id]);
      // Together: a worker that saw the held one alone would wait for it before it looks again.
      await app.dataSource.query(
        `INSERT INTO alert_reactions (alert_id, kind) VALUES ($1, 'open_incident'), ($2, 'open_incident')`,
        [held.id, free.id],
      );
      void react(worker);
      await eventually(async () => {
        const row = await app.dataSource.manager.findOneByOrFail(Alert, { id: free.id });
        expect(row.issueId).not.toBeNull();
      });
    });
    await eventually(async () => expect(await waitingReactions(app)).toEqual([]));
    const issues = await app.dataSource.manager.countBy(Issue, { projectId: project.id });
    expect(issues).toBe(2);
  });

  it('opens no incident beside one that a person gives the alert meanwhile', async () => {
    const project = await openingProject();
    const alert = await makeAlert(app, project);
    const manual = {
      projectId: project.id,
      iid: 1,
      title: 'By hand',
      authorId: (await makeUser(app)).id,
    };
    const worker = await start();
    await app.dataSource.transaction(async (tx) => {
      const { identifiers } = await tx.insert(Issue, manual);
      await tx.update(Alert, { id: alert.id }, { issueId: identifiers[0]?.['id'] as number });
      await makeReaction(app, alert, 'open_incident');
      void react(worker);
      await eventually(async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(await app.dataSource.query<object[]>(waiting)).toHaveLength(1);
      });
    });
    await eventually(async () => expect(await waitingReactions(app)).toEqual([]));
    const issues = await app.dataSource.manager.findBy(Issue, { projectId: project.id });
    expect(issues.map(({ title }) => title)).toEqual(['By hand']);
  });

  it('is found by a worker without a wake-up', async () => {
    const project = await openingProject();
    await start();
    await makeReaction(app, await makeAlert(app, project), 'open_incident');
    await eventually(async () => expect(await waitingReactions(app)).toEqual([]));
    expect(await app.dataSource.manager.countBy(Issue, { projectId: project.id })).toBe(1);
  });
});
