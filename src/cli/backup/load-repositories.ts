import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StoragesConfig } from '../../config/services.js';
import { pathExists } from '../../git/durable-file.js';
import { relativeRepositoryPath, repositoryKey } from '../../git/repository-path.js';
import { prepareStorage } from '../../git/storage-registry.js';
import { makeDirectories, nativePath } from '../../storage-moves/engine/file-io.js';
import { flushPaths, treePaths } from '../../storage-moves/engine/filesystem-flush.js';
import { CliError } from '../cli.js';
import type { Progress } from '../progress.js';
import type { BackupArchive } from './backup-archive.js';
import type { Manifest, RepositoryDump } from './manifest.js';

const FOLDERS = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info'];

interface Source {
  archive: BackupArchive;
  manifest: Manifest;
  progress: Progress;
}

/** Throws CliError unless each storage of the backup is configured. */
export function assertStorages(storages: StoragesConfig, { repositories }: Manifest): void {
  const needed = new Set(repositories.map(({ storage }) => storage));
  const missing = [...needed].filter((name) => storages[name] === undefined);
  if (missing.length === 0) return;
  throw new CliError(`STORAGES lacks storages of the backup: ${missing.join(', ')}`);
}

/** Writes all repositories; one that is in the way goes into the trash of its storage. */
export async function loadRepositories(
  storages: StoragesConfig,
  { archive, manifest, progress }: Source,
): Promise<void> {
  for (const [name, { path }] of Object.entries(storages)) {
    await prepareStorage({ name, root: path, weight: 0 });
  }
  progress.begin('Repositories', manifest.repositories.length, 'repositories');
  for (const repository of manifest.repositories) {
    const root = storages[repository.storage]?.path ?? '';
    await loadRepository(root, repository, { archive, progress });
    progress.advance(1);
  }
  for (const { path } of Object.values(storages)) await flushPaths(path, () => treePaths(path));
  progress.end();
}

async function loadRepository(
  root: string,
  { kind, container_id: id, files }: RepositoryDump,
  { archive, progress }: Pick<Source, 'archive' | 'progress'>,
): Promise<void> {
  const random = randomBytes(8).toString('hex');
  const temporary = join(root, '+svc', 'tmp', `restore-${random}`);
  try {
    await mkdir(temporary);
    const folders = files.map(({ path }) => path.slice(0, Math.max(path.lastIndexOf('/'), 0)));
    makeDirectories(temporary, new Set([...FOLDERS, ...folders].filter((path) => path !== '')));
    for (const { path, mode, parts } of files) {
      const file = await open(nativePath(temporary, path), 'wx', mode);
      try {
        for await (const bytes of archive.read(parts)) {
          await file.writeFile(bytes);
          progress.addBytes(bytes.length);
        }
      } finally {
        await file.close();
      }
    }
    const path = join(root, relativeRepositoryPath(kind, id));
    await mkdir(dirname(path), { recursive: true });
    if (await pathExists(path)) {
      const name = `${repositoryKey(kind, id)}-replaced-${random}.git`;
      await rename(path, join(root, '+svc', 'trash', name));
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}
