import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitSandbox, makeGitSandbox } from '../../../test/support/git.js';
import { blobSize, entryAt, listTree, readBlobBounded, TreeTooLargeError } from './contents.js';
import { gitOutput } from '../git-process.js';
import { readCommit } from './commits.js';
import { diffBetween, diffOfCommit, EMPTY_TREE, statsOfCommits } from './diffs.js';
import type { OpenRepository } from './repository-reader.service.js';

const ODD = 'ä "odd"\n\tname';
let sandbox: GitSandbox;
let repository: OpenRepository;
let before: string;
let after: string;
let large: string;

beforeAll(async () => {
  sandbox = await makeGitSandbox();
  const work = (path: string): string => join(sandbox.path, 'work', path);
  const commit = async (): Promise<string> => {
    await sandbox.run(['add', '-A'], 'work');
    await sandbox.run(['commit', '-q', '-m', 'x'], 'work');
    return sandbox.run(['rev-parse', 'HEAD'], 'work');
  };
  await sandbox.run(['init', '-q', 'work']);
  await mkdir(work('src/deep'), { recursive: true });
  await writeFile(work('src/deep/a.ts'), 'one\ntwo\nthree\nfour\n');
  await writeFile(work('src/b.ts'), 'b\n');
  await writeFile(work('gone'), 'diff --git a/x b/x\n');
  await writeFile(work('binary'), Buffer.from([0, 1, 2]));
  await writeFile(work('kind'), 'file\n');
  await writeFile(work(ODD), 'odd\n');
  await writeFile(
    Buffer.concat([Buffer.from(`${work('')}/`), Buffer.from([0xff, 0x61])]),
    'latin\n',
  );
  before = await commit();
  await rename(work('src/deep/a.ts'), work('src/moved.ts'));
  await writeFile(work('src/moved.ts'), 'one\ntwo\nthree\n4\n');
  await chmod(work('src/b.ts'), 0o755);
  await rm(work('gone'));
  await writeFile(work('binary'), Buffer.from([0, 1, 3]));
  await rm(work('kind'));
  await symlink('src/b.ts', work('kind'));
  await writeFile(work(ODD), 'odd\n++ plus\n-- minus\n');
  after = await commit();
  await writeFile(work('big'), `${'x'.repeat(99)}\n`.repeat(2_000));
  await writeFile(work('line'), 'y'.repeat(300_000));
  await writeFile(work('small'), 's\n');
  large = await commit();
  await sandbox.run(['clone', '-q', '--mirror', 'work', 'bare.git']);
  repository = { path: join(sandbox.path, 'bare.git') };
});

afterAll(() => sandbox.remove());

describe('trees', () => {
  it('refuses a tree of a million files, the second time without git', async () => {
    let id = await sandbox.run(['rev-parse', `${before}:src/b.ts`], 'work');
    for (const type of ['100644 blob', ...Array<string>(5).fill('040000 tree')]) {
      const lines = Array.from(
        { length: 10 },
        (_, at) => `${type} ${id}\t${'n'.repeat(20)}${at}\n`,
      );
      const made = await gitOutput(['mktree'], { cwd: repository.path, input: lines.join('') });
      id = made.toString().trim();
    }
    expect(await listTree(repository, id, {})).toHaveLength(10);
    await expect(listTree(repository, id, { recursive: true })).rejects.toThrow(TreeTooLargeError);
    await rename(repository.path, `${repository.path}.away`);
    const again = listTree(repository, id, { recursive: true });
    await expect(again).rejects.toThrow(TreeTooLargeError);
    await rename(`${repository.path}.away`, repository.path);
  });

  it('lists a folder, folders first, with names of any bytes', async () => {
    const names = (await listTree(repository, before, {}))?.map(({ name }) => name);
    expect(names).toEqual(['src', 'binary', 'gone', 'kind', ODD, '\ufffda']);
    expect(await listTree(repository, before, { path: 'src/' })).toEqual([
      { id: expect.any(String), name: 'deep', type: 'tree', path: 'src/deep', mode: '040000' },
      { id: expect.any(String), name: 'b.ts', type: 'blob', path: 'src/b.ts', mode: '100644' },
    ]);
    const all = await listTree(repository, before, { path: 'src', recursive: true });
    expect(all?.map(({ path }) => path)).toEqual(['src/deep', 'src/b.ts', 'src/deep/a.ts']);
  });

  it.each(['none', 'gone', 'src/../src', './src', 'src//deep', 'x\0'])(
    'finds no folder %j',
    async (path) => {
      expect(await listTree(repository, before, { path })).toBeNull();
    },
  );

  it('finds what is at a path', async () => {
    expect(await entryAt(repository, before, 'src/deep')).toMatchObject({ type: 'tree' });
    expect(await entryAt(repository, before, ODD)).toMatchObject({ type: 'blob', name: ODD });
    expect(await entryAt(repository, after, 'kind')).toMatchObject({ mode: '120000' });
    expect(await entryAt(repository, before, '')).toMatchObject({ type: 'tree', path: '' });
    expect(await entryAt(repository, before, '*')).toBeNull();
    expect(await entryAt(repository, before, ':(top)src')).toBeNull();
  });
});

