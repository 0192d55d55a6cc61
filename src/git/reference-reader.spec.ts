import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type GitSandbox, makeGitSandbox } from '../../test/support/git.js';
import { readStoredReferences } from './reference-reader.js';

let sandbox: GitSandbox;
beforeAll(async () => {
  sandbox = await makeGitSandbox();
});
afterAll(() => sandbox.remove());

describe('the refs of a repository', () => {
  it('are none where there are none', async () => {
    await sandbox.run(['init', '-q', '--bare', 'empty.git']);
    const stored = await readStoredReferences(join(sandbox.path, 'empty.git'), []);
    expect(stored?.references).toEqual([]);
  });

  it('cannot be read when a move takes the repository away meanwhile', async () => {
    await sandbox.run(['init', '-q', '--bare', 'moved.git']);
    const path = join(sandbox.path, 'moved.git');
    const { readFile } = fs;
    const read = jest.spyOn(fs, 'readFile').mockImplementation((async (file: string) => {
      if (file.endsWith('packed-refs')) await fs.rename(path, `${path}-away`);
      return readFile(file, 'utf8');
    }) as typeof readFile);
    syncBuiltinESMExports();
    try {
      await expect(readStoredReferences(path, [])).rejects.toThrow('ENOENT');
    } finally {
      read.mockRestore();
      syncBuiltinESMExports();
    }
  });
});
