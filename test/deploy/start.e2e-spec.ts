import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runCommand, type CommandResult } from '../support/command.js';
import { eventually } from '../support/eventually.js';

const folders: string[] = [];

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-launcher-'));
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The servers of the test run stand in, so that only the case itself is tried. */
function start(env: NodeJS.ProcessEnv, options: string[] = []): Promise<CommandResult> {
  return runCommand(process.execPath, ['deploy/start.js', ...options], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      DATABASE_URL: process.env['TEST_ADMIN_DATABASE_URL'],
      REDIS_URL: process.env['TEST_REDIS_URL'],
      ...env,
    },
  });
}

function refusal(line: string): CommandResult {
  return { code: 1, stdout: '', stderr: `guildhall: ${line}\n` };
}

describe('npm start', () => {
  it('says in one line that the port is taken', async () => {
    const server = createServer().listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const result = await start({ DATA_DIR: temporaryFolder(), PORT: String(port) });

    server.close();
    expect(result).toEqual(
      refusal(`port ${port} is already in use: stop the other program or set PORT`),
    );
  });

  it('says in one line that the data folder cannot be written', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');

    expect(await start({ DATA_DIR: join(file, 'data') })).toEqual(
      refusal(`the data folder ${file}/data is not writable (ENOTDIR): set DATA_DIR to another`),
    );
  });

  it('refuses data of a newer version and leaves it as it is', async () => {
    const folder = temporaryFolder();
    const mark = join(folder, 'guildhall-data.json');
    writeFileSync(mark, '{"version":"99.1.0"}');

    const { code, stderr } = await start({ DATA_DIR: folder });

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^guildhall: .* written by Guildhall 99\.1\.0, this is .*\n$/),
    });
    expect(existsSync(join(folder, 'guildhall.lock'))).toBe(false);
  });

  it('says in one line that the metadata of the data folder is damaged', async () => {
    const folder = temporaryFolder();
    const mark = join(folder, 'guildhall-data.json');
    const damaged = `${mark} is damaged: restore it from a backup, or remove it and start the version that wrote it`;
    for (const content of ['{"version":"0.', 'null', '[]']) {
      writeFileSync(mark, content);
      expect(await start({ DATA_DIR: folder })).toEqual(refusal(damaged));
    }
  });

  it('refuses a PORT that is none', async () => {
    expect(await start({ DATA_DIR: temporaryFolder(), PORT: 'http' })).toEqual(
      refusal('PORT must be between 0 and 65535, not "http"'),
    );
  });

  it('describes itself without starting anything', async () => {
    expect(await start({ DATA_DIR: temporaryFolder() }, ['--help'])).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Usage: npm start .*PORT \(3000\)/s),
    });
  });

  it('refuses unknown options, and its servers alone where DATABASE_URL names another', async () => {
    const env = { DATA_DIR: temporaryFolder() };
    expect(await start(env, ['--server'])).toEqual(
      refusal('there is no option --server, only --servers-only'),
    );
    expect(await start(env, ['--servers-only'])).toEqual(
      refusal('DATABASE_URL is set: there is no PostgreSQL to start'),
    );
  });

  it('refuses a git that is missing or too old', async () => {
    const folder = temporaryFolder();
    const missing = await start({ DATA_DIR: folder, PATH: folder });
    writeFileSync(join(folder, 'git'), '#!/bin/sh\necho git version 2.30.2\n', { mode: 0o755 });
    const old = await start({ DATA_DIR: folder, PATH: `${folder}${delimiter}/bin` });

    expect(missing).toEqual(refusal('git 2.38 or newer is needed and there is none on PATH'));
    expect(old).toEqual(refusal('git 2.38 or newer is needed, this is git version 2.30.2'));
  });

  it('goes on without Redis when there is none to download, and says how to add it', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'git'), '#!/bin/sh\necho git version 2.40.0\n', { mode: 0o755 });

    const result = await start({ DATA_DIR: folder, PATH: folder, REDIS_URL: '', PORT: 'none' });

    const [without, next] = result.stderr.split('\n');
    expect(without).toMatch(
      /^guildhall: no Redis: .*Set REDIS_URL, or Debian: .*Fedora: .*Alpine: .*macOS: /,
    );
    expect(next).toBe('guildhall: PORT must be between 0 and 65535, not "none"');
  });

  it('downloads Redis once, without root, and runs it from the data folder', async () => {
    const bin = temporaryFolder();
    const data = temporaryFolder();
    const program = (name: string, text: string) =>
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    program('git', 'echo git version 2.40.0');
    for (const name of ['mkdir', 'awk', 'rm', 'ls', 'grep', 'cp', 'touch']) {
      program(name, `PATH=/usr/bin:/bin exec ${name} "$@"`);
    }
    const tried = join(bin, 'tried');
    const server = join(bin, 'server');
    program(
      'server',
      `[ "$1" != --version ] || [ "$LD_LIBRARY_PATH" = "${data}/redis-program/usr/lib" ] || case "$LD_LIBRARY_PATH" in *.[0-9]*/usr/lib) ;; *) exit 1 ;; esac`,
    );
    // Simulates an installation, and leaves a package when it is asked to download.
    program('apt-get', `touch ${tried}; case "$*" in *download*) touch redis-tools.deb ;; esac`);
    program(
      'dpkg',
      `mkdir -p usr/bin usr/lib; touch usr/lib/libx.so.1; cp ${server} usr/bin/redis-server`,
    );
    const run = () => start({ DATA_DIR: data, PATH: bin, REDIS_URL: '', PORT: 'none' });

    const first = await run();
    rmSync(tried);
    const second = await run();

    expect(first.stderr).toMatch(/^guildhall: no Redis on PATH, downloading it with apt-get into /);
    expect(second.stderr).not.toContain('downloading');
    expect(existsSync(tried)).toBe(false);
    for (const { stderr } of [first, second]) expect(stderr).toContain('Redis did not start');
  });

  it('lets one process at a time use a data folder, and the next one after kill -9', async () => {
    const folder = temporaryFolder();
    const holder = holdFolder(folder);
    await once(holder.stdout, 'data');
    const second = await start({ DATA_DIR: folder, PORT: 'none' });
    holder.kill('SIGKILL');
    await once(holder, 'close');
    const third = await start({ DATA_DIR: folder, PORT: 'none' });

    expect(second).toEqual(
      refusal(`already running on ${folder} (process ${holder.pid}): stop it or set DATA_DIR`),
    );
    expect(third.stderr).toContain('PORT must be between 0 and 65535');
  });
});

