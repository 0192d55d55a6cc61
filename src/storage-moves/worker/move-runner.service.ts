import { Injectable, Logger } from '@nestjs/common';
import { MoveError } from '../engine/move-error.js';
import {
  type ActiveMove,
  CancelledError,
  LeaseLostError,
  SwitchUnknownError,
} from './active-move.js';
import { MoveCheckpoints } from '../engine/failpoints.js';
import { MoveCleanUp } from './move-clean-up.service.js';
import { MAX_RETRIES } from './move-failures.service.js';
import { MoveOutcomesRepository } from './move-outcomes.repository.js';
import { MovePreparation } from './move-preparation.service.js';
import { MoveTransfer } from './move-transfer.service.js';

/** The way of one claimed move through its phases; throws whatever ends it early. */
@Injectable()
export class MoveRunner {
  private readonly logger = new Logger(MoveRunner.name);

  constructor(
    private readonly preparation: MovePreparation,
    private readonly transfer: MoveTransfer,
    private readonly cleanUp: MoveCleanUp,
    private readonly outcomes: MoveOutcomesRepository,
    private readonly checkpoints: MoveCheckpoints,
  ) {}

  /** Up to and including the switch. Nothing to do when an earlier attempt has switched. */
  async replicate(move: ActiveMove): Promise<void> {
    const { claim } = move;
    if (claim.cancelledBy !== null) throw new CancelledError(claim.cancelledBy);
    if (claim.retries > MAX_RETRIES) throw new MoveError('Gave up: the worker was lost repeatedly');
    const isSamePlace = await this.preparation.isSamePlace(claim);
    await this.checkpoints.reach('attempt.before-leftovers', claim);
    if (claim.attempt > 1) await this.preparation.removeLeftovers(move);
    await this.checkpoints.reach('attempt.after-leftovers', claim);
    const checksum = await this.transfer.run(move, isSamePlace);
    await this.switch(move, checksum);
  }

  /** After the switch. */
  async finish(move: ActiveMove): Promise<void> {
    await this.cleanUp.run(move);
    const { source, destination, attempt } = move.claim;
    this.logger.debug(`Moved ${move.label} from ${source} to ${destination}, attempt ${attempt}`);
  }

  private async switch(move: ActiveMove, checksum: string | null): Promise<void> {
    move.phase = 'switching';
    await this.checkpoints.reach('switch.before', move.claim);
    move.assertHeld();
    try {
      await this.outcomes.switch(move, checksum);
    } catch (error) {
      await this.assertSwitched(move, error);
    }
    await this.checkpoints.reach('switch.after', move.claim);
  }

  /**
   * The outcome of a commit whose answer was lost is read from the row, never guessed. Throws
   * unless the switch is done.
   */
  private async assertSwitched(move: ActiveMove, error: unknown): Promise<void> {
    const current = await this.outcomes.current(move).catch((failure: unknown) => {
      throw new SwitchUnknownError(failure);
    });
    if (current === null) throw new LeaseLostError();
    if (current.state === 'replicated') return;
    // Without an answer the statement may still be at work on its abandoned connection.
    if (!(error instanceof LeaseLostError)) throw new SwitchUnknownError(error);
    if (current.cancelledBy !== null) throw new CancelledError(current.cancelledBy);
    throw new MoveError('The container was changed by somebody else during the move');
  }
}
