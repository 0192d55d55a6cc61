import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { RepositoryTrashRepository } from '../../git/repository-trash.repository.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { TRASH_DIRECTORY } from '../engine/storage-root.js';
import { deleteTrash } from '../engine/trash.js';
import { MoveCheckpoints } from '../engine/failpoints.js';

/** Deletes repositories from the trash permanently once their retention has passed. */
@Injectable()
export class TrashCollection {
  constructor(
    private readonly storages: StorageRegistry,
    private readonly trash: RepositoryTrashRepository,
    private readonly checkpoints: MoveCheckpoints,
  ) {}

  /** A worker may have died between the rename into the trash and the row of it. */
  async register(storage: string): Promise<void> {
    const names = await readdir(join(this.storages.get(storage).root, TRASH_DIRECTORY));
    if (names.length === 0) return;
    const paths = names.map((name) => `${TRASH_DIRECTORY}/${name}`);
    for (const path of await this.trash.listUnknown(storage, paths)) {
      await this.trash.add(storage, path, 'found in the trash');
    }
  }

  /** Deletes every entry that is due, until there is none or the process stops. */
  async empty(isStopping: () => boolean): Promise<void> {
    while (!isStopping()) {
      const entry = await this.trash.leaseDue(this.storages.names());
      if (entry === null) return;
      await this.checkpoints.reach('janitor.after-claim');
      await deleteTrash(this.storages.get(entry.storage).root, entry.path);
      await this.checkpoints.reach('janitor.after-delete');
      await this.trash.deleteById(entry.id);
    }
  }
}
