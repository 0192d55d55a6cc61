import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { StoragesConfig } from '../../config/services.js';
import { pathExists } from '../../git/durable-file.js';
import {
  relativeRepositoryPath,
  repositoriesBelow,
  repositoryKey,
} from '../../git/repository-path.js';
import { prepareStorage } from '../../git/storage-registry.js';
import { makeDirectories, nativePath } from '../../storage-moves/engine/file-io.js';
import { flushPaths, treePaths } from '../../storage-moves/engine/filesystem-flush.js';
import { CliError } from '../cli.js';
import type { Progress } from '../progress.js';
import type { BackupArchive } from './backup-archive.js';
import { readFileList } from './file-list.js';
import type { Manifest, RepositoryDump } from './manifest.js';

/** Folders of repositories below the root of a storage. */
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

/**
 * Writes all repositories. Others that are below the folders of repositories go into the trash of
 * their storage: a later project with the same ID would inherit them.
 */
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
  await removeStrangers(storages, manifest);
  for (const { path } of Object.values(storages)) await flushPaths(path, () => treePaths(path));
  progress.end();
}

async function loadRepository(
  root: string,
  { kind, container_id: id, list }: RepositoryDump,
  { archive, progress }: Pick<Source, 'archive' | 'progress'>,
): Promise<void> {
  const random = randomBytes(8).toString('hex');
  const temporary = join(root, '+svc', 'tmp', `restore-${random}`);
  try {
    await mkdir(temporary);
    makeDirectories(temporary, FOLDERS);
    const folders = new Set(['', ...FOLDERS]);
    for await (const { path, mode, parts } of readFileList(archive, list)) {
      assertInside(path);
      const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
      if (!folders.has(folder)) makeDirectories(temporary, [folder]);
      folders.add(folder);
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
    if (await pathExists(path)) await moveToTrash(root, path, repositoryKey(kind, id));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** A path of a backup must not lead out of its repository. */
function assertInside(path: string): void {
  const isInside = path.split('/').every((name) => !['', '.', '..'].includes(name));
  if (!isInside || path.includes('\0')) throw new CliError(`the backup has a file named ${path}`);
}

async function removeStrangers(
  storages: StoragesConfig,
  { repositories }: Manifest,
): Promise<void> {
  const restored = new Set(
    repositories.map(({ kind, container_id: id, storage }) =>
      join(storages[storage]?.path ?? '', relativeRepositoryPath(kind, id)),
    ),
  );
  for (const { path: root } of Object.values(storages)) {
    for (const path of await repositoriesBelow(root)) {
      if (!restored.has(path)) await moveToTrash(root, path, basename(path, '.git'));
    }
  }
}

/** It is not on record there: the worker leaves it to the operator. */
async function moveToTrash(root: string, path: string, name: string): Promise<void> {
  const trash = `${name}-replaced-${randomBytes(8).toString('hex')}.git`;
  await rename(path, join(root, '+svc', 'trash', trash));
}
