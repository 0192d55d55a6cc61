import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { bareRepositoryExists } from '../../git/git-repository.js';
import { containerRepositoryKinds, type RepositoryKind } from '../../git/repository-path.js';
import type { StorageRegistry } from '../../git/storage-registry.js';
import { asMoveError, MoveError } from '../engine/move-error.js';
import { withdrawRepository } from '../engine/publish-repository.js';
import {
  removeTemporary,
  TEMPORARY_DIRECTORY,
  findInTrash,
  moveToTrash,
} from '../engine/storage-root.js';
import { moveLabel, type ActiveMove, type LeasedMove } from './active-move.js';

/** Source and target path of one repository of the container. */
export interface RepositoryToMove {
  kind: RepositoryKind;
  source: string;
  target: string;
}

type Route = Pick<LeasedMove, 'source' | 'destination'>;

/**
 * Returns whether source and destination are one directory: then there is nothing to copy, and
 * removing the source would lose the data. Throws MoveError when a storage is not there.
 */
export async function isSameFilesystem(
  storages: StorageRegistry,
  { source, destination }: Route,
): Promise<boolean> {
  const [from, to] = await Promise.all([
    filesystemOf(storages, source),
    filesystemOf(storages, destination),
  ]);
  if (from !== to) return false;
  if (await storages.isSameFilesystemPath(source, destination)) return true;
  throw new MoveError(`Storage ${destination} was made as a copy of ${source}: same .svc-metadata`);
}

async function filesystemOf(storages: StorageRegistry, storage: string): Promise<string> {
  if (!storages.has(storage)) throw new MoveError(`Storage ${storage} is not configured`);
  try {
    return await storages.filesystemId(storage);
  } catch (error) {
    throw new MoveError(`Storage ${storage} is not available`, { cause: error });
  }
}

/** Returns the container's repositories that exist. Throws MoveError when its main one is missing. */
export async function existingRepositories(
  storages: StorageRegistry,
  lease: LeasedMove,
): Promise<RepositoryToMove[]> {
  const found: RepositoryToMove[] = [];
  for (const repository of possibleRepositories(storages, lease)) {
    if (await bareRepositoryExists(repository.source)) found.push(repository);
  }
  const [main] = containerRepositoryKinds[lease.kind];
  if (lease.hasRepository && !found.some(({ kind }) => kind === main)) {
    throw new MoveError(`Source repository is missing on storage ${lease.source}`);
  }
  return found;
}

/** Returns every repository that the container could have. */
export function possibleRepositories(
  storages: StorageRegistry,
  { kind, containerId, source, destination }: Route & Pick<LeasedMove, 'kind' | 'containerId'>,
): RepositoryToMove[] {
  return containerRepositoryKinds[kind].map((repositoryKind) => {
    const address = { kind: repositoryKind, containerId };
    return {
      kind: repositoryKind,
      source: storages.absolutePath({ ...address, storage: source }),
      target: storages.absolutePath({ ...address, storage: destination }),
    };
  });
}

/**
 * Removes what a move has left on the destination before its switch: temporary copies of this and
 * earlier attempts, and copies that were published already. Nothing of any other move.
 */
export async function removeLeftovers(storages: StorageRegistry, move: ActiveMove): Promise<void> {
  const { lease } = move;
  if (!storages.has(lease.destination)) return;
  const storageRoot = storages.get(lease.destination).root;
  await removeTemporaries(storages, move, (attempt) => attempt <= lease.attempt);
  const marker = { move: move.label, attempt: lease.attempt, checksum: '' };
  // The source may no longer be configured, which does not matter at the destination.
  const repositories = possibleRepositories(storages, { ...lease, source: lease.destination });
  for (const { target } of repositories) await withdrawRepository({ target, storageRoot, marker });
}

/** Removes only this attempt's temporary copies, all that a worker without lease may touch. */
export function removeOwnTemporaries(storages: StorageRegistry, move: ActiveMove): Promise<void> {
  return removeTemporaries(storages, move, (attempt) => attempt === move.lease.attempt);
}

async function removeTemporaries(
  storages: StorageRegistry,
  { lease, label }: ActiveMove,
  isDoomed: (attempt: number) => boolean,
): Promise<void> {
  if (!storages.has(lease.destination)) return;
  const directory = join(storages.get(lease.destination).root, TEMPORARY_DIRECTORY);
  for (const name of await readdir(directory)) {
    const attempt = /^[a-z]+-\d+-(\d+)-/.exec(name)?.[1];
    if (attempt === undefined || !name.startsWith(`${label}-`)) continue;
    if (isDoomed(Number(attempt))) await removeTemporary(join(directory, name));
  }
}

/** Returns the paths in the source's trash: of this attempt, and of earlier ones. */
export async function discardSources(
  storages: StorageRegistry,
  lease: Pick<LeasedMove, 'kind' | 'id' | 'attempt' | 'source'>,
  repositories: readonly RepositoryToMove[],
): Promise<string[]> {
  const storageRoot = storages.get(lease.source).root;
  const label = moveLabel(lease);
  try {
    const trashed: string[] = [];
    for (const { source } of repositories) {
      const relativePath = relative(storageRoot, source);
      const path = await moveToTrash({ storageRoot, relativePath, label });
      if (path !== null) trashed.push(path);
    }
    return lease.attempt > 1 ? await findInTrash(storageRoot, label) : trashed;
  } catch (error) {
    throw asMoveError(error, `Storage ${lease.source}`);
  }
}
