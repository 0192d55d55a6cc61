import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { TRASH_DIRECTORY } from '../engine/storage-root.js';
import { deleteTrash } from '../engine/trash.js';
import { MoveCheckpoints } from './move-checkpoints.service.js';
import { TrashRows } from './trash-rows.service.js';

/** While one worker deletes an entry no other begins with it; a crash leaves it to the next. */
const CLAIMED_FOR = '10 minutes';

interface TrashEntry {
  id: number;
  storage: string;
  path: string;
}

/** Deletes for good what has been in the trash for long enough. */
@Injectable()
export class TrashCollection {
  constructor(
    private readonly sql: Sql,
    private readonly storages: StorageRegistry,
    private readonly rows: TrashRows,
    private readonly checkpoints: MoveCheckpoints,
  ) {}

  /** A worker may have died between the rename into the trash and the row of it. */
  async register(storage: string): Promise<void> {
    const names = await readdir(join(this.storages.get(storage).root, TRASH_DIRECTORY));
    if (names.length === 0) return;
    const paths = names.map((name) => `${TRASH_DIRECTORY}/${name}`);
    for (const path of await this.rows.unknown(storage, paths)) {
      await this.rows.add(storage, path, 'found in the trash');
    }
  }

  /** Deletes every entry that is due, until there is none or the process stops. */
  async empty(isStopping: () => boolean): Promise<void> {
    while (!isStopping()) {
      const entry = await this.claim();
      if (entry === null) return;
      await this.checkpoints.reach('janitor.after-claim');
      await deleteTrash(this.storages.get(entry.storage).root, entry.path);
      await this.checkpoints.reach('janitor.after-delete');
      await this.sql.rows('DELETE FROM repository_trash WHERE id = $1', [entry.id]);
    }
  }

  private claim(): Promise<TrashEntry | null> {
    return this.sql.row<TrashEntry>(
      `UPDATE repository_trash SET delete_after = now() + $2::interval
       WHERE id = (SELECT id FROM repository_trash
                   WHERE delete_after <= now() AND storage = ANY ($1)
                   ORDER BY delete_after LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, storage, path`,
      [this.storages.names(), CLAIMED_FOR],
    );
  }
}
