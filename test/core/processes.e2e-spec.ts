import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { makeDataDir } from '../support/config.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface StartedProcess {
  child: ChildProcess;
  /** Returns the output so far. */
  said(): string;
  output: Promise<string>;
  exited: Promise<unknown[]>;
}

async function textOf(stream: Readable | null): Promise<string> {
  return stream === null ? '' : text(stream);
}

/** Runs a built process with only the given variables. */
function run(file: string, env: Record<string, string>): StartedProcess {
  const child = spawn(process.execPath, [resolve('dist', file)], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  cleanups.push(async () => child.kill('SIGKILL'));
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const output = Promise.all([textOf(child.stdout), textOf(child.stderr)]).then((texts) =>
    texts.join(''),
  );
  return { child, said: () => said, output, exited: once(child, 'exit') };
}

async function startProcess(file: string, database?: TestDatabase): Promise<StartedProcess> {
  database ??= await createTestDatabase();
  const dataDir = await makeDataDir();
  const { drop, url, name } = database;
  cleanups.push(drop);
  cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
  return run(file, {
    DATABASE_URL: url,
    REDIS_URL: String(process.env['TEST_REDIS_URL']),
    QUEUE_PREFIX: name,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
  });
}

async function firstOutput({ child }: StartedProcess): Promise<void> {
  if (child.stdout === null) throw new Error('the output is not captured');
  await once(child.stdout, 'data');
}

async function endedTooEarly({ exited, output }: StartedProcess): Promise<never> {
  await exited;
  throw new Error(`the process ended by itself: ${await output}`);
}

/** The port that a web process has opened; loading its modules takes long on a busy machine. */
async function portOf(web: StartedProcess): Promise<number> {
  const said = /"port":(\d+),.*"msg":"web process is ready"/;
  const opened = eventually(() => said.exec(web.said())?.[1] ?? false, { seconds: 28 });
  return Number(await Promise.race([opened, endedTooEarly(web)]));
}

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
    const web = await startProcess('main.js');
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
    const web = await startProcess('main.js');
    await portOf(web);
    web.child.disconnect();
    expect(await web.exited).toEqual([0, null]);
  });

  it('survives the loss of its database, and logs each failed request', async () => {
    const database = await createTestDatabase();
    const web = await startProcess('main.js', database);
    const port = await portOf(web);
    const listed = async () => (await fetch(`http://127.0.0.1:${port}/api/v4/projects`)).status;
    expect(await listed()).toBe(200);
    await database.drop();
    for (let count = 0; count < 3; count += 1) expect(await listed()).toBeGreaterThanOrEqual(500);
    expect(await healthOf(port)).toBe(200);
    expect(web.said()).toMatch(/"level":"error".*"stack":".*src\/.*\.ts:\d+/);
  });

  it('names every mistake of its configuration, without a stack', async () => {
    const web = run('main.js', { PORT: 'x', LOG_LEVEL: 'loud' });
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
    cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
    const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none';
    const REDIS_URL = String(process.env['TEST_REDIS_URL']);
    const web = run('main.js', { DATABASE_URL, REDIS_URL, DATA_DIR: dataDir });
    expect(await web.exited).toEqual([1, null]);
    expect(await web.output).toContain('ECONNREFUSED');
  });
});

describe('the schema of the database', () => {
  it('is required whole by web and worker, which name the command in one line', async () => {
    const [empty, older] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await administer(empty.url, 'DROP TABLE schema_migrations');
    await administer(older.url, `DELETE FROM schema_migrations WHERE name = 'Labels1796000200000'`);
    const [web, worker] = [
      await startProcess('main.js', empty),
      await startProcess('worker.js', older),
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
    const web = await startProcess('main.js', database);
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
  it('stops in order on SIGTERM', async () => {
    const worker = await startProcess('worker.js');
    await Promise.race([firstOutput(worker), endedTooEarly(worker)]);
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toEqual([0, null]);
    expect(await worker.output).toContain('"msg":"stopped"');
  });
});