function holdFolder(folder: string) {
  const script = `
    const { holdDataFolder } = await import('./deploy/local/data-folder.js');
    await holdDataFolder(${JSON.stringify(folder)}, { version: '0.0.1' });
    console.log('held');
    setInterval(() => undefined, 60_000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('a Node that is too old', () => {
  it('gets an error before any module is loaded', async () => {
    const pretend = "Object.defineProperty(process.versions, 'node', { value: '18.20.1' });";
    const script = `${pretend} require('./deploy/require-node.cjs'); console.log('went on')`;

    const result = await runCommand(process.execPath, ['--input-type=commonjs', '-e', script]);

    expect(result).toEqual(refusal('Node 20.19 or newer is needed, this is 18.20.1'));
  });
});

describe('the private servers', () => {
  it('are gone with their temporary data after kill -9 of the process that started them', async () => {
    const parent = temporaryFolder();
    // PostgreSQL of a root user runs as another user, who must get in.
    chmodSync(parent, 0o777);
    const owner = ownServers(parent);
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const ports = (JSON.parse(line.toString()) as string[]).map((url) => Number(new URL(url).port));
    const before = await Promise.all(ports.map(accepts));

    owner.kill('SIGKILL');

    expect(before).toEqual([true, true]);
    await eventually(async () => !(await accepts(ports[0] ?? 0)), { seconds: 20 });
    await eventually(async () => !(await accepts(ports[1] ?? 0)), { seconds: 20 });
    await eventually(() => readdirSync(parent).length === 0, { seconds: 20 });
  });
});

function ownServers(temporary: string) {
  const script = `
    const { startLocalServices } = await import('./deploy/local/services.js');
    const services = await startLocalServices({ purpose: 'test', durable: false });
    console.log(JSON.stringify([services.databaseUrl, services.redisUrl]));
    setInterval(() => undefined, 60_000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', TMPDIR: temporary },
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
