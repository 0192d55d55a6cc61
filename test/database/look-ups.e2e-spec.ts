import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Sql } from '../../src/core/sql/sql.service.js';
import { makeIntegration, postAlert } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';

/** Sessions of the application that wait for a lock of another transaction. */
const WAITING_SQL = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('the connection that look-ups share', () => {
  let app: OwnTestApp;
  let sql: Sql;
  let shared: number;
  let actor: MadeActor;
  let project: MadeProject;

  beforeAll(async () => {
    app = await startTestApp();
    sql = app.app.get(Sql);
    actor = await makeActor(app);
    project = await makeProject(app, { namespaceId: actor.user.namespaceId });
  });

  afterAll(() => app.close());

  /** The process of PostgreSQL that answers a look-up. */
  const server = async (): Promise<number> =>
    (await sql.lookUp<{ pid: number }>('SELECT pg_backend_pid() AS pid', []))?.pid ?? 0;

  /** Waits until look-ups that are asked for together have one connection. */
  const connected = (): Promise<number> =>
    eventually(async () => {
      const pids = new Set(await Promise.all(Array.from({ length: 5 }, server)));
      expect(pids.size).toBe(1);
      return [...pids][0] ?? 0;
    });

  beforeEach(async () => {
    shared = await connected();
  });

  const readProject = async (): Promise<number> =>
    (await actor.api.get(`/projects/${project.id}`)).status;

  const waiting = async (): Promise<number[]> => {
    const rows: { pid: number }[] = await app.dataSource.query(WAITING_SQL);
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

  it('answers look-ups behind a slow one by the pool, then and later', async () => {
    const counting = await whileLocked('alert_integrations', async () => {
      const slow = sql.lookUp('SELECT count(*) AS count FROM alert_integrations', []);
      expect(await server()).not.toBe(shared);
      expect(await Promise.all([server(), server()])).not.toContain(shared);
      expect(await waiting()).toContain(shared);
      return { slow };
    });

    expect(await counting.slow).toHaveProperty('count');
    expect(await connected()).toBe(shared);
  });

  it('holds up no request behind a look-up that waits for a lock', async () => {
    const { url, token } = await makeIntegration(app, project);
    const posting = await whileLocked('alert_integrations', async () => {
      const found = postAlert(url, token, { title: 'Disk is full' });
      await eventually(async () => (await waiting()).includes(shared));
      const statuses = await Promise.all(Array.from({ length: 10 }, readProject));
      expect(new Set(statuses)).toEqual(new Set([200]));
      return { found };
    });

    expect((await posting.found).status).toBe(200);
  });

  it('leaves its look-ups to the pool when the database ends it under way', async () => {
    const reading = await whileLocked('projects', async () => {
      const found = readProject();
      await eventually(async () => (await waiting()).includes(shared));
      await app.dataSource.query('SELECT pg_terminate_backend($1)', [shared]);
      return { found };
    });

    expect(await reading.found).toBe(200);
    expect(await connected()).not.toBe(shared);
  });

  it('passes on the error of a statement', async () => {
    await expect(sql.lookUp('SELECT 1 / $1::int AS one', [0])).rejects.toThrow('division by zero');
    await expect(Promise.all([sql.lookUp('SELECT no_such_column', []), server()])).rejects.toThrow(
      'no_such_column',
    );
    expect(await connected()).toBe(shared);
  });
});
