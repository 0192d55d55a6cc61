import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/database.module.js';
import { follows } from '../docs/document.js';
import { api } from '../support/api-client.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { makeActor, type MadeActor, unique } from '../support/factories.js';
import { freePort } from '../../deploy/local/ports.js';
import { startRedisServer } from '../support/redis-program.js';
import { FaultProcess } from './support/fault-process.js';
import { METRICS_TOKEN, Operator } from './support/operator.js';
import { makePostgresPair, type PostgresServer } from './support/postgres-servers.js';

follows('docs/runbook.md', 'replication');

/** Longer than what was written is kept on the primary, and than a replica may be behind. */
const AFTER_WRITE_MS = 5_500;

let folder: string;
let primary: PostgresServer;
let replica: PostgresServer;
let redis: ChildProcess;
let redisPort: number;
let dataSource: DataSource;
const nodes: { url: string; web: FaultProcess }[] = [];

function startRedis(): void {
  redis = startRedisServer(['--bind', '127.0.0.1', '--port', String(redisPort), '--save', '']);
}

function environment(port: number): Record<string, string> {
  return {
    ...cliEnvironment({ name: 'replica', url: primary.url() }, join(folder, 'data')),
    DATABASE_REPLICA_URL: replica.url(),
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    PATH: String(process.env['PATH']),
    HOST: '127.0.0.1',
    PORT: String(port),
    WEB_PROCESSES: '1',
    BASE_URL: 'http://127.0.0.1',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
    METRICS_TOKEN,
  };
}

async function startNode(): Promise<void> {
  const port = await freePort();
  const logFile = join(folder, `web-${nodes.length}.log`);
  const web = FaultProcess.start('main.js', { env: environment(port), logFile });
  const url = `http://127.0.0.1:${port}`;
  nodes.push({ url, web });
  await eventually(async () => (await fetch(`${url}/-/health`)).ok, { seconds: 60 });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-replica-'));
  // PostgreSQL of a root user runs as another user, who must get through.
  await chmod(folder, 0o711);
  const [first, second] = [await freePort(), await freePort()];
  const host = '127.0.0.1';
  const places = { primary: { host, port: first }, replica: { host, port: second } };
  ({ primary, replica } = await makePostgresPair(folder, places));
  await primary.start();
  await primary.query('CREATE DATABASE guildhall', 'postgres');
  await replica.start({ max_standby_streaming_delay: '0' });
  const settings = { databaseUrl: primary.url(), poolSize: 2, statementTimeoutMs: 0 };
  dataSource = new DataSource({ ...dataSourceOptions(settings), logging: false });
  await dataSource.initialize();
  await dataSource.runMigrations();
  redisPort = await freePort();
  startRedis();
  await startNode();
  await startNode();
}, 120_000);

afterAll(async () => {
  await Promise.all(nodes.map(({ web }) => web.kill()));
  redis.kill('SIGKILL');
  await dataSource.destroy();
  await Promise.all([primary.kill(), replica.kill()]);
  await rm(folder, { recursive: true, force: true });
});

const urlOf = (node: number): string => nodes[node]?.url ?? '';

/** A user, and projects of that user as either node lists them. */
async function makeWriter(): Promise<{
  actor: MadeActor;
  create(node: number): Promise<string>;
  list(node: number): Promise<string[]>;
}> {
  const actor = await makeActor({ dataSource, url: urlOf(0) });
  return {
    actor,
    create: async (node) => {
      const name = unique('project');
      await api(urlOf(node), actor.token).post('/projects', { name }).expect(201);
      return name;
    },
    list: async (node) => {
      const { body } = await api(urlOf(node), actor.token).get('/projects?owned=true').expect(200);
      return (body as { name: string }[]).map(({ name }) => name);
    },
  };
}

async function metric(node: number, name: string): Promise<number> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${urlOf(node)}/-/metrics`, { headers })).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `)) ?? '';
  return Number(line.slice(name.length + 1));
}

const readsFrom = (server: string): Promise<number> =>
  metric(0, `guildhall_db_reads_total{server="${server}"}`);

/** Waits until reads of either node go to the replica again. */
async function replicaIsUsed(): Promise<void> {
  for (const { url } of nodes) {
    await eventually(async () => {
      const response = await fetch(`${url}/-/readiness`);
      const body = (await response.json()) as { replica_check: { status: string }[] };
      return body.replica_check[0]?.status === 'ok';
    });
  }
}

/** The person on call, who follows the runbook at a node and reads from a server of PostgreSQL. */
const onCall = (node: number, server: PostgresServer = primary): Operator => {
  const rows = async <T>(text: string): Promise<T[]> => (await server.query(text)) as T[];
  const access = { url: urlOf(node), environment: environment(0), rows };
  return Operator.at(access, 'The replica is behind');
};

const pause = (): Promise<object[]> => replica.query('SELECT pg_wal_replay_pause()');
afterEach(() => replica.query('SELECT pg_wal_replay_resume()'));

