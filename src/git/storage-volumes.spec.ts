import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Config } from '../config/env.js';
import { STORAGE_METADATA_FILE } from '../config/services.js';
import type { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { StorageRegistry } from './storage-registry.js';
import { StorageVolumes } from './storage-volumes.service.js';

let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'guildhall-volumes-'));
  await fs.mkdir(join(folder, 'unmounted'));
  await fs.writeFile(join(folder, STORAGE_METADATA_FILE), '');
});
afterAll(() => fs.rm(folder, { recursive: true }));

function volumesOf(paths: Record<string, string>): StorageVolumes {
  const entries = Object.entries(paths).map(([name, path]) => [name, { path, weight: 1 }]);
  const settings = { values: { repository_storages_weighted: {} } } as InstanceSettings;
  const config = { storages: Object.fromEntries(entries) } as Partial<Config> as Config;
  return new StorageVolumes(new StorageRegistry(config, settings));
}

describe('StorageVolumes', () => {
  it('leaves out a storage that is not mounted', async () => {
    const volumes = volumesOf({ here: folder, unmounted: join(folder, 'unmounted') });
    expect([...(await volumes.all()).keys()]).toEqual(['here']);
  });

  it('leaves out a disk that hangs, and does not ask it again meanwhile', async () => {
    const { statfs } = fs;
    const asked = jest
      .spyOn(fs, 'statfs')
      .mockImplementation(((path: string) =>
        path.startsWith('/gone/') ? new Promise(() => undefined) : statfs(path)) as typeof statfs);
    syncBuiltinESMExports();
    try {
      const volumes = volumesOf({ here: folder, gone: '/gone' });
      const both = await Promise.all([volumes.all(), volumes.all()]);
      expect(both.map((all) => [...all.keys()])).toEqual([['here'], ['here']]);
      const calls = asked.mock.calls.filter(([path]) => String(path).startsWith('/gone/'));
      expect(calls).toHaveLength(1);
    } finally {
      asked.mockRestore();
      syncBuiltinESMExports();
    }
  });
});
