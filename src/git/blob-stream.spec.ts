import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitSandbox, makeGitSandbox } from '../../test/support/git.js';
import { processesIn } from '../../test/support/processes.js';
import { openBlobById } from './git-repository.js';

const MEBIBYTE = 1024 * 1024;

let sandbox: GitSandbox;
beforeAll(async () => {
  sandbox = await makeGitSandbox();
});
afterAll(() => sandbox.remove());

/** Memory that each process took at most, in bytes. */
async function memoryOf(pids: number[]): Promise<number[]> {
  return Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
    }),
  );
}

describe('openBlobById', () => {
  it('leaves a long file on the disk while its reader waits', async () => {
    await sandbox.run(['init', '--quiet', 'work']);
    const file = join(sandbox.path, 'work', 'zeros');
    await writeFile(file, '');
    await truncate(file, 128 * MEBIBYTE);
    const oid = await sandbox.run(['hash-object', '-w', 'zeros'], 'work');
    const repository = join(sandbox.path, 'work');
    const content = await openBlobById(repository, oid);
    const used = await memoryOf(await processesIn(repository));
    content?.destroy();
    if (content !== null) await once(content, 'close');
    expect(used).toHaveLength(1);
    expect(used[0]).toBeLessThan(64 * MEBIBYTE);
  });
});
