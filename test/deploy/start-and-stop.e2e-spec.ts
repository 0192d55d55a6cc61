import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { runCommand, type CommandResult } from '../support/command.js';
import { eventually } from '../support/eventually.js';

interface Running {
  child: ChildProcessByStdio<null, Readable, Readable>;
  /** Everything said so far. */
  output(): string;
  errors(): string;
  baseUrl: string;
}

let dataDir: string;
let running: Running[];

beforeEach(() => {
  running = [];
  dataDir = mkdtempSync(join(tmpdir(), 'guildhall-start-'));
  // PostgreSQL of a root user runs as another user, who must get in.
  chmodSync(dataDir, 0o711);
});

afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await eventually(() => ownersAlive().length === 0, { seconds: 30 });
  rmSync(dataDir, { recursive: true, force: true });
});

/** With servers of its own and on a free port, as someone who has just cloned the project. */
async function startGuildhall(demoData = 'off'): Promise<Running> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    DEMO_DATA: demoData,
  };
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'NODE_OPTIONS', 'NODE_ENV', 'BASE_URL']) {
    delete env[name];
  }
  const child = spawn(process.execPath, ['deploy/start.js'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const found = { child, output: () => output, errors: () => errors, baseUrl: '' };
  running.push(found);
  const line = await eventually(() => announcement(found), { seconds: 90 });
  return Object.assign(found, { baseUrl: line });
}

/** Runs a command in another terminal of the same person, which only knows the data folder. */
function command(...args: string[]): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir };
  return runCommand(process.execPath, args, { env });
}

function announcement({ child, output, errors }: Running): string | false {
  if (child.exitCode !== null) throw new Error(`npm start exited: ${output()}${errors()}`);
  const ready = /Guildhall is ready at (\S+)\n[\s\S]*Ctrl-C/.exec(output());
  return ready?.[1] ?? false;
}

/** Names of the servers and processes of the data folder that still live. */
function ownersAlive(): string[] {
  return readdirSync(dataDir)
    .filter((name) => name.endsWith('.owner'))
    .filter((name) => isAlive(ownerPid(name)));
}

function ownerPid(name: string): number {
  return (JSON.parse(readFileSync(join(dataDir, name), 'utf8')) as { pid: number }).pid;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

async function health(baseUrl: string): Promise<number> {
  return (await fetch(`${baseUrl}/-/health`)).status;
}

describe('npm start, from nothing', () => {
  it('serves, shows the sign-in once, keeps its data, and stops all of it on Ctrl-C', async () => {
    const first = await startGuildhall();
    expect(await health(first.baseUrl)).toBe(200);
    expect(first.output()).toMatch(/sign in {3}root \/ \S+\n {2}token {5}\S+/);
    expect(ownersAlive().sort()).toEqual([
      'main.js.owner',
      'postgres.owner',
      'redis.owner',
      'worker.js.owner',
    ]);
    const status = await command('dist/cli.js', 'storage', 'status', '--json');
    expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining('"storage2"') });
    const migrations = ['node_modules/typeorm/cli.js', 'migration:show', '-d', 'dist/ormconfig.js'];
    expect((await command(...migrations)).stdout).toContain('[X] 1 Baseline');

    first.child.kill('SIGINT');
    expect(await once(first.child, 'exit')).toEqual([0, null]);
    expect(ownersAlive()).toEqual([]);
    const alone = await command('dist/cli.js', 'storage', 'status');
    expect(alone.stderr).toContain('DATABASE_URL is required');
    expect(alone.stderr).toContain('no `npm start` runs on this DATA_DIR');

    const second = await startGuildhall();
    expect(second.output()).toContain('sign in   root (password from the first start)');
    expect(second.output()).not.toContain('token');
  }, 120_000);

  it('leaves no process behind after kill -9, and goes on with its demo data', async () => {
    const first = await startGuildhall('on');
    const progress = join(dataDir, 'demo-data.json');
    const done = (): number =>
      (JSON.parse(readFileSync(progress, 'utf8')) as { done: number }).done;
    await eventually(() => done() > 60, { seconds: 60 });

    first.child.kill('SIGKILL');
    await eventually(() => ownersAlive().length === 0, { seconds: 35 });
    const second = await startGuildhall('on');

    expect(await health(second.baseUrl)).toBe(200);
    const isComplete = (): boolean => second.output().includes('The demo data is complete.');
    await eventually(isComplete, { seconds: 90 });
    const [, token = ''] = /token {5}(\S+)/.exec(first.output()) ?? [];
    const get = async <T>(path: string): Promise<T[]> => {
      const headers = { 'PRIVATE-TOKEN': token };
      return (await fetch(`${second.baseUrl}/api/v4${path}`, { headers })).json() as Promise<T[]>;
    };
    const checkout = `/projects/${encodeURIComponent('acme/web-shop/checkout')}`;
    const issues = await get<{ title: string }>(`${checkout}/issues?per_page=100`);
    expect([issues.length, new Set(issues.map(({ title }) => title)).size]).toEqual([15, 15]);
    const moves = await get<{ state: string }>('/project_repository_storage_moves');
    expect(moves.map(({ state }) => state).sort()).toEqual([
      'failed',
      'finished',
      'finished',
      'finished',
      'finished',
    ]);
  }, 240_000);

  it('restarts and reports a killed worker while serving requests', async () => {
    const { child, baseUrl, errors } = await startGuildhall();
    const pid = ownerPid('worker.js.owner');

    process.kill(-pid, 'SIGKILL');

    await eventually(() => ownerPid('worker.js.owner') !== pid, { seconds: 30 });
    expect(errors()).toContain(
      'the worker process exited unexpectedly (signal 9); restarting in 1 s',
    );
    expect(await health(baseUrl)).toBe(200);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(ownersAlive()).toEqual([]);
  }, 120_000);

  it('stops everything when the web process dies', async () => {
    const { child } = await startGuildhall();
    const exited = once(child, 'exit');

    process.kill(-ownerPid('main.js.owner'), 'SIGKILL');

    expect(await exited).toEqual([1, null]);
    expect(ownersAlive()).toEqual([]);
  }, 120_000);
});
