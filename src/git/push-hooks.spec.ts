import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HookChannel, type HookHandler } from './hook-channel.js';
import { pushLockIsFree, pushLockPrefix } from './push-lock.js';

const ZERO = '0'.repeat(40);
const OID = 'a'.repeat(40);
const LINES = `${ZERO} ${OID} refs/heads/x\n${OID} ${ZERO} refs/heads/y z\n`;

interface HookResult {
  code: number | null;
  stderr: string;
}

function hookPath(name: string): string {
  return fileURLToPath(new URL(`./hooks/${name}`, import.meta.url));
}

async function runHook(
  name: string,
  handler: Partial<HookHandler> | null,
  { env = {}, input = LINES }: { env?: Record<string, string>; input?: string } = {},
): Promise<HookResult> {
  const stdio = handler === null ? ['pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe', 'pipe'];
  const child = spawn(hookPath(name), [], {
    stdio: stdio as ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  if (handler !== null) {
    new HookChannel(child.stdio[3] as Duplex, handler as HookHandler, () => undefined);
  }
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code: code as number | null, stderr };
}

const commands = [
  { oldOid: ZERO, newOid: OID, ref: 'refs/heads/x' },
  { oldOid: OID, newOid: ZERO, ref: 'refs/heads/y z' },
];

describe('the pre-receive hook', () => {
  it('passes the commands and where their objects are, and accepts', async () => {
    const seen: unknown[] = [];
    const result = await runHook(
      'pre-receive',
      {
        preReceive: (list, quarantine) => {
          seen.push(list, quarantine);
          return Promise.resolve({ accept: true, lines: ['Welcome'] });
        },
      },
      { env: { GIT_OBJECT_DIRECTORY: '/q r', GIT_ALTERNATE_OBJECT_DIRECTORIES: '/o' } },
    );
    expect(result).toEqual({ code: 0, stderr: 'Welcome\n' });
    expect(seen).toEqual([commands, { objectDirectory: '/q r', alternateObjectDirectories: '/o' }]);
  });

  it('passes line ends in names on without letting them end the question', async () => {
    const lines = `${ZERO} ${OID} refs/heads/x\n\n.\n${LINES}`;
    let asked = 0;
    const preReceive: HookHandler['preReceive'] = () => {
      asked += 1;
      return Promise.resolve({ accept: true, lines: [] });
    };
    const { code } = await runHook('pre-receive', { preReceive }, { input: lines });
    expect([code, asked]).toEqual([1, 0]);
  });

  it('refuses with the reason, also without quarantine', async () => {
    const result = await runHook('pre-receive', {
      preReceive: (_list, quarantine) =>
        Promise.resolve({ accept: false, lines: [`No: ${String(quarantine)} $(id)`, ''] }),
    });
    expect(result).toEqual({ code: 1, stderr: 'No: null $(id)\n\n' });
  });

  it('refuses when the check fails, and when there is no server', async () => {
    const failing = { preReceive: () => Promise.reject(new Error('database gone')) };
    for (const handler of [failing, null]) {
      const { code, stderr } = await runHook('pre-receive', handler);
      expect(code).toBe(1);
      expect(stderr).toContain('Guildhall: The server could not check this push.');
    }
  });
});

describe('the hook channel', () => {
  it('answers once per question, wherever its bytes are cut', async () => {
    const question = Buffer.from(`pre-receive\n-\n-\n${LINES.replace(/^/gm, '=').slice(0, -1)}.\n`);
    for (let cut = 1; cut < question.length; cut += 1) {
      const seen: unknown[] = [];
      const preReceive: HookHandler['preReceive'] = (list) => {
        seen.push(list);
        return Promise.resolve({ accept: true, lines: [] });
      };
      const socket = new PassThrough();
      const channel = new HookChannel(socket, { preReceive } as HookHandler, () => undefined);
      socket.emit('data', question.subarray(0, cut));
      socket.emit('data', question.subarray(cut));
      await channel.settled();
      expect(seen).toEqual([commands]);
    }
  });
});

describe('the post-receive hook', () => {
  it('reports the updates, waits and prints the answer', async () => {
    const seen: unknown[] = [];
    const result = await runHook('post-receive', {
      postReceive: (updates) => {
        seen.push(updates);
        return Promise.resolve(['Moved', 'Really']);
      },
    });
    expect(result).toEqual({ code: 0, stderr: 'Moved\nReally\n' });
    expect(seen).toEqual([commands]);
  });

  it('does not fail a push that is already done', async () => {
    expect(await runHook('post-receive', null)).toEqual({ code: 0, stderr: '' });
  });
});

describe('the push lock', () => {
  let storageRoot: string;
  beforeEach(async () => {
    storageRoot = await mkdtemp(join(tmpdir(), 'guildhall-lock-'));
  });
  afterEach(() => rm(storageRoot, { recursive: true, force: true }));

  it('is held by a process whose starter was killed, and free after it', async () => {
    const lock = { storageRoot, repositoryKey: 'project-1' };
    const prefix = await pushLockPrefix(lock);
    // The starter prints once the lock is held and the sleeper's id is known.
    const command = `${prefix.join(' ')} sh -c 'echo $$; exec sleep 300' & wait`;
    const starter = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(starter.stdout, 'data')) as [Buffer];
    const sleeper = Number(line.toString());
    starter.kill('SIGKILL');
    expect(await pushLockIsFree(lock, 50)).toBe(false);
    process.kill(sleeper, 'SIGKILL');
    expect(await pushLockIsFree(lock, 5000)).toBe(true);
  });

  it('is shared by pushes and apart for each repository', async () => {
    const lock = { storageRoot, repositoryKey: 'project-1' };
    const [program = '', ...args] = await pushLockPrefix(lock);
    const run = (): ReturnType<typeof spawn> =>
      spawn(program, [...args, 'cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const pushes = [run(), run()];
    for (const push of pushes) {
      push.stdin?.write('x');
      await once(push.stdout as NodeJS.ReadableStream, 'data');
    }
    expect(await pushLockIsFree(lock, 0)).toBe(false);
    expect(await pushLockIsFree({ ...lock, repositoryKey: 'project-2' }, 0)).toBe(true);
    for (const push of pushes) push.stdin?.end();
    expect(await pushLockIsFree(lock, 5000)).toBe(true);
  });
});
