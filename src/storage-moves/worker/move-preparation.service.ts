import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { bareRepositoryExists } from '../../git/bare-repository.js';
import { containerRepositoryKinds, type RepositoryKind } from '../../git/repository-path.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { MoveError } from '../engine/move-error.js';
import { withdrawRepository } from '../engine/publish-repository.js';
import { removeTemporary, TEMPORARY_DIRECTORY } from '../engine/storage-root.js';
import type { ActiveMove, ClaimedMove } from './active-move.js';

/** Where one repository of the container is and where it goes. */
export interface RepositoryToMove {
  kind: RepositoryKind;
  source: string;
  target: string;
}

type Route = Pick<ClaimedMove, 'source' | 'destination'>;

/** Looks at both storages before anything is copied, and takes away what a move has left there. */
@Injectable()
export class MovePreparation {
  constructor(private readonly storages: StorageRegistry) {}

  /**
   * True when source and destination are one directory: then there is nothing to copy, and
   * removing the source would lose the data. Throws MoveError when a storage is not there.
   */
  async isSamePlace({ source, destination }: Route): Promise<boolean> {
    const [from, to] = await Promise.all([this.filesystem(source), this.filesystem(destination)]);
    if (from !== to) return false;
    if (await this.storages.isSameFilesystemPath(source, destination)) return true;
    throw new MoveError(
      `Storage ${destination} was made as a copy of ${source}: same .svc-metadata`,
    );
  }

  /** The container's repositories that exist; throws MoveError when its main one is missing. */
  async repositories({ claim }: ActiveMove): Promise<RepositoryToMove[]> {
    const found: RepositoryToMove[] = [];
    for (const repository of this.allRepositories(claim)) {
      if (await bareRepositoryExists(repository.source)) found.push(repository);
    }
    const [main] = containerRepositoryKinds[claim.kind];
    if (claim.hasRepository && !found.some(({ kind }) => kind === main)) {
      throw new MoveError(`Source repository is missing on storage ${claim.source}`);
    }
    return found;
  }

  /** Every repository the container could have. */
  allRepositories({
    kind,
    containerId,
    source,
    destination,
  }: Route & Pick<ClaimedMove, 'kind' | 'containerId'>): RepositoryToMove[] {
    return containerRepositoryKinds[kind].map((repositoryKind) => {
      const address = { kind: repositoryKind, containerId };
      return {
        kind: repositoryKind,
        source: this.storages.absolutePath({ ...address, storage: source }),
        target: this.storages.absolutePath({ ...address, storage: destination }),
      };
    });
  }

  /** Root of a configured storage. */
  root(storage: string): string {
    return this.storages.get(storage).root;
  }

  /**
   * Removes what this move has left on the destination before its switch: temporary copies of this
   * and earlier attempts, and copies that were published already. Nothing of any other move.
   */
  async removeLeftovers(move: ActiveMove): Promise<void> {
    const { claim } = move;
    if (!this.storages.has(claim.destination)) return;
    const storageRoot = this.root(claim.destination);
    await this.removeTemporaries(move, (attempt) => attempt <= claim.attempt);
    const marker = { move: move.label, attempt: claim.attempt, checksum: '' };
    // The source may be configured no longer; what lies at the destination is ours all the same.
    for (const { target } of this.allRepositories({ ...claim, source: claim.destination })) {
      await withdrawRepository({ target, storageRoot, marker });
    }
  }

  /** Removes only this attempt's temporary copies, all that a worker without lease may touch. */
  removeOwnTemporaries(move: ActiveMove): Promise<void> {
    return this.removeTemporaries(move, (attempt) => attempt === move.claim.attempt);
  }

  private async removeTemporaries(
    { claim, label }: ActiveMove,
    isDoomed: (attempt: number) => boolean,
  ): Promise<void> {
    if (!this.storages.has(claim.destination)) return;
    const directory = join(this.root(claim.destination), TEMPORARY_DIRECTORY);
    for (const name of await readdir(directory)) {
      const attempt = /^[a-z]+-\d+-(\d+)-/.exec(name)?.[1];
      if (attempt === undefined || !name.startsWith(`${label}-`)) continue;
      if (isDoomed(Number(attempt))) await removeTemporary(join(directory, name));
    }
  }

  private async filesystem(storage: string): Promise<string> {
    if (!this.storages.has(storage)) throw new MoveError(`Storage ${storage} is not configured`);
    try {
      return await this.storages.filesystemId(storage);
    } catch (error) {
      throw new MoveError(`Storage ${storage} is not available`, { cause: error });
    }
  }
}
