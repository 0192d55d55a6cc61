import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getState } from 'jest-circus';
import { Document, follows } from '../docs/document.js';
import { startTestApp } from '../support/app.js';
import { cliEnvironment } from '../support/cli.js';
import { ended, runCommand } from '../support/command.js';
import { createTestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

follows('CONTRIBUTING.md', 'sh');
follows('README.md', 'sh', 'output', 'site');
follows('docs/how-to/backup-and-restore.md', 'servers', 'restore');
follows('docs/how-to/install.md', 'release');
follows('docs/quick-start.md', 'sh', 'sample client');
follows('docs/tutorials/tour.md', 'sample client');
follows('examples/sample-client/README.md', 'sh');

/** Long enough for `npm ci` on a slow line. */
const INSTALLATION_MS = 1_000_000;
/** Waiting ends that long before jest ends the test, so that the failure shows the output. */
const MARGIN_MS = 10_000;
const GUILDHALL_READY = /Guildhall is ready at (\S+)\n[^]*Ctrl-C/;

let clone: string;
/** Result of README's commands, which install and start. */
let first: { printed: string; isHealthy: boolean };
let deadline: number;
const running: Running[] = [];
beforeAll(async () => {
  deadline = Date.now() + INSTALLATION_MS - MARGIN_MS;
  clone = await mkdtemp(join(tmpdir(), 'guildhall-clone-'));
  // PostgreSQL of a root user runs as another user, who must get through.
  await chmod(clone, 0o711);
  const { stdout } = await runCommand('git', ['ls-files', '-co', '--exclude-standard', '-z']);
  for (const path of stdout.split('\0').filter(Boolean)) await cp(path, join(clone, path));
  const guildhall = start(new Document('README.md').named('sh'));
  const [printed, url = ''] = await guildhall.said(GUILDHALL_READY);
  first = { printed, isHealthy: await isHealthy(url) };
  await run('npx guildhall backup create', backupEnvironment());
  await stopAll();
}, INSTALLATION_MS);
beforeEach(() => {
  const { currentlyRunningTest, testTimeout } = getState();
  deadline = Date.now() + (currentlyRunningTest?.timeout ?? testTimeout) - MARGIN_MS;
});
afterEach(stopAll);
afterAll(async () => {
  await stopAll();
  await rm(clone, { recursive: true });
});

/** Commands that someone has started in a terminal. */
interface Running {
  /** Waits for a text of the output. */
  said(text: RegExp): Promise<RegExpExecArray>;
  /** Sends the signal to all processes, as Ctrl-C does; returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Variables that find programs and reach a registry; none configures Guildhall. */
const READERS_VARIABLES =
  /^(?:PATH|HOME|LANG|(?:https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|CURL_CA_BUNDLE|npm_config_\w+)$/i;

function readersEnvironment(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => READERS_VARIABLES.test(name));
  return { ...Object.fromEntries(kept), HOST: '127.0.0.1', PORT: '0', DEMO_DATA: 'off', ...env };
}

function backupEnvironment(): NodeJS.ProcessEnv {
  return {
    GUILDHALL_BACKUP_STORE: join(clone, '.data', 'backups'),
    GUILDHALL_BACKUP_PASSPHRASE: 'only for tests, only for tests',
  };
}

function start(commands: string, env: NodeJS.ProcessEnv = {}): Running {
  const child: ChildProcess = spawn('sh', ['-ec', `exec 2>&1\n${commands}`], {
    cwd: clone,
    env: readersEnvironment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const end = ended(child);
  let hasEnded = false;
  void end.then(() => (hasEnded = true));
  const started = {
    said: async (text: RegExp) => {
      const patience = { seconds: (deadline - Date.now()) / 1000, everyMs: 200 };
      const found = await eventually(() => {
        const match = text.exec(output);
        if (match === null && !hasEnded) throw new Error(`${text} is missing: ${output}`);
        return match;
      }, patience);
      if (found === null) throw new Error(`${commands} ended by itself: ${output}`);
      return found;
    },
    stop: (signal: NodeJS.Signals = 'SIGINT') => {
      if (!hasEnded && child.pid !== undefined) process.kill(-child.pid, signal);
      return end;
    },
  };
  running.push(started);
  return started;
}

async function stopAll(): Promise<void> {
  for (const one of running.splice(0)) await one.stop();
}

async function run(commands: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: clone, env: readersEnvironment(env) };
  const { code, stdout, stderr } = await runCommand('sh', ['-ec', commands], options);
  if (code !== 0) throw new Error(`${commands} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

async function isHealthy(url: string): Promise<boolean> {
  return (await fetch(`${url}/-/health`)).ok;
}

/** The same output with other numbers, folders, passwords and tokens. */
function shapeOf(output: string): string {
  return output
    .replace(/http:\/\/\S+/, 'URL')
    .replace(/(data +)\S+/, '$1FOLDER')
    .replace(/(root \/ |svcpat-)\w+/g, '$1SECRET');
}

describe('a fresh clone', () => {
  it('starts with the commands of README and quick start, and prints what README shows', () => {
    const readme = new Document('README.md');
    expect(new Document('docs/quick-start.md').named('sh')).toBe(readme.named('sh'));
    expect(first.isHealthy).toBe(true);
    const shown = readme.named('output').replace(' to stop.\n', '');
    expect(shapeOf(first.printed)).toBe(shapeOf(shown));
  });

  it('restores a backup into the servers alone', async () => {
    const guide = new Document('docs/how-to/backup-and-restore.md');
    const servers = start(guide.named('servers'));
    await servers.said(/are running: [^]*Ctrl-C/);
    expect(await run(guide.named('restore'), backupEnvironment())).toMatch(/\d rows/);
  }, 300_000);

  it('starts for development', async () => {
    const development = start(new Document('CONTRIBUTING.md').named('sh'));
    const [, url = ''] = await development.said(GUILDHALL_READY);
    expect(await isHealthy(url)).toBe(true);
  }, 300_000);

  it('serves the documentation', async () => {
    const site = start(new Document('README.md').named('site'));
    const [, url = ''] = await site.said(/Local: +(http:\S+)/);
    // As the script of the page loads it.
    const page = await fetch(new URL('quick-start.md?import', url));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('First steps')]);
  }, 300_000);

  it('makes a release that migrates, and runs web process and worker', async () => {
    const lines = new Document('docs/how-to/install.md').named('release').trim().split('\n');
    const [web, worker] = lines.slice(-2);
    expect([web, worker]).toEqual(['node dist/main.js', 'node dist/worker.js']);
    // The commands of README have installed.
    const [build = '', ...setUp] = lines.slice(0, -2);
    expect(build).toBe('npm ci && npm run release');
    const database = await createTestDatabase();
    try {
      const env = cliEnvironment(database, join(clone, 'production'));
      await run('npm run release', env);
      expect(await run(setUp.join('\n'), env)).toContain('"token"');
      const enter = setUp.slice(0, -1).join('\n');
      const processes = [web, worker].map((command) => start(`${enter}\nexec ${command}`, env));
      await processes[0]?.said(/"msg":"web process is ready"/);
      await processes[1]?.said(/"msg":"worker process is ready"/);
      for (const one of processes) expect(await one.stop('SIGTERM')).toBe(0);
    } finally {
      await database.drop();
    }
  }, 600_000);
});

describe('the sample client', () => {
  it.each([
    ['docs/quick-start.md', 'sample client'],
    ['docs/tutorials/tour.md', 'sample client'],
    ['examples/sample-client/README.md', 'sh'],
  ])(
    'starts with the commands of %s',
    async (path, name) => {
      const app = await startTestApp();
      try {
        const commands = new Document(path, [
          ['http://localhost:3000', app.url],
          [
            /CLIENT_ID=(?:…|\.\.\.) CLIENT_SECRET=(?:…|\.\.\.)/g,
            'CLIENT_ID=id CLIENT_SECRET=secret',
          ],
        ]).named(name);
        const place = path.startsWith('docs/') ? '.' : dirname(path);
        const client = start(`cd ${place}\n${commands}`);
        const [url = ''] = await client.said(/http:\/\/127\.0\.0\.1:\d+/);
        const login = await fetch(`${url}/login`, { redirect: 'manual' });
        const target = new URL(login.headers.get('location') ?? '');
        expect([target.origin, target.searchParams.get('client_id')]).toEqual([app.url, 'id']);
      } finally {
        await app.close();
      }
    },
    120_000,
  );
});
