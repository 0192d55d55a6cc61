import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { AbandonedWrites } from '../../../src/git/abandoned-writes.service.js';
import { openWrites } from '../../git-http/world.js';
import type { TestApp } from '../../support/app.js';
import { redisUrlOf } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { openPort } from '../../support/listening-port.js';

const MAIN = resolve('dist/main.js');

/** A web process of its own, to be killed, on the test's database and storages. */
export class KillableWeb {
  private constructor(
    private readonly app: TestApp,
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(app: TestApp): Promise<KillableWeb> {
    const { port, handle } = await openPort();
    handle.close();
    const url = `http://127.0.0.1:${port}`;
    const { databaseUrl, dataDir, secretKey } = app.config;
    const child = spawn(process.execPath, [MAIN], {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        PORT: String(port),
        WEB_PROCESSES: '1',
        BASE_URL: url,
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrlOf(app.config),
        DATA_DIR: dataDir,
        SECRET_KEY: secretKey,
      },
    });
    await eventually(async () => (await fetch(`${url}/-/health`)).ok, { seconds: 60 });
    return new KillableWeb(app, child, url);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /**
   * Holds back what `lock` locks, lets `act` run into it, kills the process as it waits there, and
   * gives the lock back.
   */
  async killAt(lock: { sql: string; values?: unknown[] }, act: () => void): Promise<void> {
    const holder = this.app.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(lock.sql, lock.values);
    act();
    await eventually(
      async () => {
        const [row] = await this.app.dataSource.query<{ n: number }[]>(
          `SELECT count(*)::int AS n FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return row?.n === 1;
      },
      { seconds: 30 },
    );
    this.kill();
    await once(this.child, 'exit');
    await holder.rollbackTransaction();
    await holder.release();
  }
}

/** Lets the sweeper take open writes for dead and waits until it has closed them. */
export async function recoverWrites(app: TestApp): Promise<void> {
  const abandonedWrites = app.app.get(AbandonedWrites, { strict: false });
  await eventually(async () => {
    // Each time: a last statement of the killed process may still come through.
    await app.dataSource.query(`UPDATE inflight_writes SET heartbeat_at = now() - interval '61 s'`);
    await abandonedWrites.recover();
    return (await openWrites(app)) === 0;
  });
}
