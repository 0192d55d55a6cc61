import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageRegistry } from '../../git/storage-registry.js';
import { projectPath, type DemoTeam } from './demo-team.js';
import type { DemoBody, DemoInstance } from './instance.js';
import type { Timeline } from './timeline.js';

/** A repository with a symbolic link cannot be moved. */
const LINK = 'latest-backup';

/** Adds moves between storages: finished, failed and cancelled ones, which a worker really ran. */
export function planMoves(timeline: Timeline, team: DemoTeam, instance: DemoInstance): void {
  const { storages } = instance.config;
  const [source = '', destination] = Object.keys(storages);
  if (destination === undefined) return;
  const move = (path: string, storage: string): Promise<DemoBody> =>
    team.root.post(`${projectPath(path)}/repository_storage_moves`, {
      destination_storage_name: storage,
    });
  const stateOf = async (path: string): Promise<string> => {
    const [newest] = await team.root.get<DemoBody[]>(
      `${projectPath(path)}/repository_storage_moves`,
    );
    return newest?.state ?? 'none';
  };
  const isOver = async (path: string): Promise<boolean> =>
    ['finished', 'failed', 'cleanup failed', 'none'].includes(await stateOf(path));
  timeline.add(0.0009, async () => {
    for (const path of ['payments', 'deploy', 'handbook']) await move(path, destination);
    await instance.isEventually(() => isOver('handbook'));
  });
  timeline.add(0.0008, async () => {
    if (!(await isOver('handbook'))) return;
    await move('handbook', source);
    await instance.isEventually(() => isOver('handbook'));
  });
  timeline.add(0.0007, async () => {
    if (!(await isOver('handbook'))) return;
    const project = await team.root.get(projectPath('storefront'));
    const registry = instance.app.get(StorageRegistry, { strict: false });
    const address = { storage: source, kind: 'project', containerId: project.id } as const;
    const link = join(registry.absolutePath(address), LINK);
    await rm(link, { force: true });
    await symlink('/srv/backups/latest', link);
    try {
      await move('storefront', destination);
      await instance.isEventually(() => isOver('storefront'));
    } finally {
      await rm(link, { force: true });
    }
  });
}
