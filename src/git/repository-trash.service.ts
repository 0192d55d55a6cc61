import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ContainersRepository } from './containers.repository.js';
import { pathExists, syncPath } from './durable-file.js';
import {
  containerRepositoryKinds,
  relativeRepositoryPath,
  repositoryKey,
  type ContainerKind,
} from './repository-path.js';
import { RepositoryTrashRepository } from './repository-trash.repository.js';
import { StorageRegistry, type RepositoryAddress } from './storage-registry.js';

/**
 * Takes repositories of deleted containers out of the live path.
 *
 * The row that lets the janitor find the files is written BEFORE the rename, and the name in the
 * trash follows from the repository alone: if a process dies at any point, calling again finishes
 * the work and loses no files.
 */
@Injectable()
export class RepositoryTrashService {
  constructor(
    private readonly entries: RepositoryTrashRepository,
    private readonly containers: ContainersRepository,
    private readonly storages: StorageRegistry,
  ) {}

  /**
   * Moves the repository into its storage's trash; nothing to do when it is not there.
   * Throws UnknownStorageError, and the file system's errors when the storage is away.
   */
  async discard(address: RepositoryAddress, reason: string): Promise<void> {
    const { root } = this.storages.get(address.storage);
    const source = join(root, relativeRepositoryPath(address.kind, address.containerId));
    await this.storages.filesystemId(address.storage);
    if (!(await pathExists(source))) return;
    const trash = await this.reserve(address, reason, root);
    try {
      await rename(source, join(root, trash));
    } catch (error) {
      // Another worker with the same task was faster.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return;
    }
    await syncPath(dirname(source));
    await syncPath(join(root, dirname(trash)));
  }

  /**
   * Discards what moves of a container have left on the storages they came from, because it could
   * not be removed then. To be called before the container's row goes, and its moves with it.
   * Throws as `discard` does.
   */
  async discardStaleCopies(kind: ContainerKind, id: number, reason: string): Promise<void> {
    for (const storage of await this.containers.listStaleCopyStorages(kind, id)) {
      if (!this.storages.has(storage)) continue;
      for (const repository of containerRepositoryKinds[kind]) {
        await this.discard({ storage, kind: repository, containerId: id }, reason);
      }
    }
  }

  /** Path below the storage's root that is free; its row exists when this returns. */
  private async reserve(
    { storage, kind, containerId }: RepositoryAddress,
    reason: string,
    root: string,
  ): Promise<string> {
    const name = `+svc/trash/${repositoryKey(kind, containerId)}-deleted`;
    for (let attempt = 0; ; attempt += 1) {
      const path = attempt === 0 ? `${name}.git` : `${name}-${attempt}.git`;
      if (await pathExists(join(root, path))) continue;
      await this.entries.reserve(storage, path, reason);
      return path;
    }
  }
}
