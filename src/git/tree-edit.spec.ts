import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createBareRepository } from './git-repository.js';
import { commitToBranch, type CommitDraft } from './git-commit.js';
import { gitEnvironment } from './git-process.js';
import { ReferenceClashError, ReferenceMovedError, updateReferences } from './reference-updates.js';

const author = { name: 'Ada', email: 'ada@example.com', date: new Date('2024-02-03T04:05:06Z') };
const MODE = '100644';
let root: string;
let path: string;

function git(args: string[], input?: string | Buffer): string {
  const options = { encoding: 'utf8', env: gitEnvironment(), input } as const;
  return execFileSync('git', ['-C', path, ...args], options).trim();
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'guildhall-tree-'));
  await mkdir(join(root, '+svc', 'tmp'), { recursive: true });
  path = join(root, 'x.git');
  await createBareRepository({ storageRoot: root, path, defaultBranch: 'main' });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function commit(edit: (draft: CommitDraft) => Promise<void>): Promise<string> {
  const made = await commitToBranch(path, { branch: 'main', message: 'x', author, edit });
  return made.command.newOid;
}

/** Puts files with their path as content. */
async function put({ tree, writer }: CommitDraft, ...paths: string[]): Promise<void> {
  for (const name of paths) {
    await tree.put(name, { mode: MODE, oid: writer.add('blob', Buffer.from(name)) });
  }
}

const files = (): string[] => git(['ls-tree', '-r', '--name-only', 'main']).split('\n');

describe('editing a tree', () => {
  it('writes what git itself would, in the order git wants', async () => {
    const names = ['a-b', 'a.txt', 'a/b', 'a/c/d', 'a0', 'ä/ö', 'a/c-d', 'Z'];
    const oid = await commit((draft) => put(draft, ...names));
    expect(git(['fsck', '--full', '--strict'])).toBe('');
    const index = names.map((name) => {
      return `${MODE} ${git(['hash-object', '--stdin'], name)}\t${name}\0`;
    });
    const env = { ...gitEnvironment(), GIT_INDEX_FILE: join(root, 'index') };
    const options = { env, encoding: 'utf8', input: index.join('') } as const;
    execFileSync('git', ['-C', path, 'update-index', '-z', '--index-info'], options);
    const tree = execFileSync('git', ['-C', path, 'write-tree'], { env, encoding: 'utf8' });
    expect(git(['rev-parse', `${oid}^{tree}`])).toBe(tree.trim());
  });

  it('leaves alone what it does not touch: names that are not UTF-8, links, submodules', async () => {
    const blob = git(['hash-object', '-w', '--stdin'], 'x');
    const submodule = 'a'.repeat(40);
    const strange = Buffer.concat([
      Buffer.from(`100755 blob ${blob}\tprogram\0`),
      Buffer.from(`120000 blob ${blob}\tlink\0`),
      Buffer.from(`160000 commit ${submodule}\tmodule\0`),
      Buffer.from(`100644 blob ${blob}\t`),
      Buffer.from([0xff, 0xfe, 0]),
    ]);
    const tree = git(['mktree', '-z', '--missing'], strange);
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    git(['update-ref', 'refs/heads/main', git([...identity, 'commit-tree', '-m', 'x', tree])]);
    await commit((draft) => put(draft, 'new'));
    await commit(({ tree: edit }) => edit.remove('new'));
    expect(git(['rev-parse', 'main^{tree}'])).toBe(tree);
  });

  it('removes folders with their last file, and finds what is there', async () => {
    await commit((draft) => put(draft, 'a/b/c', 'd'));
    await commit(async ({ tree }) => {
      expect(await tree.find('a/b/c')).toMatchObject({ mode: MODE });
      expect(await tree.find('a/b')).toMatchObject({ mode: '40000' });
      expect(await tree.find('d/e')).toBeNull();
      await tree.remove('a/b/c');
      await tree.remove('never/there');
      expect(await tree.find('a')).toBeNull();
    });
    expect(files()).toEqual(['d']);
    await commit(({ tree }) => tree.remove('d'));
    expect(files()).toEqual(['']);
  });

  it('puts no file over a folder and nothing beneath a file', async () => {
    await commit((draft) => put(draft, 'a/b', 'c'));
    await commit(async (draft) => {
      await expect(put(draft, 'a')).rejects.toMatchObject({ obstacle: 'folder' });
      await expect(put(draft, 'c/d')).rejects.toMatchObject({ obstacle: 'file' });
    });
    expect(files()).toEqual(['a/b', 'c']);
  });

  it('does not move a branch that others have moved, nor one that clashes with another', async () => {
    const first = await commit((draft) => put(draft, 'a'));
    const late = commit(async (draft) => {
      await put(draft, 'late');
      await commit((other) => put(other, 'b'));
    });
    await expect(late).rejects.toThrow(ReferenceMovedError);
    expect(files()).toEqual(['a', 'b']);
    const commands = [{ ref: 'refs/heads/main/x', oldOid: '0'.repeat(40), newOid: first }];
    await expect(updateReferences(path, commands)).rejects.toThrow(ReferenceClashError);
  });

  it('moves several refs together or not at all', async () => {
    const oid = await commit((draft) => put(draft, 'a'));
    const zero = '0'.repeat(40);
    const make = (name: string, oldOid: string) => ({
      ref: `refs/heads/${name}`,
      oldOid,
      newOid: oid,
    });
    const half = updateReferences(path, [make('one', zero), make('two', 'b'.repeat(40))]);
    await expect(half).rejects.toThrow(ReferenceMovedError);
    expect(git(['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main');
    await updateReferences(path, [make('one', zero), make('two', zero)]);
    await updateReferences(path, [{ ref: 'refs/heads/one', oldOid: oid, newOid: zero }]);
    expect(git(['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main\nrefs/heads/two');
  });
});
