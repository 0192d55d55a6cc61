import { join } from 'node:path';
import { STORAGE_METADATA_FILE, type StoragesConfig } from '../../config/services.js';
import { bareRepositoryExists } from '../../git/bare-repository.js';
import { pathExists } from '../../git/durable-file.js';
import {
  relativeRepositoryPath,
  repositoryKey,
  type RepositoryKind,
} from '../../git/repository-path.js';
import {
  type BackedUpContainer,
  findInTrash,
  findStorage,
  type Queryable,
} from './sql/database-catalog.js';

/**
 * Returns null when it is nowhere; throws when a storage where it can be is not there. A move
 * switches the row first, a deletion deletes it first.
 */
export async function locateRepository(
  { database, storages }: { database: Queryable; storages: StoragesConfig },
  {
    kind,
    id,
    repository,
    storage: storageThen,
  }: BackedUpContainer & { repository: RepositoryKind },
): Promise<string | null> {
  const relative = relativeRepositoryPath(repository, id);
  let storage = await findStorage(database, { kind, id });
  while (storage !== null) {
    const path = await findOn(storages, storage, relative);
    if (path !== null) return path;
    const now = await findStorage(database, { kind, id });
    if (now === storage) return null;
    storage = now;
  }
  const left = await findOn(storages, storageThen, relative);
  if (left !== null) return left;
  const trash = await findInTrash(database, repositoryKey(repository, id));
  return trash === null ? null : findOn(storages, trash.storage, trash.path);
}

/** Returns null when the storage has no such repository. */
async function findOn(
  storages: StoragesConfig,
  name: string,
  relative: string,
): Promise<string | null> {
  const root = rootOf(storages, name);
  const path = join(root, relative);
  if (await bareRepositoryExists(path)) return path;
  // A storage that is not mounted looks like one without repositories.
  if (await pathExists(join(root, STORAGE_METADATA_FILE))) return null;
  throw new Error(`storage ${name} is not available`);
}

function rootOf(storages: StoragesConfig, name: string): string {
  const storage = storages[name];
  if (storage === undefined) throw new Error(`storage ${name} is not configured`);
  return storage.path;
}
