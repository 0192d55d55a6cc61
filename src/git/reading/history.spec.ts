import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { type GitSandbox, makeGitSandbox } from '../../../test/support/git.js';
import {
  type CommitSelection,
  countCommits,
  countListed,
  isAncestor,
  listCommits,
  mergeBase,
  readCommit,
  readCommits,
} from './commits.js';
import type { OpenRepository } from './repository-reader.service.js';

let sandbox: GitSandbox;
let repository: OpenRepository;
const ids: Record<string, string> = {};

beforeAll(async () => {
  sandbox = await makeGitSandbox();
  await sandbox.run(['init', '-q', 'work']);
  const commit = async (name: string, day: number, args: string[] = []): Promise<void> => {
    const date = `2024-03-0${day}T10:00:00+02:00`;
    await sandbox.run(['add', '.'], 'work');
    const dates = ['-c', 'user.name=Other', 'commit', '-q', '--allow-empty', `--date=${date}`];
    await sandbox.run([...dates, '-m', name, ...args], 'work');
    ids[name] = await sandbox.run(['rev-parse', 'HEAD'], 'work');
  };
  await sandbox.commit('work', 'a.txt', 'a');
  ids.base = await sandbox.run(['rev-parse', 'HEAD'], 'work');
  await sandbox.run(['checkout', '-q', '-b', 'topic'], 'work');
  await commit('On topic', 2, ['--author=Zoë Ünal <zoe@example.com>']);
  await sandbox.run(['checkout', '-q', 'main'], 'work');
  const message = 'Title\n\nBody line\n\nSigned-off-by: Ada <a@x>\nCloses: #1\n  and #2\n';
  await commit(message, 3);
  ids.main = ids[message] ?? '';
  await sandbox.run(['merge', '-q', '--no-ff', '-m', 'Merge topic', 'topic'], 'work');
  ids.merge = await sandbox.run(['rev-parse', 'HEAD'], 'work');
  await sandbox.run(['checkout', '-q', '--orphan', 'other'], 'work');
  await commit('Unrelated', 4);
  await sandbox.run(['clone', '-q', '--mirror', 'work', 'bare.git']);
  repository = { path: join(sandbox.path, 'bare.git') };
});

afterAll(() => sandbox.remove());

async function titles(selection: Partial<CommitSelection>): Promise<string[]> {
  const revision = selection.all === true ? undefined : ids.merge;
  const commits = await listCommits(repository, { revision, skip: 0, limit: 20, ...selection });
  return commits.map(({ title }) => title);
}

