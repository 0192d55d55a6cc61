import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { type GitSandbox, makeGitSandbox } from '../../../test/support/git.js';
import { listTree } from './contents.js';
import { lastCommits } from './last-commits.js';

let sandbox: GitSandbox;

beforeAll(async () => {
  sandbox = await makeGitSandbox();
  await sandbox.run(['init', '-q', 'work']);
});
afterAll(() => sandbox.remove());

/** Titles of the newest commits of a folder and its entries. */
async function titles(path = ''): Promise<Record<string, string>> {
  const repository = { path: join(sandbox.path, 'work') };
  const oid = await sandbox.run(['rev-parse', 'HEAD'], 'work');
  const entries = (await listTree(repository, oid, { path })) ?? [];
  const { ofEntries, ofFolder } = await lastCommits(repository, { oid, path }, entries);
  const named = [...ofEntries].map(([name, { title }]) => [name, title]);
  return { '.': ofFolder?.title ?? '', ...(Object.fromEntries(named) as Record<string, string>) };
}

describe('last commits', () => {
  it('are those that changed a folder and its entries, merged ones included', async () => {
    await sandbox.commit('work', 'src/a.ts', 'a');
    await sandbox.commit('work', 'src/lib/b.ts', 'b');
    await sandbox.commit('work', 'odd :100644', 'c');
    await sandbox.run(['checkout', '-q', '-b', 'topic'], 'work');
    await sandbox.commit('work', 'README', 'd');
    await sandbox.run(['checkout', '-q', 'main'], 'work');
    await sandbox.commit('work', 'src/gone.ts', 'e');
    await sandbox.run(['rm', '-q', 'src/gone.ts'], 'work');
    await sandbox.run(['commit', '-q', '-m', 'Remove gone.ts'], 'work');
    await sandbox.run(['merge', '-q', '--no-ff', '-m', 'Merge topic', 'topic'], 'work');
    expect(await titles()).toMatchObject({
      src: 'Remove gone.ts',
      'odd :100644': 'Change odd :100644',
      README: 'Change README',
    });
    expect(await titles('src')).toEqual({
      '.': 'Remove gone.ts',
      'a.ts': 'Change src/a.ts',
      lib: 'Change src/lib/b.ts',
    });
  });
});
