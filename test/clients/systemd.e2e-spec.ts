import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Document, follows, type Replacements } from '../docs/document.js';
import { cliEnvironment } from '../support/cli.js';
import { ended, runCommand } from '../support/command.js';
import { makeDataDir } from '../support/config.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { installProgram } from '../support/system-package.js';

follows('docs/how-to/install.md', 'systemd', 'initial secrets');
follows('docs/how-to/processes.md', 'reload');

const UNITS = 'deploy/systemd';
const SERVICES = ['migrate', 'web', 'worker'].map((name) => `guildhall-${name}.service`);
/** Our units reach 3.2 (of 10, the lower the better); newer versions of systemd check more. */
const MOST_EXPOSURE = 3.5;
const PATIENCE = { seconds: 60 };

/** Programs that ask systemd, which does not run here: without it, they do the same to files. */
const STAND_INS = {
  sudo: 'exec "$@"',
  systemctl: `case $* in
    daemon-reload) ;;
    'enable --now '*) exec /bin/systemctl --root="$ROOT" enable "$3" ;;
    *) exit 1 ;;
  esac`,
  'systemd-run': `while :; do
    case $1 in
      --quiet | --pipe | --wait) ;;
      --working-directory=*) cd "\${1#*=}" ;;
      -E) shift && export "$1" ;;
      -p) shift && case $1 in EnvironmentFile=*) set -a && . "\${1#*=}" && set +a ;; esac ;;
      *) exec "$@" ;;
    esac
    shift
  done`,
};

let release: string;
let dataDir: string;
let database: TestDatabase;
/** Only of what is there: a failing clean-up would hide the error of a failed set-up. */
const cleanUps: (() => Promise<unknown>)[] = [];
const children: ChildProcess[] = [];
beforeAll(async () => {
  installProgram({ program: 'systemd-analyze', packageName: 'systemd' });
  release = await mkdtemp(join(tmpdir(), 'guildhall-systemd-'));
  cleanUps.push(() => rm(release, { recursive: true, force: true }));
  const made = await runCommand(process.execPath, ['deploy/release.js', release]);
  expect(made).toEqual({ code: 0, stdout: '', stderr: '' });
  dataDir = await makeDataDir();
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
  database = await createTestDatabase();
  cleanUps.push(() => database.drop());
}, 300_000);
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** Returns the values of each directive of a unit, with the paths of the test. */
async function directivesOf(unit: string): Promise<Map<string, string[]>> {
  const text = await readFile(join(UNITS, unit), 'utf8');
  const directives = new Map<string, string[]>();
  for (const [, name = '', value = ''] of text.matchAll(/^(\w+)=(.*)$/gm)) {
    const here = value
      .replaceAll('/opt/guildhall', release)
      .replaceAll('/var/lib/guildhall', dataDir);
    directives.set(name, [...(directives.get(name) ?? []), here]);
  }
  return directives;
}

interface Started {
  child: ChildProcess;
  said(): string;
}

