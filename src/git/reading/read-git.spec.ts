import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { eventually } from '../../../test/support/eventually.js';
import { dyingWithParent, runGitCached } from './read-git.js';
import { isAlive } from '../../../test/support/processes.js';

/** Starts the command it is given, prints its process id, and waits. */
const PARENT = `
  const { forkProcess } = await import(${JSON.stringify(import.meta.resolve('../fork-process.js'))});
  const [program, ...args] = JSON.parse(process.argv[1]);
  const { PATH } = process.env;
  console.log((await forkProcess({ program, args, env: { PATH } })).pid);`;

describe('a process that reads for another', () => {
  it('dies with it, even when that is killed', async () => {
    const command = [...(await dyingWithParent()), 'sleep', '60'];
    expect(command[0]).toBe('setpriv');
    const parent = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      PARENT,
      JSON.stringify(command),
    ]);
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    // Before that, setpriv may not have asked for the signal.
    await eventually(async () => (await readFile(`/proc/${pid}/comm`, 'utf8')) === 'sleep\n');
    parent.kill('SIGKILL');
    await eventually(() => !isAlive(pid));
  });
});

describe('a reading of objects', () => {
  it('is shared by equal questions that are asked at the same time', async () => {
    const ask = () => runGitCached({ path: process.cwd() }, ['version']);
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(one.code).toBe(0);
    expect(other).toBe(one);
  });

  it('is not shared with a client whose disconnect ends it', async () => {
    const leaving = new AbortController();
    const ask = (signal?: AbortSignal) =>
      runGitCached({ path: process.cwd(), ...(signal && { signal }) }, [
        'version',
        '--build-options',
      ]);
    const ended = ask(leaving.signal);
    const whole = ask();
    leaving.abort();
    await expect(ended).rejects.toMatchObject({ status: 503 });
    expect((await whole).code).toBe(0);
  });
});
