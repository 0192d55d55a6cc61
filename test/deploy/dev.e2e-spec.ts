import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const COPIED = ['src', 'deploy', 'package.json', 'tsconfig.json', '.swcrc', 'ormconfig.ts'];
const CONTROLLER = 'src/core/health/health.controller.ts';

let database: TestDatabase;
let folder: string;
let baseUrl: string;
let output = '';
let child: ChildProcessByStdio<null, Readable, Readable>;

beforeAll(async () => {
  copyCheckout();
  database = await createTestDatabase();
  child = startDevelopment();
  baseUrl = await eventually(announced, { seconds: 60 });
}, 90_000);

afterAll(async () => {
  if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Copies the checkout, so that saving files does not change the project. */
function copyCheckout(): void {
  folder = mkdtempSync(join(tmpdir(), 'guildhall-dev-'));
  for (const name of COPIED) cpSync(name, join(folder, name), { recursive: true });
  cpSync('docs/openapi.json', join(folder, 'docs/openapi.json'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
}

function startDevelopment() {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: database.url,
    REDIS_URL: process.env['TEST_REDIS_URL'],
    QUEUE_PREFIX: database.name,
    DATA_DIR: join(folder, 'data'),
    DEMO_DATA: 'false',
    PORT: '0',
  };
  for (const name of ['NODE_OPTIONS', 'NODE_ENV', 'BASE_URL', 'LOG_LEVEL']) delete env[name];
  const started = spawn(process.execPath, ['deploy/dev.js'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [started.stdout, started.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return started;
}

function announced(): string {
  if (child.exitCode !== null) throw new Error(`npm run dev exited: ${output}`);
  const [, url] = /Guildhall is ready at (\S+)\n[\s\S]*Ctrl-C/.exec(output) ?? [];
  if (url === undefined) throw new Error(`npm run dev is not ready: ${output}`);
  return url;
}

/** Replaces one string in a file. */
function edit(path: string, from: string, to: string): void {
  const file = join(folder, path);
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${path} does not contain ${from}`);
  writeFileSync(file, text.replace(from, to));
}

async function health(): Promise<string> {
  return (await fetch(`${baseUrl}/-/health`)).text();
}

/** Collects the events sent to open pages. */
async function listen() {
  const closing = new AbortController();
  const response = await fetch(`${baseUrl}/-/dev/events`, { signal: closing.signal });
  let text = '';
  const ended = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array);
  })().catch(() => undefined);
  await eventually(() => text.includes('event: styles'));
  text = '';
  return {
    received: (kind: string) => text.includes(`event: ${kind}\n`),
    async close() {
      closing.abort();
      await ended;
    },
  };
}

describe('npm run dev', () => {
  it('serves saved changes and reloads open pages', async () => {
    const page = await fetch(`${baseUrl}/users/sign_in`, { headers: { accept: 'text/html' } });
    const events = await listen();
    edit(CONTROLLER, "return 'Guildhall OK'", "return 'saved'");

    await eventually(async () => (await health()) === 'saved', { seconds: 20 });

    expect(await page.text()).toContain('<script src="/-/dev/reload.js"');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(events.received('page')).toBe(true);
    expect(output).toMatch(
      /restarted web in [\d.]+ s \(src\/core\/health\/health\.controller\.ts\)/,
    );
    expect(output).not.toContain('restarted worker');
    expect(output).toMatch(/\d\d:\d\d:\d\d {2}GET {4}200 +\d+ ms {2}\/users\/sign_in {2}\w{26}\n/);
    await events.close();
  }, 30_000);

  it('keeps running the last working version after an error and prints its position', async () => {
    edit(CONTROLLER, "return 'saved'", "return 'half");
    await eventually(() => output.includes('still running the last working version'), {
      seconds: 20,
    });
    const during = await health();
    const before = readFileSync(join(folder, CONTROLLER), 'utf8').split("return 'half")[0] ?? '';
    edit(CONTROLLER, "return 'half", "return 'mended'");

    await eventually(async () => (await health()) === 'mended', { seconds: 20 });

    expect(during).toBe('saved');
    expect(output).toContain(`[${CONTROLLER}:${before.split('\n').length}:`);
  }, 45_000);

  it('replaces style sheets without reloading pages', async () => {
    const events = await listen();
    const before = await fetch(`${baseUrl}/-/assets/app-0123456789abcdef.css`);
    appendFileSync(join(folder, 'src/core/ui/styles/theme.css'), '.saved-in-test { color: red }\n');

    await eventually(() => events.received('styles'), { seconds: 20 });

    const after = await fetch(`${baseUrl}/-/assets/app-0123456789abcdef.css`);
    expect(await before.text()).not.toContain('saved-in-test');
    expect(await after.text()).toContain('saved-in-test');
    expect(events.received('page')).toBe(false);
    await events.close();
  }, 30_000);

  it('leaves no process behind', async () => {
    const pids = processesOf(folder);
    child.kill('SIGINT');

    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(pids.length).toBeGreaterThanOrEqual(4);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(readdirSync(join(folder, 'dist/dev'))).toEqual([]);
  }, 30_000);
});

/** Returns the processes that run in a folder. */
function processesOf(path: string): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.includes(path))
    .map((line) => Number.parseInt(line, 10))
    .concat(child.pid ?? 0);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
