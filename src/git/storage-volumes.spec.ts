import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { describe, expect, it, jest } from '@jest/globals';
import type { Config } from '../config/env.js';
import type { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { StorageRegistry } from './storage-registry.js';
import { StorageVolumes } from './storage-volumes.service.js';

const [HERE, GONE] = [tmpdir(), '/gone'];
const storages = { here: { path: HERE, weight: 1 }, gone: { path: GONE, weight: 1 } };

describe('StorageVolumes', () => {
  it('leaves out a disk that hangs, and does not ask it again meanwhile', async () => {
    const { statfs } = fs;
    const asked = jest
      .spyOn(fs, 'statfs')
      .mockImplementation(((path: string) =>
        path === GONE ? new Promise(() => undefined) : statfs(path)) as typeof statfs);
    syncBuiltinESMExports();
    try {
      const settings = { values: { repository_storages_weighted: {} } } as InstanceSettings;
      const volumes = new StorageVolumes(
        new StorageRegistry({ storages } as Partial<Config> as Config, settings),
      );
      const both = await Promise.all([volumes.all(), volumes.all()]);
      expect(both.map((all) => [...all.keys()])).toEqual([['here'], ['here']]);
      expect(asked.mock.calls.filter(([path]) => path === GONE)).toHaveLength(1);
    } finally {
      asked.mockRestore();
      syncBuiltinESMExports();
    }
  });
});
