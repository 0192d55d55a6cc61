import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '../../../test/support/eventually.js';
import type { Config } from '../../config/env.js';
import { followClient } from '../../core/http/connections.js';
import type { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import type { Sql } from '../../core/sql/sql.service.js';
import { ContainersRepository } from '../containers.repository.js';
import { StorageRegistry } from '../storage-registry.js';
import { RepositoryReader } from './repository-reader.service.js';

const ADDRESS = { kind: 'project', containerId: 7 } as const;
let root: string;
let storages: StorageRegistry;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'guildhall-reader-'));
  const named = (name: string): [string, object] => [name, { path: join(root, name), weight: 1 }];
  const config = { storages: Object.fromEntries(['a', 'b'].map(named)) } as Config;
  const settings = { values: { repository_storages_weighted: {} } } as InstanceSettings;
  storages = new StorageRegistry(config, settings);
  await storages.prepare(() => Promise.resolve(false));
  await mkdir(pathOn('a'), { recursive: true });
  await writeFile(join(pathOn('a'), 'HEAD'), 'ref: refs/heads/main\n');
});
afterEach(() => rm(root, { recursive: true, force: true }));

function pathOn(storage: string): string {
  return storages.absolutePath({ storage, ...ADDRESS });
}

/** A reader for which each look at the database answers the next of `places`, then the last. */
function readerWith(...places: (string | null | (() => Promise<string>))[]): RepositoryReader {
  const row = async (sql: string): Promise<object | null> => {
    // Before the first push, a repository need not exist.
    if (sql.includes('empty_repo')) return null;
    const place = places.length > 1 ? places.shift() : places[0];
    const storage = typeof place === 'function' ? await place() : (place ?? null);
    return storage === null ? null : { storage, readOnly: false };
  };
  return new RepositoryReader(storages, new ContainersRepository({ row } as unknown as Sql));
}

/** Runs work as the request middleware does for a request from this address. */
function asClient<T>(ip: string, work: () => Promise<T>): Promise<T> {
  const response = Object.assign(new EventEmitter(), { req: { ip }, destroyed: false });
  return new Promise((resolve) => {
    followClient({} as Request, response as unknown as Response, () => resolve(work()));
  });
}

describe('RepositoryReader', () => {
  it('finds a repository where the database says it is', async () => {
    expect(await readerWith('a').open(ADDRESS)).toEqual({ path: pathOn('a') });
    expect(await readerWith('b').open(ADDRESS)).toBeNull();
    expect(await readerWith(null).open(ADDRESS)).toBeNull();
  });

  it('follows a move that happens between looking up and opening', async () => {
    const moved = async (): Promise<string> => {
      await mkdir(dirname(pathOn('b')), { recursive: true });
      await rename(pathOn('a'), pathOn('b'));
      return 'a';
    };
    expect(await readerWith(moved, 'b').open(ADDRESS)).toEqual({ path: pathOn('b') });
  });

  it('refuses with 404 without a repository, with 503 without its storage', async () => {
    const read = (reader: RepositoryReader): Promise<string> =>
      reader.read(ADDRESS, ({ path }) => Promise.resolve(path));
    expect(await read(readerWith('a'))).toBe(pathOn('a'));
    await expect(read(readerWith('b'))).rejects.toMatchObject({ status: 404 });
    await expect(read(readerWith('unknown'))).rejects.toMatchObject({ status: 503 });
    await rm(join(root, 'b'), { recursive: true });
    await expect(read(readerWith('b'))).rejects.toMatchObject({ status: 503 });
  });

  it('leaves a slot of each repository to other clients', async () => {
    const reader = readerWith('a');
    const finish: (() => void)[] = [];
    const started: string[] = [];
    const read = (ip: string): Promise<void> =>
      asClient(ip, () =>
        reader.read(ADDRESS, () => {
          started.push(ip);
          return new Promise<void>((resolve) => finish.push(resolve));
        }),
      );
    const readings = Array.from({ length: 103 }, () => read('192.0.2.1'));
    await expect(read('192.0.2.1')).rejects.toMatchObject({ status: 503 });
    readings.push(read('192.0.2.2'));
    await eventually(() => started.length === 4);
    expect(started.toSorted()).toEqual([...Array<string>(3).fill('192.0.2.1'), '192.0.2.2']);
    let isOver = false;
    const all = Promise.all(readings).then(() => (isOver = true));
    while (!isOver) {
      finish.splice(0).forEach((end) => end());
      await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
  });

  it('reads a repository 4 times at once, lets 50 wait and refuses more with 503, but not others', async () => {
    const reader = readerWith('a');
    const state = { running: 0, most: 0 };
    const finish: (() => void)[] = [];
    const work = async (): Promise<void> => {
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      await new Promise<void>((resolve) => finish.push(resolve));
      state.running -= 1;
    };
    const readings = Array.from({ length: 54 }, () => reader.read(ADDRESS, work));
    await expect(reader.read(ADDRESS, work)).rejects.toMatchObject({ status: 503 });
    const other = { ...ADDRESS, containerId: ADDRESS.containerId + 1 };
    await expect(reader.read(other, work)).rejects.toMatchObject({ status: 404 });
    let isOver = false;
    const all = Promise.all(readings).then(() => (isOver = true));
    while (!isOver) {
      finish.splice(0).forEach((end) => end());
      await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
    expect(state.most).toBe(4);
  });
});
