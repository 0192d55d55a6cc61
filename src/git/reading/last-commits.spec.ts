import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitSandbox, makeGitSandbox } from '../../../test/support/git.js';
import { listTree } from './contents.js';
import { type LastCommits, lastCommits } from './last-commits.js';

/** Long enough on a busy machine. */
const PATIENCE_MS = 60_000;

let sandbox: GitSandbox;

beforeEach(async () => {
  sandbox = await makeGitSandbox();
  await sandbox.run(['init', '-q', 'work']);
});
afterEach(() => sandbox.remove());

const git = (...args: string[]): Promise<string> => sandbox.run(args, 'work');
const commit = (file: string, content: string): Promise<string> =>
  sandbox.commit('work', file, content);

/** The last commits of a folder of the branch and its entries. */
async function find(path = '', timeLimitMs = PATIENCE_MS): Promise<LastCommits> {
  const repository = { path: join(sandbox.path, 'work') };
  const oid = await git('rev-parse', 'HEAD');
  const entries = (await listTree(repository, oid, { path })) ?? [];
  return lastCommits(repository, { oid, path, entries }, timeLimitMs);
}

/** The last commits that `git log -1` prints. */
async function expected(path: string, names: readonly string[]): Promise<LastCommits> {
  const last = (at: string): Promise<string> =>
    git('--literal-pathspecs', 'log', '-1', '--format=%H', '--', at);
  const ids = await Promise.all(
    names.map(async (name) => [name, await last(join(path, name))] as const),
  );
  return { ofEntries: new Map(ids), ofFolder: await last(path === '' ? '.' : path) };
}

describe('last commits', () => {
  it('are those that changed a folder and its entries, also by removing files', async () => {
    await commit('src/a.ts', 'a');
    await commit('src/lib/b.ts', 'b');
    await commit('odd :100644', 'c');
    await commit('__proto__', 'd');
    await commit('src/gone.ts', 'e');
    await git('rm', '-q', 'src/gone.ts');
    await git('commit', '-q', '-m', 'Remove gone.ts');
    expect(await find()).toEqual(await expected('', ['src', 'odd :100644', '__proto__']));
    expect(await find('src')).toEqual(await expected('src', ['a.ts', 'lib']));
  });

  it('are those of git where branches were merged', async () => {
    for (const file of ['kept/a', 'solved/a', 'both/a', 'theirs/a']) await commit(file, 'before');
    await git('checkout', '-q', '-b', 'topic');
    for (const file of ['kept/a', 'solved/a', 'theirs/a']) await commit(file, 'topic');
    await commit('both/b', 'topic');
    await git('checkout', '-q', 'main');
    await commit('solved/a', 'main');
    await commit('both/c', 'main');
    await sandbox.try(['merge', '-q', '--no-commit', 'topic'], 'work');
    await git('checkout', '-q', 'HEAD', '--', 'kept/a');
    await writeFile(join(sandbox.path, 'work/solved/a'), 'both');
    await git('add', '.');
    await git('commit', '-q', '-m', 'Merge');
    const names = ['both', 'kept', 'solved', 'theirs'];
    expect(await find()).toEqual(await expected('', names));
    expect(await find('both')).toEqual(await expected('both', ['a', 'b', 'c']));
  });

  it('are missing when there is no time', async () => {
    await commit('a.ts', 'a');
    expect(await find('', 0)).toEqual({ ofEntries: new Map(), ofFolder: null });
  });

  it('are those that can be found where the history is damaged', async () => {
    await commit('old.ts', 'a');
    const tree = await git('rev-parse', 'HEAD^{tree}');
    await commit('middle.ts', 'b');
    await commit('new.ts', 'c');
    const last = await commit('newest.ts', 'd');
    await rm(join(sandbox.path, 'work/.git/objects', tree.slice(0, 2), tree.slice(2)));
    const { ofEntries } = await find();
    expect([...ofEntries]).toEqual([['newest.ts', last]]);
  });
});
