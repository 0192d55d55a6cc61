import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import type { TestApp } from './app.js';
import type { GitSandbox } from './git.js';

/**
 * Puts a mirror of the sandbox's clone `directory` where the project's repository is; answers its
 * path.
 */
export async function publishClone(
  { app }: Pick<TestApp, 'app'>,
  sandbox: GitSandbox,
  { directory, projectId }: { directory: string; projectId: number },
): Promise<string> {
  const address = { storage: 'default', kind: 'project', containerId: projectId } as const;
  const path = app.get(StorageRegistry).absolutePath(address);
  const mirror = `mirror-${projectId}.git`;
  await sandbox.run(['clone', '--quiet', '--mirror', directory, mirror]);
  await sandbox.run(['remote', 'remove', 'origin'], mirror);
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  await rename(join(sandbox.path, mirror), path);
  return path;
}