describe('a streaming replica', () => {
  it('answers reads of those who have not written, as the metrics show', async () => {
    const { list } = await makeWriter();
    await replicaIsUsed();
    const before = await readsFrom('replica');
    await list(0);
    expect(await readsFrom('replica')).toBeGreaterThan(before);
    expect(await metric(0, 'guildhall_db_replica_lag_seconds')).toBeLessThan(1);
  });

  it('is not asked by a writer on any node while it is behind, but by others', async () => {
    const [writer, reader] = [await makeWriter(), await makeWriter()];
    await replicaIsUsed();
    await pause();
    const name = await writer.create(0);
    expect(await writer.list(0)).toEqual([name]);
    expect(await writer.list(1)).toEqual([name]);
    const seen = await api(urlOf(1), reader.actor.token).get(
      '/projects?simple=true&search=' + name,
    );
    expect({ status: seen.status, body: seen.body as unknown }).toEqual({ status: 200, body: [] });
  });

  it('decides about revoked tokens at once, however far the replica is behind', async () => {
    const { actor } = await makeWriter();
    await replicaIsUsed();
    await pause();
    const { token } = actor;
    await api(urlOf(0), token).delete('/personal_access_tokens/self').expect(204);
    await eventually(() => api(urlOf(1), token).get('/projects').expect(401));
  });

  it('is left out when it is more than two seconds behind', async () => {
    const [writer, reader] = [await makeWriter(), await makeWriter()];
    await replicaIsUsed();
    await pause();
    const name = await writer.create(0);
    await eventually(async () => {
      const { body } = await api(urlOf(1), reader.actor.token).get(
        `/users/${writer.actor.user.id}`,
      );
      expect(body).toMatchObject({ id: writer.actor.user.id });
      expect(await metric(1, 'guildhall_db_replica_lag_seconds')).toBeGreaterThan(2);
    });
    const operator = onCall(1);
    await operator.sees('guildhall_db_replica_lag_seconds', (seconds) => seconds > 2);
    expect(await operator.unready()).toEqual(['replica_check']);
    const [received] = await operator.queries<{ behind: string }>('replication', 'On the primary');
    expect(received).toMatchObject({
      state: 'streaming',
      behind: expect.stringMatching(/ (?:bytes|[kM]B)$/),
    });
    const shown = await onCall(1, replica).queries('replication', 'On the replica');
    expect(shown).toMatchObject([{ is_paused: true }]);
    await delay(AFTER_WRITE_MS);
    expect(await writer.list(0)).toEqual([name]);
    expect(await writer.list(1)).toEqual([name]);
  });

  it('fails no request when its reads conflict with recovery', async () => {
    const readers = await Promise.all(Array.from({ length: 8 }, makeWriter));
    await replicaIsUsed();
    let isOver = false;
    const statuses: Record<number, number> = {};
    const reading = readers.map(async ({ actor }, index) => {
      while (!isOver) {
        const { status } = await api(urlOf(index % 2), actor.token).get('/projects');
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    });
    await eventually(
      async () => {
        await primary.query(
          `DO $$ BEGIN FOR i IN 1..100 LOOP
             LOCK TABLE projects IN ACCESS EXCLUSIVE MODE; COMMIT;
           END LOOP; END $$`,
        );
        const [row] = await replica.query<{ n: number }>(
          `SELECT confl_lock::int AS n
           FROM pg_stat_database_conflicts WHERE datname = 'guildhall'`,
        );
        return (row?.n ?? 0) > 0;
      },
      { seconds: 40, everyMs: 1 },
    );
    isOver = true;
    await Promise.all(reading);
    console.log('answers by status while reads conflicted:', statuses);
    expect(Object.keys(statuses)).toEqual(['200']);
  });

  it('fails no request when it is suspended or killed, and is used again afterwards', async () => {
    const { list, create } = await makeWriter();
    const name = await create(0);
    await replicaIsUsed();
    await replica.kill();
    for (let times = 0; times < 20; times += 1) expect(await list(times % 2)).toEqual([name]);
    const { status } = await fetch(`${urlOf(0)}/-/readiness`);
    expect(status).toBe(200);
    await replica.start({ max_standby_streaming_delay: '0' });
    await replicaIsUsed();
    const before = await readsFrom('replica');
    await delay(AFTER_WRITE_MS);
    expect(await list(0)).toEqual([name]);
    expect(await readsFrom('replica')).toBeGreaterThan(before);
  });

  it('is not asked while Redis cannot tell who has written', async () => {
    const { list, create } = await makeWriter();
    const name = await create(0);
    await replicaIsUsed();
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    const before = await readsFrom('replica');
    expect(await list(0)).toEqual([name]);
    expect(await readsFrom('replica')).toBe(before);
    startRedis();
    await eventually(async () => {
      await list(0);
      expect(await readsFrom('replica')).toBeGreaterThan(before);
    });
  });

  it('is checked by guildhall doctor', async () => {
    const doctor = async (): Promise<unknown> => {
      const env = environment(0);
      const { stdout } = await runGuildhall(['doctor', '--json'], { env });
      const findings = JSON.parse(stdout) as { check: string; message: string }[];
      return findings.filter(({ check }) => check === 'replica');
    };
    expect(await doctor()).toEqual([
      { check: 'replica', status: 'warning', message: expect.stringContaining('feedback') },
    ]);
    await replica.query('ALTER SYSTEM SET hot_standby_feedback = on');
    await replica.query('SELECT pg_reload_conf()');
    await eventually(async () => {
      expect(await doctor()).toEqual([{ check: 'replica', status: 'ok', message: '' }]);
    });
    await pause();
    await makeWriter();
    expect(await doctor()).toEqual([
      { check: 'replica', status: 'failed', message: expect.stringContaining('behind') },
    ]);
  });
});
