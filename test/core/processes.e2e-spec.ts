import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { BuiltProcesses, logged, portOf } from '../support/built-process.js';
import { makeDataDir } from '../support/config.js';
import { createTestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const processes = new BuiltProcesses();
afterEach(() => processes.remove());

async function healthOf(port: number): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/-/health`)).status;
}

/** Begins a request whose body is still to come. */
async function beginRequest(port: number): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    'POST /api/v4/snippets HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
  );
  // The interim answer tells that the server is at work on the request.
  await once(socket, 'data');
  return { socket, answer: text(socket) };
}

describe('the web process', () => {
  it('finishes running requests on SIGTERM, takes no new ones and exits with 0', async () => {
    const web = await processes.start('main.js');
    const port = await portOf(web);
    expect(await healthOf(port)).toBe(200);
    const { socket, answer } = await beginRequest(port);
    web.child.kill('SIGTERM');
    await eventually(async () => {
      await expect(healthOf(port)).rejects.toThrow();
    });
    expect(web.child.exitCode).toBeNull();
    socket.write('{}');
    expect(await answer).toMatch(/^HTTP\/1\.1 401 Unauthorized/);
    expect(await web.exited).toEqual([0, null]);
    const lines = (await web.output).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg?: string }).msg)).toContain('stopped');
  });

  it('stops when the process that started it is gone', async () => {
    const web = await processes.start('main.js');
    await portOf(web);
    web.child.disconnect();
    expect(await web.exited).toEqual([0, null]);
  });

  it('survives the loss of its database, and logs each failed request', async () => {
    const database = await createTestDatabase();
    const web = await processes.start('main.js', { database });
    const port = await portOf(web);
    const listed = async () => (await fetch(`http://127.0.0.1:${port}/api/v4/projects`)).status;
    expect(await listed()).toBe(200);
    await database.drop();
    for (let count = 0; count < 3; count += 1) expect(await listed()).toBeGreaterThanOrEqual(500);
    expect(await healthOf(port)).toBe(200);
    // The line and the response come by different ways, in no order.
    await eventually(() =>
      expect(web.said()).toMatch(/"level":"error".*"stack":".*src\/.*\.ts:\d+/),
    );
  });

  it('names every mistake of its configuration, without a stack', async () => {
    const web = processes.run('main.js', { PORT: 'x', LOG_LEVEL: 'loud' });
    expect(await web.exited).toEqual([1, null]);
    expect(await web.output).toBe(
      [
        'The configuration is not usable:',
        '  PORT must be an integer from 0 to 65535',
        '  DATABASE_URL is required',
        '  REDIS_URL is required',
        '  LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
        '',
      ].join('\n'),
    );
  });

  it('exits with 1 and a reason when its database is not there', async () => {
    const dataDir = await makeDataDir();
    const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none';
    const REDIS_URL = String(process.env['TEST_REDIS_URL']);
    const web = processes.run('main.js', { DATABASE_URL, REDIS_URL, DATA_DIR: dataDir });
    expect(await web.exited).toEqual([1, null]);
    expect(await web.output).toContain('ECONNREFUSED');
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe('the schema of the database', () => {
  it('is required whole by web and worker, which name the command in one line', async () => {
    const [empty, older] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await administer(empty.url, 'DROP TABLE schema_migrations');
    await administer(older.url, `DELETE FROM schema_migrations WHERE name = 'Labels1796000200000'`);
    const [web, worker] = [
      await processes.start('main.js', { database: empty, env: { WEB_PROCESSES: '2' } }),
      await processes.start('worker.js', { database: older }),
    ];
    expect([await web.exited, await worker.exited]).toEqual([
      [1, null],
      [1, null],
    ]);
    const lines = [await web.output, await worker.output].map((output) => output.trim());
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'the database is empty: run `guildhall migrate`',
      'the database lacks Labels1796000200000: run `guildhall migrate`',
    ]);
  });

  it('can have migrations of a newer version', async () => {
    const database = await createTestDatabase();
    await administer(
      database.url,
      `INSERT INTO schema_migrations (timestamp, name) VALUES (9999999999999, 'Later')`,
    );
    const web = await processes.start('main.js', { database });
    expect(await healthOf(await portOf(web))).toBe(200);
  });
});

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe('the worker process', () => {
  it('stops in order on SIGTERM, with all that it supervises', async () => {
    const worker = await processes.start('worker.js', { env: { WORKER_PROCESSES: '2' } });
    for (const number of [1, 2]) {
      await logged(worker, new RegExp(`"process":${number},"msg":"worker process is ready"`));
    }
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toEqual([0, null]);
    expect((await worker.output).match(/"process":[12],"msg":"stopped"/g)).toHaveLength(2);
  });
});
