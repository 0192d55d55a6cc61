import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand, type CommandResult } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { health, StarterFolder } from '../support/starter.js';

let folder: StarterFolder;

/** Runs a command in another terminal of the same person, which only knows the data folder. */
function command(...args: string[]): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: folder.path };
  return runCommand(process.execPath, args, { env });
}

describe('npm start, from nothing', () => {
  beforeEach(() => {
    folder = new StarterFolder();
  });
  afterEach(() => folder.remove());

  it('serves, shows the sign-in once, stops all of it on Ctrl-C, and keeps its data', async () => {
    const first = await folder.start();
    expect(await health(first.baseUrl)).toBe(200);
    expect(first.output()).toMatch(/sign in {3}root \/ \S+\n {2}token {5}\S+/);
    expect(folder.ownersAlive().sort()).toEqual([
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
    expect(folder.ownersAlive()).toEqual([]);
    const alone = await command('dist/cli.js', 'storage', 'status');
    expect(alone.stderr).toContain('DATABASE_URL is required');
    expect(alone.stderr).toContain('no `npm start` runs on this DATA_DIR');

    const second = await folder.start();
    const [, token = ''] = /token {5}(\S+)/.exec(first.output()) ?? [];
    const headers = { 'PRIVATE-TOKEN': token };
    expect((await fetch(`${second.baseUrl}/api/v4/user`, { headers })).status).toBe(200);
    expect(second.output()).toContain('sign in   root (password from the first start)');
    expect(second.output()).not.toContain('token');
  }, 240_000);

  it('leaves no process behind after kill -9, and goes on with its demo data', async () => {
    const { child } = await folder.start('on');
    await eventually(() => folder.demoActions() > 10, { seconds: 60 });

    child.kill('SIGKILL');
    await eventually(() => folder.ownersAlive().length === 0, { seconds: 35 });
    const done = folder.demoActions();
    const { baseUrl } = await folder.start('on');

    expect(await health(baseUrl)).toBe(200);
    await eventually(() => folder.demoActions() > done, { seconds: 60 });
  }, 240_000);
});

describe('npm start, whose processes die', () => {
  // One folder for all of these: to make its databases takes longer than the rest.
  beforeAll(() => {
    folder = new StarterFolder();
  });
  afterAll(() => folder.remove());

  it('restarts and reports a killed worker while serving requests', async () => {
    const { child, baseUrl, errors } = await folder.start();
    const pid = folder.ownerPid('worker.js.owner');

    process.kill(-pid, 'SIGKILL');

    await eventually(() => folder.ownerPid('worker.js.owner') !== pid, { seconds: 30 });
    expect(errors()).toContain(
      'the worker process exited unexpectedly (signal 9); restarting in 1 s',
    );
    expect(await health(baseUrl)).toBe(200);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(folder.ownersAlive()).toEqual([]);
  }, 120_000);

  it('stops everything when the web process dies', async () => {
    const { child } = await folder.start();
    const exited = once(child, 'exit');

    process.kill(-folder.ownerPid('main.js.owner'), 'SIGKILL');

    expect(await exited).toEqual([1, null]);
    expect(folder.ownersAlive()).toEqual([]);
  }, 120_000);
});