/** Starts a service as systemd does, as this user: its command, folder and variables. */
async function startService(unit: string, env: NodeJS.ProcessEnv = {}): Promise<Started> {
  const directives = await directivesOf(unit);
  const [command = '', ...args] = (directives.get('ExecStart')?.[0] ?? '').split(' ');
  const assignments = directives.get('Environment')?.flatMap((line) => line.split(' ')) ?? [];
  const own = Object.fromEntries(assignments.map((one) => one.split('=')));
  const child = spawn(command, args, {
    cwd: directives.get('WorkingDirectory')?.[0],
    // EnvironmentFile takes precedence over Environment.
    env: { ...own, ...cliEnvironment(database, dataDir), NODE_ENV: own['NODE_ENV'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { child, said: () => said };
}

function logged({ said }: Started, message: string): Promise<boolean> {
  return eventually(() => {
    if (!said().includes(`"msg":"${message}"`)) throw new Error(`${message} is missing: ${said()}`);
    return true;
  }, PATIENCE);
}

async function reload(unit: string, { child }: Started): Promise<void> {
  const directives = await directivesOf(unit);
  const command = directives.get('ExecReload')?.[0]?.replace('$MAINPID', String(child.pid)) ?? '';
  const [program = '', ...args] = command.split(' ');
  expect((await runCommand(program, args)).code).toBe(0);
}

async function stop({ child }: Started): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
}

describe('the units of systemd', () => {
  it('have no directive that systemd ignores or refuses', async () => {
    const paths = (await readdir(UNITS)).map((name) => join(UNITS, name));
    const { code, stderr } = await runCommand('systemd-analyze', ['verify', ...paths]);
    // Units of the machine that ours depend on are verified, too.
    const ours = stderr.split('\n').filter((line) => /\bguildhall\b/.test(line));
    expect([code, ours]).toEqual([0, []]);
  });

  it.each(SERVICES)('confine %s', async (unit) => {
    const args = ['security', '--offline=true', '--no-pager', `--threshold=${MOST_EXPOSURE * 10}`];
    const { code, stdout } = await runCommand('systemd-analyze', [...args, join(UNITS, unit)]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`exposure level for ${unit}`)]);
    const directives = await directivesOf(unit);
    expect(directives.get('User')).toEqual(['guildhall']);
    expect(directives.get('StateDirectory')).toEqual(['guildhall']);
  });

  it('migrate, start, reload and stop the processes of a release', async () => {
    const migrate = await startService('guildhall-migrate.service');
    expect([await ended(migrate.child), migrate.said()]).toEqual([
      0,
      expect.stringContaining('"secretsFile"'),
    ]);
    const [command] = new Document('docs/how-to/processes.md').named('reload').split('\n');
    for (const role of ['web', 'worker']) {
      const unit = `guildhall-${role}.service`;
      const processes = { WEB_PROCESSES: '2', WORKER_PROCESSES: '2' };
      const started = await startService(unit, { HOST: '127.0.0.1', PORT: '0', ...processes });
      await logged(started, `${role} process is ready`);
      if (role === 'web') expect(command).toBe('systemctl reload guildhall-web');
      await reload(unit, started);
      await logged(started, `restarted the ${role} processes`);
      await stop(started);
    }
  }, 240_000);
});

/** Runs a block of the installation guide with the stand-ins, and with folders below a root. */
async function install(block: string, root: string, places: Replacements = []): Promise<string> {
  for (const [name, script] of Object.entries(STAND_INS)) {
    await writeFile(join(root, name), `#!/bin/sh\nset -eu\n${script}\n`, { mode: 0o755 });
  }
  const guide = new Document('docs/how-to/install.md', [
    ['/etc/systemd', `${root}/etc/systemd`],
    ...places,
  ]);
  const env = { PATH: `${root}:${process.env['PATH']}`, ROOT: root };
  const made = await runCommand('sh', ['-ec', guide.named(block)], { env });
  if (made.code !== 0) throw new Error(`${block} ended with ${made.code}: ${made.stderr}`);
  return made.stdout;
}

describe('the installation guide, with stand-ins for what asks a running systemd', () => {
  it('copies all units, and enables the target', async () => {
    const root = await makeDataDir();
    cleanUps.push(() => rm(root, { recursive: true }));
    const units = join(root, 'etc/systemd/system');
    await mkdir(units, { recursive: true });
    await install('systemd', root);
    const expected = [...(await readdir(UNITS)), 'multi-user.target.wants'];
    expect(await readdir(units)).toEqual(expected.sort());
    expect(await readdir(join(units, 'multi-user.target.wants'))).toEqual(['guildhall.target']);
  });

  it('prints the secrets of the first start', async () => {
    const own = await createTestDatabase();
    const data = await makeDataDir();
    cleanUps.push(own.drop, () => rm(data, { recursive: true, force: true }));
    const env = cliEnvironment(own, data, { NODE_ENV: 'production' });
    const file = join(data, 'guildhall.env');
    const kept = Object.entries(env).filter(([name]) =>
      /^(?:DATABASE|REDIS|SECRET|BASE)_/.test(name),
    );
    const lines = kept.map(([name, value]) => `${name}='${value}'\n`);
    await writeFile(file, lines.join(''));
    const setUp = ['deploy/docker-entrypoint.sh', 'guildhall', 'setup', '--hide-secrets'];
    expect(await runCommand('sh', setUp, { cwd: release, env })).toMatchObject({ code: 0 });

    const { stdout: help } = await runCommand('systemd-run', ['--help']);
    const used = ['--quiet', '--pipe', '--wait', '--working-directory=', '-p', '-E'];
    expect(used.filter((option) => !help.includes(option))).toEqual([]);
    const printed = await install('initial secrets', data, [
      ['/opt/guildhall', release],
      ['/etc/guildhall/guildhall.env', file],
      ['/var/lib/guildhall', data],
    ]);
    expect(printed).toContain('svcpat-');
  });
});
