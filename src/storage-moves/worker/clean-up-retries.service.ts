import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RepositoryTrashRepository } from '../../git/repository-trash.repository.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { MOVE_KINDS, type MoveKind } from '../move-kinds.js';
import { MoveCleanUp } from './move-clean-up.service.js';
import { type LeftSource, MoveLeasesRepository } from './move-leases.repository.js';
import { MovePreparation } from './move-preparation.service.js';

/**
 * Tries again to remove the sources of moves whose clean-up failed. Their state stays
 * `cleanup failed`; the phase `done` records the late success.
 */
@Injectable()
export class CleanUpRetries {
  private readonly logger = new Logger(CleanUpRetries.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly leases: MoveLeasesRepository,
    private readonly storages: StorageRegistry,
    private readonly preparation: MovePreparation,
    private readonly cleanUp: MoveCleanUp,
    private readonly trash: RepositoryTrashRepository,
  ) {}

  async run(): Promise<void> {
    for (const kind of MOVE_KINDS) {
      const ids = await this.dataSource.transaction((manager) =>
        this.leases.postponeCleanUps(manager, kind, this.storages.names()),
      );
      for (const id of ids) {
        await this.dataSource.transaction((manager) => this.retry(manager, kind, id));
      }
    }
  }

  private async retry(manager: EntityManager, kind: MoveKind, id: number): Promise<void> {
    const move = await this.leases.lockLeftSource(manager, kind, id);
    if (move === null) return;
    const label = `${kind}-${id}`;
    // With the container back on the old storage, its own repository may lie there again.
    if (!move.isBack) {
      try {
        await this.discard(move);
      } catch (error) {
        this.logger.warn(`Source of move ${label} still cannot be removed: ${String(error)}`);
        return;
      }
    }
    await this.leases.finishCleanUp(manager, kind, id);
    this.logger.log(`Source of move ${label} is removed`);
  }

  private async discard(move: LeftSource): Promise<void> {
    if (await this.preparation.isSamePlace(move)) return;
    const repositories = this.preparation.allRepositories(move);
    const attempt = Math.max(2, move.attempt);
    const paths = await this.cleanUp.discardSources({ ...move, attempt }, repositories);
    for (const path of paths) {
      await this.trash.add(move.source, path, `${move.kind}-${move.id} moved`);
    }
  }
}
