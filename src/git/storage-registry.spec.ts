import { mkdtemp, readdir, rm, symlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { folderElsewhere } from '../../test/support/filesystems.js';
import type { Config } from '../config/env.js';
import type { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { StorageRegistry, UnknownStorageError } from './storage-registry.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'guildhall-storages-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

function registry(
  weights: Record<string, number>,
  changed: Record<string, number> = {},
): StorageRegistry {
  const storages = Object.fromEntries(
    Object.entries(weights).map(([name, weight]) => [name, { path: join(root, name), weight }]),
  );
  const settings = { values: { repository_storages_weighted: changed } } as InstanceSettings;
  return new StorageRegistry({ storages } as Config, settings);
}

const isNew = (): Promise<boolean> => Promise.resolve(false);

describe('StorageRegistry', () => {
  it('draws by weight and never what is excluded or weighs nothing', () => {
    const storages = registry({ a: 30, b: 70, c: 0 });
    expect([0, 0.29, 0.31, 0.999].map((value) => storages.pick(undefined, () => value))).toEqual([
      'a',
      'a',
      'b',
      'b',
    ]);
    expect(storages.pick(['b'], () => 0.999)).toBe('a');
    expect(registry({ a: 100, c: 0 }).pick(['a'])).toBeNull();
  });

  it('draws by the weights of the settings instead, where what they leave out weighs nothing', () => {
    const storages = registry({ a: 100, b: 0 }, { b: 1 });
    expect([0, 0.5, 0.999].map((value) => storages.pick(undefined, () => value))).toEqual([
      'b',
      'b',
      'b',
    ]);
    expect(storages.pick(['b'])).toBeNull();
    expect(['a', 'b'].map((name) => storages.get(name).weight)).toEqual([0, 1]);
    expect(registry({ a: 100 }, { a: 0 }).pick()).toBeNull();
  });

  it('prepares a storage once and keeps its id', async () => {
    const storages = registry({ a: 1, b: 1 });
    await storages.prepare(isNew);
    const first = await storages.filesystemId('a');
    await storages.prepare(isNew);
    expect(await storages.filesystemId('a')).toBe(first);
    expect(await storages.filesystemId('b')).not.toBe(first);
    expect((await readdir(join(root, 'a', '+svc'))).sort()).toEqual(['locks', 'tmp', 'trash']);
  });

  it('refuses a storage whose room for copies is on another device', async () => {
    const storages = registry({ a: 1 });
    await storages.prepare(isNew);
    await rm(join(root, 'a', '+svc', 'tmp'), { recursive: true });
    await symlink(folderElsewhere(root), join(root, 'a', '+svc', 'tmp'));
    await expect(storages.prepare(isNew)).rejects.toThrow('must be on the same device');
  });

  it('takes an empty folder for a storage only when nothing is known to be on it', async () => {
    const storages = registry({ a: 1, b: 1 });
    const isInUse = (name: string): Promise<boolean> => Promise.resolve(name === 'b');
    await expect(storages.prepare(isInUse)).rejects.toThrow(
      'Storage b is not there: the database knows repositories on it',
    );
    await expect(readdir(join(root, 'b'))).rejects.toMatchObject({ code: 'ENOENT' });
    await storages.prepare(isNew);
    await storages.prepare(isInUse);
  });

  it('distinguishes an unknown storage from one that is not mounted', async () => {
    const storages = registry({ a: 1 });
    expect(() => storages.get('zz')).toThrow(UnknownStorageError);
    await storages.prepare(isNew);
    await unlink(join(root, 'a', '.svc-metadata'));
    await expect(storages.filesystemId('a')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('places a repository below the root', () => {
    const path = registry({ a: 1 }).absolutePath({ storage: 'a', kind: 'snippet', containerId: 1 });
    expect(path.startsWith(join(root, 'a', '@snippets', '6b', '86'))).toBe(true);
  });
});
