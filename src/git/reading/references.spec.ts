import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitSandbox, makeGitSandbox } from '../../../test/support/git.js';
import { findBranch, findTag, listBranches, listTags, mergedBranches } from './references.js';
import type { OpenRepository } from './repository-reader.service.js';
import { resolveRevision, splitRefAndPath } from './revisions.js';

let sandbox: GitSandbox;
let repository: OpenRepository;
let first: string;
let second: string;

beforeAll(async () => {
  sandbox = await makeGitSandbox();
  await sandbox.run(['init', '-q', 'work']);
  first = await sandbox.commit('work', 'src/a.ts', 'a');
  await sandbox.run(['branch', 'feature/old'], 'work');
  await sandbox.run(['tag', 'v1'], 'work');
  second = await sandbox.commit('work', 'b.ts', 'b');
  await sandbox.run(['branch', 'feature/x'], 'work');
  await sandbox.run(['tag', '-a', 'v2', '-m', 'Second\n\nwith notes'], 'work');
  await sandbox.run(['tag', '-a', 'v2-again', '-m', 'tag of a tag', 'v2'], 'work');
  await sandbox.run(['tag', 'tree', 'HEAD^{tree}'], 'work');
  await sandbox.run(['tag', 'both'], 'work');
  await sandbox.run(['branch', 'both', first], 'work');
  await sandbox.run(['clone', '-q', '--mirror', 'work', 'bare.git']);
  repository = { path: join(sandbox.path, 'bare.git') };
});

afterAll(() => sandbox.remove());

describe('resolveRevision', () => {
  it('finds branches first, then tags, then commits by id or its beginning', async () => {
    const cases = {
      main: { oid: second, kind: 'branch', name: 'main' },
      'feature/old': { oid: first, kind: 'branch', name: 'feature/old' },
      'refs/heads/main': { oid: second, kind: 'branch', name: 'main' },
      both: { oid: first, kind: 'branch', name: 'both' },
      'refs/tags/both': { oid: second, kind: 'tag', name: 'both' },
      v2: { oid: second, kind: 'tag', name: 'v2' },
      'v2-again': { oid: second, kind: 'tag', name: 'v2-again' },
      HEAD: { oid: second, kind: 'branch', name: 'main' },
      [first]: { oid: first, kind: 'commit', name: first },
      [first.slice(0, 8)]: { oid: first, kind: 'commit', name: first },
    };
    for (const [text, expected] of Object.entries(cases)) {
      expect(await resolveRevision(repository, text)).toEqual(expected);
    }
  });

  it.each(['', 'none', 'tree', '--all', 'main~1', 'main^', ':/Change', 'main@{0}', 'main..both'])(
    'takes %j for no revision',
    async (text) => {
      expect(await resolveRevision(repository, text)).toBeNull();
    },
  );

  it('takes names that no file can have for no revision', async () => {
    for (const text of ['x'.repeat(300), `${'y/'.repeat(1000)}z`, 'main\n', 'é'.repeat(200)]) {
      expect(await resolveRevision(repository, text)).toBeNull();
      expect(await splitRefAndPath(repository, text)).toBeNull();
      expect(await findBranch(repository, text)).toBeNull();
      expect(await findTag(repository, text)).toBeNull();
    }
  });

  it('prefers a commit ID to a branch of that name', async () => {
    const impostor = join(repository.path, 'refs', 'heads', second);
    await writeFile(impostor, `${first}\n`);
    expect((await resolveRevision(repository, second))?.oid).toBe(second);
    await rm(impostor);
  });
});

describe('splitRefAndPath', () => {
  it.each([
    ['feature/x/src/a.ts', 'feature/x', 'src/a.ts'],
    ['feature/x', 'feature/x', ''],
    ['main/src/', 'main', 'src'],
    ['HEAD/b.ts', 'HEAD', 'b.ts'],
    ['v2/b.ts', 'v2', 'b.ts'],
    [`main/${'deep/'.repeat(30)}x`, 'main', `${'deep/'.repeat(30)}x`],
  ])('splits %j', async (text, ref, path) => {
    const split = await splitRefAndPath(repository, text);
    expect({ ref: split?.ref, path: split?.path }).toEqual({ ref, path });
  });

  it('splits after a commit id and refuses what begins with no revision', async () => {
    const split = await splitRefAndPath(repository, `${first}/src`);
    expect(split).toMatchObject({ ref: first, oid: first, path: 'src' });
    expect(await splitRefAndPath(repository, 'feature/none/x')).toBeNull();
  });
});

describe('branches', () => {
  it('lists them with their commits, searched, sorted and cut into pages', async () => {
    const names = async (options: Parameters<typeof listBranches>[1]): Promise<string[]> =>
      (await listBranches(repository, options)).branches.map(({ name }) => name);
    expect(await names({})).toEqual(['both', 'feature/old', 'feature/x', 'main']);
    expect(await names({ sort: 'name_desc' })).toEqual([
      'main',
      'feature/x',
      'feature/old',
      'both',
    ]);
    expect(await names({ search: 'FEAT' })).toEqual(['feature/old', 'feature/x']);
    expect(await names({ search: '^f' })).toEqual(['feature/old', 'feature/x']);
    expect(await names({ search: 'n$' })).toEqual(['main']);
    expect(await names({ search: '^main$' })).toEqual(['main']);
    expect((await names({ sort: 'updated_asc' })).toSorted()).toEqual(await names({}));
    const page = await listBranches(repository, { offset: 1, limit: 2 });
    expect(page.total).toBe(4);
    expect(page.branches.map(({ name, commit }) => [name, commit.id])).toEqual([
      ['feature/old', first],
      ['feature/x', second],
    ]);
  });

  it('finds one by its exact name and shows which are merged', async () => {
    expect((await findBranch(repository, 'feature/x'))?.commit.id).toBe(second);
    expect(await findBranch(repository, 'feature')).toBeNull();
    expect(await findBranch(repository, '--all')).toBeNull();
    const merged = await mergedBranches(repository, ['both', 'main'], first);
    expect(merged.has('both')).toBe(true);
    expect(merged.has('main')).toBe(false);
  });
});

describe('tags', () => {
  it('lists annotated, plain and nested tags with their commits', async () => {
    const { tags, total } = await listTags(repository);
    expect(total).toBe(5);
    const shown = tags.map(({ name, message, commit }) => [name, message, commit?.id ?? null]);
    expect(shown).toEqual([
      ['both', null, second],
      ['tree', null, null],
      ['v1', null, first],
      ['v2', 'Second\n\nwith notes', second],
      ['v2-again', 'tag of a tag', second],
    ]);
  });

  it('finds one by its exact name', async () => {
    const tag = await findTag(repository, 'v2');
    expect(tag?.taggedDate).toBeInstanceOf(Date);
    expect(tag?.target).not.toBe(second);
    expect(await findTag(repository, 'v')).toBeNull();
  });
});