describe('blobs', () => {
  async function idOf(commit: string, path: string): Promise<string> {
    return (await entryAt(repository, commit, path))?.id ?? '';
  }

  it('reads files as far as wanted', async () => {
    const file = await readBlobBounded(repository, await idOf(before, ODD), 100);
    expect(file).toMatchObject({ size: 4, isWhole: true, content: Buffer.from('odd\n') });
    const cut = await readBlobBounded(repository, await idOf(large, 'line'), 1_000);
    expect(cut).toMatchObject({ size: 300_000, isWhole: false });
    expect(cut?.content.toString()).toBe('y'.repeat(1_000));
    expect(await blobSize(repository, cut?.oid ?? '')).toBe(300_000);
    expect(await readBlobBounded(repository, file?.oid ?? '', 2)).toMatchObject({
      content: Buffer.from('od'),
      isWhole: false,
    });
  });

  it('has null for folders, commits and what is not there', async () => {
    expect(await readBlobBounded(repository, await idOf(before, 'src'), 10)).toBeNull();
    expect(await readBlobBounded(repository, before, 10)).toBeNull();
    expect(await readBlobBounded(repository, '--all', 10)).toBeNull();
    expect(await blobSize(repository, before)).toBeNull();
    expect(await blobSize(repository, '1'.repeat(40))).toBeNull();
  });
});

describe('diffs', () => {
  it('shows every kind of change', async () => {
    const { files, isOverflowing } = await diffBetween(repository, before, after);
    expect(isOverflowing).toBe(false);
    expect(files.map(({ diff: _, ...file }) => file)).toEqual([
      { ...plain('binary'), isBinary: true },
      { ...plain('gone'), isDeleted: true, bMode: '000000', deletions: 1 },
      { ...plain('kind'), isDeleted: true, bMode: '000000', deletions: 1 },
      { ...plain('kind'), isNew: true, aMode: '000000', bMode: '120000', additions: 1 },
      { ...plain('src/b.ts'), bMode: '100755' },
      {
        ...plain('src/moved.ts'),
        oldPath: 'src/deep/a.ts',
        isRenamed: true,
        additions: 1,
        deletions: 1,
      },
      { ...plain(ODD), additions: 2 },
    ]);
    expect(files[1]?.diff).toBe('@@ -1 +0,0 @@\n-diff --git a/x b/x\n');
    expect(files[6]?.diff).toBe('@@ -1 +1,3 @@\n odd\n+++ plus\n+-- minus\n');
  });

  it('shows a first commit whole, and nothing where nothing changed', async () => {
    const commit = await readCommit(repository, before);
    if (commit === null) throw new Error('The commit is gone');
    const { files } = await diffOfCommit(repository, commit);
    expect(files.every(({ isNew }) => isNew)).toBe(true);
    expect(files).toHaveLength(7);
    expect(await diffBetween(repository, after, after)).toEqual({
      files: [],
      isOverflowing: false,
    });
  });

  it('leaves out what is too long and goes on with the next file', async () => {
    const { files } = await diffBetween(repository, after, large);
    expect(files.map(({ newPath, isTooLarge, diff }) => [newPath, isTooLarge, diff])).toEqual([
      ['big', true, ''],
      ['line', true, ''],
      ['small', false, '@@ -0,0 +1 @@\n+s\n'],
    ]);
    expect(files[0]?.additions).toBe(2_000);
  });

  it('does not hold a long file in memory, and shows what is in front of it', async () => {
    const work = join(sandbox.path, 'long');
    await sandbox.run(['init', '--quiet', 'long']);
    await writeFile(join(work, 'a'), 'a\n');
    await writeFile(join(work, 'long'), '');
    await truncate(join(work, 'long'), 160 * 1024 * 1024);
    await writeFile(join(work, 'z'), 'z\n');
    await sandbox.run(['add', '.'], 'long');
    await sandbox.run(['commit', '--quiet', '-m', 'Long'], 'long');
    const oid = await sandbox.run(['rev-parse', 'HEAD'], 'long');
    // With a work tree git would map the file that lies there.
    const path = join(work, '.git');
    await sandbox.run(['config', 'core.bare', 'true'], 'long');
    const { files, isOverflowing } = await diffBetween({ path }, EMPTY_TREE, oid);
    expect(isOverflowing).toBe(true);
    expect(files.map(({ newPath, isTooLarge }) => [newPath, isTooLarge])).toEqual([
      ['a', false],
      ['long', true],
      ['z', true],
    ]);
  });

  it('counts lines of several commits at once', async () => {
    const commits = await Promise.all([before, after].map((id) => readCommit(repository, id)));
    const known = commits.filter((commit) => commit !== null);
    const stats = await statsOfCommits(repository, known);
    expect(stats.get(before)).toEqual({ additions: 9, deletions: 0, total: 9 });
    expect(stats.get(after)).toEqual({ additions: 4, deletions: 3, total: 7 });
  });

  function plain(path: string): Record<string, unknown> {
    const paths = { oldPath: path, newPath: path, aMode: '100644', bMode: '100644' };
    const flags = { isNew: false, isRenamed: false, isDeleted: false, isBinary: false };
    return { ...paths, ...flags, isTooLarge: false, additions: 0, deletions: 0 };
  }
});
