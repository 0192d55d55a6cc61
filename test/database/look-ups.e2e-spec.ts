import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeIntegration, postAlert } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';

const CONNECTIONS_SQL = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const WAITING_SQL = `${CONNECTIONS_SQL} AND wait_event_type = 'Lock'`;

describe('the connection that look-ups share', () => {
  let app: OwnTestApp;
  let actor: MadeActor;
  let project: MadeProject;

  beforeAll(async () => {
    app = await startTestApp();
    actor = await makeActor(app);
    project = await makeProject(app, { namespaceId: actor.user.namespaceId });
    // The first request connects.
    await readProject();
    await eventually(async () => (await pids(CONNECTIONS_SQL)).length > 0);
  });

  afterAll(() => app.close());

  const read = async (path: string): Promise<number> => (await actor.api.get(path)).status;

  const readProject = () => read(`/projects/${project.id}`);

  const pids = async (sql: string): Promise<number[]> => {
    const rows: { pid: number }[] = await app.dataSource.query(sql);
    return rows.map(({ pid }) => pid);
  };

  /** Runs `work` while no other transaction can read the table. */
  const whileLocked = async <T>(table: string, work: () => Promise<T>): Promise<T> => {
    const runner = app.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      return await work();
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  };

  it('serves forty requests at once without opening further ones', async () => {
    await readProject();
    const before = await pids(CONNECTIONS_SQL);

    const statuses = await Promise.all(Array.from({ length: 40 }, readProject));

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await pids(CONNECTIONS_SQL)).length).toBe(before.length);
  });

  it('holds up no request behind a look-up that waits for a lock', async () => {
    const { url, token } = await makeIntegration(app, project);
    const posting = await whileLocked('alert_integrations', async () => {
      const found = postAlert(url, token, { title: 'Disk is full' });
      await eventually(async () => (await pids(WAITING_SQL)).length > 0);
      const statuses = await Promise.all(Array.from({ length: 10 }, readProject));
      expect(new Set(statuses)).toEqual(new Set([200]));
      return { found };
    });

    expect((await posting.found).status).toBe(200);
  });

  it('asks again when the database ends it under way', async () => {
    const reading = await whileLocked('projects', async () => {
      const found = readProject();
      await eventually(async () => (await pids(WAITING_SQL)).length > 0);
      await app.dataSource.query(`SELECT pg_terminate_backend(pid) FROM (${WAITING_SQL}) waiting`);
      return { found };
    });

    expect(await reading.found).toBe(200);
    expect(await readProject()).toBe(200);
  });
});
