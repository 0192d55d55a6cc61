import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cliEnvironment } from '../support/cli.js';
import { ended, runCommand } from '../support/command.js';
import { makeDataDir } from '../support/config.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

/** The folder that the image consists of, away from the checkout and its node_modules. */
const folder = mkdtempSync(join(tmpdir(), 'guildhall-release-'));
let database: TestDatabase;
let dataDir: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const made = await runCommand(process.execPath, ['deploy/release.js', folder]);
  expect(made).toEqual({ code: 0, stdout: '', stderr: '' });
  database = await createTestDatabase();
  dataDir = await makeDataDir();
  env = { ...cliEnvironment(database, dataDir), HOST: '127.0.0.1', PORT: '0' };
}, 60_000);

afterAll(async () => {
  await database.drop();
  for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  said: () => string;
}

function start(file: string): Started {
  const child = spawn(process.execPath, [join('dist', file)], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { child, said: () => said };
}

async function stop({ child }: Started): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
}

describe('a release', () => {
  it('holds the bundle, the packages that cannot be bundled, and no compiled modules', () => {
    const packages = ['@img', '@node-rs', 'detect-libc', 'semver', 'sharp'];
    expect(readdirSync(join(folder, 'node_modules')).sort()).toEqual(packages);
    expect(existsSync(join(folder, 'dist', 'src'))).toBe(false);
  });

  it('contains the licenses of the libraries in it', () => {
    const [server, browser] = ['licenses.txt', 'assets/licenses.txt'].map((file) =>
      readFileSync(join(folder, 'dist', file), 'utf8'),
    );
    expect(server).toMatch(/\nexpress [\d.]+ \(MIT\)\n-+\n\n\(The MIT License\)\n\nCopyright/);
    expect(browser).toMatch(/\nhtmx\.org [\d.]+ \(/);
    expect(browser).toMatch(/\n@fontsource-variable\/inter [\d.]+ \(OFL-1\.1\)\n/);
  });

  it('runs the web process with its pages, assets and hooks', async () => {
    const web = start('main.js');
    const port = await eventually(
      () => /"port":(\d+),.*"msg":"web process is ready"/.exec(web.said())?.[1] ?? false,
      { seconds: 28 },
    );
    const site = `http://127.0.0.1:${port}`;
    const page = await fetch(`${site}/users/sign_in`);
    expect(page.status).toBe(200);
    const styles = /\/-\/assets\/app-[0-9a-f]+\.css/.exec(await page.text())?.[0];
    expect((await fetch(`${site}${styles}`)).status).toBe(200);
    expect((await fetch(`${site}/api/v4/openapi.json`)).status).toBe(200);
    expect(readdirSync(join(folder, 'dist', 'hooks')).sort()).toEqual([
      'post-receive',
      'pre-receive',
    ]);
    await stop(web);
    expect(web.said()).not.toContain('Warning');
  });

  it('runs the worker', async () => {
    const worker = start('worker.js');
    await eventually(() => worker.said().includes('worker process is ready'), { seconds: 28 });
    await stop(worker);
    expect(worker.said()).not.toContain('Warning');
  });

  it('runs the command line', async () => {
    const { code, stderr } = await runCommand(process.execPath, ['dist/cli.js', 'setup'], {
      cwd: folder,
      env,
    });
    expect([code, stderr]).toEqual([0, '']);
  });

  it('names sources in stack traces', async () => {
    rmSync(join(folder, 'dist', 'hooks', 'pre-receive'));
    const web = start('main.js');
    expect(await ended(web.child)).toBe(1);
    expect(web.said()).toMatch(/ReceivePack\.onModuleInit \(\S+\/receive-pack\.service\.ts:\d+/);
  });
});
