import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { RecentWrites } from '../../src/core/sql/replica/recent-writes.service.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeActor, makeAdmin, type MadeActor, unique } from '../support/factories.js';

/** With replicas that answer and lag: test/faults/replica. */
describe('a DATABASE_REPLICA_URL of a server that is no replica', () => {
  let other: TestDatabase;
  let app: OwnTestApp;
  beforeAll(async () => {
    other = await createTestDatabase();
    const env = { DATABASE_REPLICA_URL: other.url, METRICS_TOKEN: 'metrics-metrics-metrics' };
    app = await startTestApp({ env });
  });
  afterAll(async () => {
    await app.close();
    await other.drop();
  });

  it('is never read from', async () => {
    const { api, user } = await makeActor(app);
    const name = unique('project');
    const { body } = await api.post('/projects', { name }).expect(201);
    const { id } = body as { id: number };
    await api.get(`/projects/${id}`).expect(200);
    const list = await api.get('/projects?owned=true').expect(200);
    expect(list.body).toMatchObject([{ id, name }]);
    await api.get(`/users/${user.id}`).expect(200);
  });

  it('counts no GET as a write, also where rows are read by other ways', async () => {
    const [owner, reader] = [await makeActor(app), await makeAdmin(app)];
    const { body } = await owner.api.post('/projects', { name: unique('project') }).expect(201);
    const { id } = body as { id: number };
    const settings = { active: true, integrated: true };
    await owner.api.put(`/projects/${id}/error_tracking/settings`, settings).expect(200);
    const writes = app.app.get(RecentWrites, { strict: false });
    const isWriter = ({ user }: MadeActor): Promise<boolean> => writes.include([`user:${user.id}`]);
    expect(await isWriter(owner)).toBe(true);
    for (const path of [
      '/search?scope=issues&search=something',
      `/projects/${id}/alert_management/settings`,
      `/projects/${id}/error_tracking/settings`,
      `/projects/${id}/error_tracking/errors`,
      '/projects',
    ]) {
      await reader.api.get(path).expect(200);
      expect({ path, isWriter: await isWriter(reader) }).toEqual({ path, isWriter: false });
    }
  });

  it('is shown by the readiness check, and does not make the process unready', async () => {
    const { body } = await request(app.url).get('/-/readiness');
    expect(body).toMatchObject({
      database_check: [{ status: 'ok' }],
      replica_check: [{ status: 'failed', message: 'not in use; the primary serves reads' }],
    });
  });

  it('is infinitely old in the metrics, which count the reads of the primary', async () => {
    const { api } = await makeActor(app);
    await api.get('/projects').expect(200);
    const { text } = await request(app.url)
      .get('/-/metrics')
      .set('authorization', 'Bearer metrics-metrics-metrics');
    expect(text).toMatch(/^guildhall_db_replica_lag_seconds \+Inf$/m);
    expect(text).toMatch(/^guildhall_db_reads_total\{server="primary"\} [1-9]/m);
  });

  it('fails guildhall doctor', async () => {
    const { queuePrefix: name, databaseUrl: url, dataDir } = app.config;
    const env = cliEnvironment({ name, url }, dataDir, { DATABASE_REPLICA_URL: other.url });
    const { stdout } = await runGuildhall(['doctor', '--json'], { env });
    expect(JSON.parse(stdout)).toContainEqual({
      check: 'replica',
      status: 'failed',
      message: 'DATABASE_REPLICA_URL names a server that is not a replica',
    });
  });
});