describe('commits', () => {
  it('reads all fields of a commit', async () => {
    expect(await readCommit(repository, ids.main ?? '')).toEqual({
      id: ids.main,
      parentIds: [ids.base],
      title: 'Title',
      message: 'Title\n\nBody line\n\nSigned-off-by: Ada <a@x>\nCloses: #1\n  and #2\n',
      authorName: 'Test Author',
      authorEmail: 'author@example.com',
      authoredDate: new Date('2024-03-03T08:00:00Z'),
      committerName: 'Test Author',
      committerEmail: 'author@example.com',
      committedDate: expect.any(Date),
      trailers: [
        ['Signed-off-by', 'Ada <a@x>'],
        ['Closes', '#1 and #2'],
      ],
    });
  });

  it('has null for what is no commit', async () => {
    const blob = await sandbox.run(['rev-parse', 'main:a.txt'], 'bare.git');
    expect(await readCommit(repository, blob)).toBeNull();
    expect(await readCommit(repository, '1'.repeat(40))).toBeNull();
    expect(await readCommit(repository, '--all')).toBeNull();
  });

  it('reads several at once, also when some are gone or not there yet', async () => {
    const { main = '', base = '' } = ids;
    const missing = '1'.repeat(40);
    const found = await readCommits(repository, [main, missing, base, main]);
    expect([...found.keys()].toSorted()).toEqual([main, base].toSorted());
    const later = await sandbox.commit('work', 'later.txt', 'later');
    expect(await readCommit(repository, later)).toBeNull();
    await sandbox.run(['push', '-q', '../bare.git', `${later}:refs/heads/later`], 'work');
    expect((await readCommit(repository, later))?.title).toBe('Change later.txt');
    await sandbox.run(['update-ref', '-d', 'refs/heads/later'], 'bare.git');
  });

  it('lists newest first, in pages', async () => {
    expect((await titles({})).toSorted()).toEqual([
      'Change a.txt',
      'Merge topic',
      'On topic',
      'Title',
    ]);
    expect((await titles({ skip: 0, limit: 1 }))[0]).toBe('Merge topic');
    expect(await titles({ skip: 3, limit: 5, order: 'topo' })).toEqual(['Change a.txt']);
    expect(await titles({ limit: 0 })).toEqual([]);
  });

  it('filters by path, author, date and first parents, and takes all branches', async () => {
    expect(await titles({ path: 'a.txt' })).toEqual(['Change a.txt']);
    expect(await titles({ path: '/a.txt/' })).toEqual(['Change a.txt']);
    for (const path of ['*.txt', '../a.txt', '/../etc', 'x\0', './a.txt']) {
      expect(await titles({ path })).toEqual([]);
    }
    expect(await titles({ skip: 1e11 })).toEqual([]);
    expect(await titles({ path: ':(glob)**' })).toEqual([]);
    expect(await titles({ author: 'ZOË' })).toEqual([]);
    expect(await titles({ author: 'zoe@EXAMPLE' })).toEqual(['On topic']);
    expect(await titles({ author: 'z.e' })).toEqual([]);
    expect(await titles({ firstParent: true })).not.toContain('On topic');
    expect(await titles({ all: true })).toContain('Unrelated');
    expect(await titles({ exclude: [ids.main ?? ''] })).not.toContain('Title');
    expect(await titles({ since: new Date('2999-01-01') })).toEqual([]);
    expect(await titles({ until: new Date('0001-01-01') })).toEqual([]);
    expect(await titles({ since: new Date('0001-01-01') })).toHaveLength(4);
    expect(await titles({ until: new Date('9999-01-01') })).toHaveLength(4);
  });

  it('counts, up to a bound', async () => {
    const include = [ids.merge ?? ''];
    expect(await countCommits(repository, { include, exclude: [] })).toBe(4);
    expect(await countCommits(repository, { include, exclude: [ids.main ?? ''] })).toBe(2);
    expect(await countCommits(repository, { include, exclude: [] }, 3)).toBe(3);
    expect(await countCommits(repository, { include: [], exclude: [] })).toBe(0);
  });

  it('counts a list beyond its page, up to a limit', async () => {
    const list = { revision: ids.merge ?? '', skip: 3, limit: 1 };
    expect(await countListed(repository, list, 10)).toBe(4);
    expect(await countListed(repository, list, 3)).toBe(3);
    expect(await countListed(repository, { ...list, firstParent: true }, 10)).toBe(3);
    expect(await countListed(repository, { ...list, author: 'nobody' }, 10)).toBe(0);
    expect(await countListed(repository, { ...list, until: new Date(0) }, 10)).toBe(0);
  });

  it('never passes an option on', async () => {
    const selection = { revision: '--output=x', skip: 0, limit: 1 };
    await expect(listCommits(repository, selection)).rejects.toThrow(RangeError);
  });
});

describe('merge bases', () => {
  it('finds the last common commit, or none', async () => {
    const { main = '', base = '', merge = '' } = ids;
    expect(await mergeBase(repository, [main, ids['On topic'] ?? ''])).toBe(base);
    expect(await mergeBase(repository, [main, ids.Unrelated ?? ''])).toBeNull();
    expect(await isAncestor(repository, base, merge)).toBe(true);
    expect(await isAncestor(repository, merge, base)).toBe(false);
    expect(await isAncestor(repository, base, base)).toBe(true);
  });
});
