import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { RepositoryTrashRepository } from '../../git/repository-trash.repository.js';
import { copyRepository } from '../engine/copy-repository.js';
import { assertSpace } from '../engine/disk-space.js';
import { publishRepository } from '../engine/publish-repository.js';
import { inventoryRepository, type RepositoryInventory } from '../engine/repository-inventory.js';
import { TEMPORARY_DIRECTORY } from '../engine/storage-root.js';
import { type VerifiedRepository, verifyRepository } from '../engine/verify-repository.js';
import { type ActiveMove, repositoryNoun } from './active-move.js';
import { ActiveMoves, StorageThrottles } from './active-moves.service.js';
import { MoveCheckpoints } from '../engine/failpoints.js';
import { MovePreparation, type RepositoryToMove } from './move-preparation.service.js';

interface Listed {
  repository: RepositoryToMove;
  inventory: RepositoryInventory;
}

/** A repository whose copy was proved equal to it. */
export interface ProvedCopy extends VerifiedRepository {
  repository: RepositoryToMove;
  temporary: string;
}

/** Brings all repositories of a container to the destination: copied, proved, and only then named. */
@Injectable()
export class MoveCopy {
  constructor(
    private readonly preparation: MovePreparation,
    private readonly active: ActiveMoves,
    private readonly throttles: StorageThrottles,
    private readonly checkpoints: MoveCheckpoints,
    private readonly trash: RepositoryTrashRepository,
  ) {}

  /**
   * Answers the copies, now in their places. Every repository is copied and verified before the
   * first one gets its name. Throws MoveError, or the reason the move was stopped for.
   */
  async run(move: ActiveMove, repositories: readonly RepositoryToMove[]): Promise<ProvedCopy[]> {
    const listed: Listed[] = [];
    for (const repository of repositories) {
      listed.push({ repository, inventory: await inventoryRepository(repository.source) });
    }
    await this.assertRoom(move, listed);
    await this.throttles.refresh();
    await this.checkpoints.reach('attempt.after-space', move.claim);
    const copies: ProvedCopy[] = [];
    for (const each of listed) copies.push(await this.copy(move, each));
    move.phase = 'publishing';
    for (const copy of copies) await this.publish(move, copy);
    return copies;
  }

  private async assertRoom(move: ActiveMove, listed: readonly Listed[]): Promise<void> {
    const { destination } = move.claim;
    let files = 0;
    for (const { inventory } of listed) {
      move.bytesTotal += inventory.bytes;
      files += inventory.files.length;
    }
    await assertSpace({
      storage: destination,
      root: this.preparation.root(destination),
      bytesNeeded: move.bytesTotal,
      filesNeeded: files,
      bytesReservedByOthers: this.active.bytesMissingOn(destination, move),
    });
  }

  private async copy(move: ActiveMove, { repository, inventory }: Listed): Promise<ProvedCopy> {
    const { claim, signal } = move;
    const root = this.preparation.root(claim.destination);
    const temporary = join(root, TEMPORARY_DIRECTORY, move.temporaryName(repository.kind));
    const places = {
      source: `Storage ${claim.source}`,
      destination: `Storage ${claim.destination}`,
    };
    const throttle = this.throttles.get(claim.destination);
    move.copyBegins();
    move.assertHeld();
    const copied = await copyRepository(repository.source, temporary, {
      signal,
      places,
      inventory,
      onProgress: (bytes) => move.copiedOf(repository.kind, bytes),
      throttles: [this.throttles.get(claim.source), throttle],
    });
    await this.checkpoints.reach('repository.after-copy', claim);
    move.copyEnds();
    const label = repositoryNoun(repository.kind);
    const options = { copied, label, signal, places, throttle };
    const verified = await verifyRepository(repository.source, temporary, options);
    await this.checkpoints.reach('repository.after-verify', claim);
    return { repository, temporary, ...verified };
  }

  private async publish(move: ActiveMove, copy: ProvedCopy): Promise<void> {
    const { claim } = move;
    move.assertHeld();
    const published = await publishRepository({
      temporary: copy.temporary,
      target: copy.repository.target,
      storageRoot: this.preparation.root(claim.destination),
      marker: { move: move.label, attempt: claim.attempt, checksum: copy.checksum },
      place: `Storage ${claim.destination}`,
      confirm: () => move.assertHeld(),
    });
    if (published.trashed !== null) {
      await this.trash.add(claim.destination, published.trashed, 'unexpected destination');
    }
    await this.checkpoints.reach('repository.after-publish', claim);
  }
}
