import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { commitFiles } from '../../src/git/git-commit.js';
import { DeadWrites } from '../../src/git/dead-writes.service.js';
import { gitOutput } from '../../src/git/git-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeToken } from '../support/factories.js';
import { openPort } from '../support/listening-port.js';
import { makePack, pushBody, SlowPush } from '../git-http/raw-push.js';
import { makeProject, openWrites, recordedUpdates } from '../git-http/world.js';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

let app: TestApp;
let web: ChildProcess;
let webUrl: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(() => {
  web.kill('SIGKILL');
});

/** A web process of its own, to be killed, on the test's database and storages. */
async function startWeb(): Promise<void> {
  const { port, handle } = await openPort();
  handle.close();
  webUrl = `http://127.0.0.1:${port}`;
  const { databaseUrl, redisUrl, dataDir, secretKey } = app.config;
  web = spawn(process.execPath, [MAIN], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      PORT: String(port),
      BASE_URL: webUrl,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
    },
  });
  await eventually(async () => (await fetch(`${webUrl}/-/health`)).ok, { seconds: 30 });
}

/** A push to `side`, begun: the web process holds its lease and waits for the rest. */
async function beginPush() {
  const project = await makeProject(app);
  const token = await makeToken(app, project.owner);
  const { oid: newOid, parent } = await commitFiles(project.directory, {
    branch: 'source',
    message: 'x',
    author: { name: 'Ada', email: 'ada@example.com', date: new Date() },
    changes: [{ path: 'a', content: 'a' }],
  });
  const pack = await makePack(project.directory, newOid, parent ?? newOid);
  const oldOid = '0'.repeat(40);
  const body = pushBody({ ref: 'refs/heads/side', oldOid, newOid, pack });
  const push = new SlowPush({ ...app, url: webUrl }, project.fullPath, token);
  // All of the commands, nothing of the pack.
  const packAt = body.indexOf('PACK');
  push.write(body.subarray(0, packAt));
  await eventually(async () => (await openWrites(app)) === 1);
  const finish = (): void => {
    push.write(body.subarray(packAt));
    push.end();
  };
  return { project, finish };
}

async function killWebWhenItWaitsForALock(): Promise<void> {
  await eventually(async () => {
    const [row] = await app.dataSource.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.n === 1;
  });
  web.kill('SIGKILL');
  await once(web, 'exit');
}

/** Lets the sweeper take the write for dead and waits until it has closed it. */
async function recover(): Promise<void> {
  const deadWrites = app.app.get(DeadWrites, { strict: false });
  await eventually(async () => {
    // Each time: a last statement of the killed process may still come through.
    await app.dataSource.query(`UPDATE inflight_writes SET heartbeat_at = now() - interval '61 s'`);
    await deadWrites.recover();
    return (await openWrites(app)) === 0;
  });
}

async function hasSide(directory: string): Promise<boolean> {
  const refs = await gitOutput(['for-each-ref', 'refs/heads/side'], { cwd: directory });
  return refs.length > 0;
}

describe('a web process killed during a push', () => {
  it('before it gave consent: no ref changes and nothing is recorded', async () => {
    await startWeb();
    const { project, finish } = await beginPush();
    const holder = app.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT 1 FROM inflight_writes FOR UPDATE');
    finish();
    await killWebWhenItWaitsForALock();
    await holder.rollbackTransaction();
    await holder.release();
    await recover();
    expect(await hasSide(project.directory)).toBe(false);
    expect(await recordedUpdates(app, project.id)).toEqual([]);
  });

  it('after the refs changed: the push is found and recorded exactly once', async () => {
    await startWeb();
    const { project, finish } = await beginPush();
    const holder = app.dataSource.createQueryRunner();
    await holder.startTransaction();
    // Recording ends with this row; until then nothing of it is committed.
    await holder.query('SELECT 1 FROM projects WHERE id = $1 FOR UPDATE', [project.id]);
    finish();
    await killWebWhenItWaitsForALock();
    await holder.rollbackTransaction();
    await holder.release();
    expect(await recordedUpdates(app, project.id)).toEqual([]);
    await recover();
    expect(await hasSide(project.directory)).toBe(true);
    expect(await recordedUpdates(app, project.id)).toHaveLength(1);
  });
});
