import { Injectable, Logger } from '@nestjs/common';
import { errorCode, MoveError } from '../engine/move-error.js';
import {
  type ActiveMove,
  CancelledError,
  LeaseLostError,
  ShuttingDownError,
  SwitchUnknownError,
} from './active-move.js';
import { MoveCheckpoints } from '../engine/failpoints.js';
import { MoveOutcomesRepository } from './move-outcomes.repository.js';
import { MovePreparation } from './move-preparation.service.js';
import { FullStorageGuard } from './full-storage-guard.service.js';

/** Seconds before each further attempt after a passing fault. */
const RETRY_WAITS = [10, 60, 300];
export const MAX_RETRIES = RETRY_WAITS.length;
/** For a longer wait the container becomes writable. */
const LONGEST_READ_ONLY_WAIT = 60;

/** Faults of the database's connection, by SQLSTATE class or by the system's code. */
const PASSING_CODE = /^(08|53|57|40|ECONN|EPIPE|ETIMEDOUT)/;
/** Messages of pg without a code while the server stops and is unavailable. */
const PASSING_MESSAGE =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying)/;

/** Decides what a move becomes that could not go on, and leaves nothing of it behind. */
@Injectable()
export class MoveFailures {
  private readonly logger = new Logger(MoveFailures.name);

  constructor(
    private readonly preparation: MovePreparation,
    private readonly outcomes: MoveOutcomesRepository,
    private readonly blocks: FullStorageGuard,
    private readonly checkpoints: MoveCheckpoints,
  ) {}

  /** Before the switch. Never throws: what cannot be written down now, the lease's end brings up. */
  async beforeSwitch(move: ActiveMove, error: unknown): Promise<void> {
    const cause: unknown = move.signal.aborted ? move.signal.reason : error;
    try {
      await this.end(move, cause);
    } catch (failure) {
      if (failure instanceof LeaseLostError) return;
      this.logger.error(`Failure of move ${move.label} could not be completed: ${String(failure)}`);
    }
  }

  /** After the switch; the container is writable and stays on its new storage. */
  async afterSwitch(move: ActiveMove, error: unknown): Promise<void> {
    const cause: unknown = move.signal.aborted ? move.signal.reason : error;
    if (cause instanceof LeaseLostError) return;
    try {
      if (cause instanceof ShuttingDownError) return await this.outcomes.handBack(move);
      if (isPassing(cause) && move.claim.retries < MAX_RETRIES) {
        return await this.outcomes.retryLater(move, this.waitOf(move), true);
      }
      this.logger.warn(`Clean-up after move ${move.label} failed: ${messageOf(cause)}`);
      await this.outcomes.failCleanUp(move, messageOf(cause));
    } catch (failure) {
      if (failure instanceof LeaseLostError) return;
      this.logger.error(`Move ${move.label} could not be written down: ${String(failure)}`);
    }
  }

  private async end(move: ActiveMove, cause: unknown): Promise<void> {
    if (cause instanceof LeaseLostError) return this.removeOwn(move);
    if (cause instanceof ShuttingDownError) {
      await this.preparation.removeOwnTemporaries(move);
      return this.outcomes.handBack(move);
    }
    // The copy may be the container's repository by now. Giving the lease back also keeps a switch
    // that is still on its way from coming through; the next attempt sees what is true.
    if (cause instanceof SwitchUnknownError) return this.retry(move, cause);
    await this.checkpoints.reach('failure.before-removal', move.claim);
    const mayRetry = await this.mayRetry(move, cause);
    await this.removeLeftovers(move);
    await this.checkpoints.reach('failure.after-removal', move.claim);
    if (mayRetry) return this.retry(move, cause);
    await this.outcomes.fail(move, messageOf(cause));
    this.logger.warn(`Move ${move.label} failed: ${messageOf(cause)}`);
    await this.blocks.noteFailure(move.claim.destination, cause);
    await this.checkpoints.reach('failure.after-write', move.claim);
  }

  /**
   * Removes only the copies of this attempt, as its lease can be lost. Removes published copies
   * only if the move has failed permanently; otherwise a later attempt reuses or removes them.
   */
  private async removeOwn(move: ActiveMove): Promise<void> {
    await this.preparation.removeOwnTemporaries(move);
    if (await this.outcomes.hasFailed(move)) await this.preparation.removeLeftovers(move);
  }

  private async retry(move: ActiveMove, cause: unknown): Promise<void> {
    const wait = this.waitOf(move);
    this.logger.warn(`Move ${move.label} is tried again in ${wait} s: ${messageOf(cause)}`);
    await this.outcomes.retryLater(move, wait, wait <= LONGEST_READ_ONLY_WAIT);
  }

  private waitOf({ claim }: ActiveMove): number {
    return RETRY_WAITS[claim.retries] ?? 0;
  }

  /** A storage that is away will hardly be back in seconds, and the container waits read-only. */
  private async mayRetry(move: ActiveMove, cause: unknown): Promise<boolean> {
    if (!isPassing(cause) || move.claim.retries >= MAX_RETRIES) return false;
    try {
      await this.preparation.isSamePlace(move.claim);
      return true;
    } catch (error) {
      if (error instanceof MoveError) return false;
      throw error;
    }
  }

  /** A destination that resists even this must not keep the container read-only. */
  private async removeLeftovers(move: ActiveMove): Promise<void> {
    try {
      await this.preparation.removeLeftovers(move);
    } catch (error) {
      this.logger.error(`Leftovers of move ${move.label} remain: ${String(error)}`);
    }
  }
}

function isPassing(cause: unknown): boolean {
  if (cause instanceof MoveError) return cause.transient;
  return PASSING_CODE.test(errorCode(cause)) || PASSING_MESSAGE.test(messageText(cause));
}

function messageOf(cause: unknown): string {
  if (cause instanceof CancelledError || cause instanceof MoveError) return cause.message;
  return `Unexpected fault: ${messageText(cause)}`;
}

function messageText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
