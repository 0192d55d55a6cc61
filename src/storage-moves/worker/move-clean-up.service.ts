import { relative } from 'node:path';
import { Injectable } from '@nestjs/common';
import { statusOf } from '../engine/file-io.js';
import { asMoveError, MoveError } from '../engine/move-error.js';
import { removeMarker } from '../engine/move-marker.js';
import { findInTrash, moveToTrash } from '../engine/trash.js';
import { type ActiveMove, type ClaimedMove, moveLabel } from './active-move.js';
import { MoveCheckpoints } from '../engine/failpoints.js';
import { MoveOutcomesRepository } from './move-outcomes.repository.js';
import { MovePreparation, type RepositoryToMove } from './move-preparation.service.js';

/** After the switch: takes the source's repositories out of the live path, and finishes the move. */
@Injectable()
export class MoveCleanUp {
  constructor(
    private readonly preparation: MovePreparation,
    private readonly outcomes: MoveOutcomesRepository,
    private readonly checkpoints: MoveCheckpoints,
  ) {}

  /** May be repeated after a crash at any moment. Throws MoveError when the source resists. */
  async run(move: ActiveMove): Promise<void> {
    const { claim } = move;
    const repositories = this.preparation.allRepositories(claim);
    for (const { target } of repositories) await forgetMarker(target);
    await this.checkpoints.reach('clean-up.before-trash', claim);
    move.assertHeld();
    const trashed = (await this.preparation.isSamePlace(claim))
      ? []
      : await this.discardSources(claim, repositories);
    await this.checkpoints.reach('clean-up.after-trash', claim);
    await this.outcomes.finish(move, trashed);
    await this.checkpoints.reach('clean-up.after-finish', claim);
  }

  /** Paths in the source's trash: what is moved there now, and what an earlier attempt moved. */
  async discardSources(
    claim: Pick<ClaimedMove, 'kind' | 'id' | 'attempt' | 'source'>,
    repositories: readonly RepositoryToMove[],
  ): Promise<string[]> {
    const storageRoot = this.preparation.root(claim.source);
    const label = moveLabel(claim);
    try {
      const trashed: string[] = [];
      for (const { source } of repositories) {
        const path = await moveToTrash({
          storageRoot,
          relativePath: relative(storageRoot, source),
          label,
        });
        if (path !== null) trashed.push(path);
      }
      return claim.attempt > 1 ? await findInTrash(storageRoot, label) : trashed;
    } catch (error) {
      throw asMoveError(error, `Storage ${claim.source}`);
    }
  }
}

/** The published copy is the container's repository now, no longer a copy that may be withdrawn. */
async function forgetMarker(target: string): Promise<void> {
  try {
    if (statusOf(target) === null) return;
  } catch (error) {
    throw new MoveError(`Destination cannot be read`, { cause: error });
  }
  await removeMarker(target);
}
