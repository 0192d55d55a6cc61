import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eventually } from '../../test/support/eventually.js';
import { isAlive } from '../../test/support/processes.js';
import { forkProcess } from './fork-process.js';
import { type ForkedProcess, killGroup } from './forked-process.js';

const { PATH } = process.env;

function forkShell(script: string): Promise<ForkedProcess> {
  return forkProcess({ program: 'sh', args: ['-c', script], env: { PATH } });
}

/** Runs a shell script to its end. */
async function run(script: string, input = '') {
  const child = await forkShell(script);
  child.stdin.end(input);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code: code as unknown, signal: signal as unknown };
}

/** Process id of the fork server, which has started the process. */
async function serverOf({ pid }: { pid: number }): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
}

/** Folder of the socket on which a fork server listens. */
async function folderOf(server: number): Promise<string> {
  const sockets = await readFile(`/proc/${server}/net/unix`, 'utf8');
  const links = await readdir(`/proc/${server}/fd`);
  const own = await Promise.all(
    links.map((link) => readlink(`/proc/${server}/fd/${link}`).catch(() => '')),
  );
  const lines = sockets.split('\n').map((line) => line.trim().split(/\s+/));
  const found = lines.find(
    ([, , , , , , inode, path]) =>
      path?.includes('guildhall-fork-') && own.includes(`socket:[${inode}]`),
  );
  return dirname(found?.[7] ?? '');
}

describe('a forked process', () => {
  it('has three streams and an exit code', async () => {
    const result = await run('tr a-z A-Z; echo complaint >&2; exit 7', 'text');
    expect(result).toEqual({ stdout: 'TEXT', stderr: 'complaint\n', code: 7, signal: null });
  });

  it('passes on more than fits into a pipe', async () => {
    const input = 'x'.repeat(5_000_000);
    expect((await run('cat', input)).stdout).toHaveLength(input.length);
  });

  it('keeps the output of many that end at once', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => String(index));
    const outputs = await Promise.all(numbers.map((number) => run(`printf ${number}`)));
    expect(outputs.map(({ stdout }) => stdout)).toEqual(numbers);
  });

  it('closes even if its output is not read', async () => {
    const child = await forkShell('yes | head -c 10000');
    await once(child, 'exit').then(([code]) => expect(code).toBe(0));
    await once(child, 'close');
  });

  it('closes also if its output is cut off', async () => {
    const child = await forkShell('yes');
    const closed = once(child, 'close');
    const reader = new PassThrough();
    child.stdout.pipe(reader);
    await once(reader, 'readable');
    reader.destroy();
    killGroup(child, 'SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
    expect(child.stdout.closed).toBe(true);
  });

  it('sees no variable of this process', async () => {
    process.env['FORKED_PROCESS_SECRET'] = 'secret';
    try {
      expect((await run('env')).stdout).not.toContain('secret');
    } finally {
      delete process.env['FORKED_PROCESS_SECRET'];
    }
  });

  it('is refused with the reason of the system', async () => {
    const missing = forkProcess({ program: 'no-such-program', args: [], env: { PATH } });
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT', path: 'no-such-program' });
    const misplaced = forkProcess({ program: 'true', args: [], cwd: '/nowhere', env: { PATH } });
    await expect(misplaced).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([
    ['a folder that is none', { cwd: '/dev/null' }],
    ['too long an argument', { args: ['x'.repeat(1_000_000)] }],
    ['a name with a zero byte', { program: 'a\0b' }],
  ])('is refused for %s without harm to others', async (_, part) => {
    const other = await forkShell('cat');
    const request = { program: 'true', args: [], env: { PATH }, ...part };
    await expect(forkProcess(request)).rejects.toHaveProperty('code');
    other.stdin.end('whole');
    expect(await text(other.stdout)).toBe('whole');
  });

  it('can be killed with all that it has started', async () => {
    const child = await forkShell('sleep 60 & echo $!; wait');
    const [started] = (await once(child.stdout, 'data')) as [Buffer];
    killGroup(child, 'SIGKILL');
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    await eventually(() => !isAlive(Number(started.toString())));
  });
});

describe('the fork server', () => {
  it('is followed by another one when it is killed, and its processes end', async () => {
    const child = await forkShell('sleep 60');
    const closed = once(child, 'close');
    process.kill(await serverOf(child), 'SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
    await eventually(() => !isAlive(child.pid));
    expect((await run('echo again')).stdout).toBe('again\n');
  });

  it('is followed by another one when its socket is removed, and its processes go on', async () => {
    const child = await forkShell('cat');
    const former = await serverOf(child);
    await rm(await folderOf(former), { recursive: true });
    const next = await forkShell('cat');
    expect(await serverOf(next)).not.toBe(former);
    next.stdin.end();
    child.stdin.end('whole');
    expect(await text(child.stdout)).toBe('whole');
    await eventually(() => !isAlive(former));
  });

  it('leaves the end of the service to this process', async () => {
    const child = await forkShell('cat');
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.kill(await serverOf(child), signal);
    }
    child.stdin.end('complete');
    expect(await text(child.stdout)).toBe('complete');
    expect((await run('echo again')).stdout).toBe('again\n');
  });

  it('ends with this process, even when that is killed', async () => {
    const program = `
      const { forkProcess } = await import(${JSON.stringify(import.meta.resolve('./fork-process.js'))});
      const child = await forkProcess({ program: 'cat', args: [], env: {} });
      console.log(child.pid);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program]);
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    const server = await serverOf({ pid });
    expect(server).not.toBe(parent.pid);
    const folder = await folderOf(server);
    parent.kill('SIGKILL');
    await eventually(() => !isAlive(server) && !isAlive(pid));
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('does not keep this process alive without a process', async () => {
    const program = `
      const { forkProcess } = await import(${JSON.stringify(import.meta.resolve('./fork-process.js'))});
      const child = await forkProcess({ program: 'true', args: [], env: {} });
      child.on('close', (code) => console.log(code));`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program]);
    const [printed, [code]] = await Promise.all([text(parent.stdout), once(parent, 'close')]);
    expect([printed, code]).toEqual(['0\n', 0]);
  });
});
