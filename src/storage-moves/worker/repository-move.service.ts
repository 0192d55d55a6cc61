import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { AbandonedWrites } from '../../git/abandoned-writes.service.js';
import { InflightWritesRepository } from '../../git/inflight-writes.repository.js';
import { RepositoryTrashRepository } from '../../git/repository-trash.repository.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { failpoint, type Failpoint } from '../engine/failpoints.js';
import { MoveError } from '../engine/move-error.js';
import { StorageSettingsRepository } from '../storage-settings.repository.js';
import {
  CancelledError,
  LeaseLostError,
  ShuttingDownError,
  SwitchUnknownError,
  type ActiveMove,
  recordEnd,
} from './active-move.js';
import { ActiveMoves } from './active-moves.service.js';
import {
  failureMessage,
  FullStorageGuard,
  isRetriable,
  MAX_RETRIES,
  retryWait,
} from './move-failures.js';
import { MoveOutcomesRepository } from './move-outcomes.repository.js';
import {
  assertUnchanged,
  cleanUp,
  copy,
  drain,
  preflight,
  publish,
  reserveSpace,
  verify,
  type MoveServices,
  type VerifiedCopy,
} from './move-phases.js';
import {
  existingRepositories,
  isSameFilesystem,
  removeLeftovers,
  removeOwnTemporaries,
} from './move-repositories.js';

/** For a longer wait the container becomes writable. */
const LONGEST_READ_ONLY_WAIT = 60;

/** A move that has not succeeded; with seconds when it is tried again. */
export interface MoveOutcome {
  message: string;
  retryAfter?: number;
}

/** Runs a leased move through its phases; the row records how it ends. */
@Injectable()
export class RepositoryMove implements MoveServices {
  private readonly logger = new Logger(RepositoryMove.name);
  private readonly fullStorages: FullStorageGuard;
  /** A field, so that a test can hold the moves of one worker. */
  readonly failpoint: Failpoint = failpoint;

  constructor(
    readonly storages: StorageRegistry,
    readonly writes: InflightWritesRepository,
    readonly abandonedWrites: AbandonedWrites,
    readonly trash: RepositoryTrashRepository,
    readonly active: ActiveMoves,
    private readonly outcomes: MoveOutcomesRepository,
    settings: StorageSettingsRepository,
    @Inject(CONFIG) readonly config: Config,
  ) {
    this.fullStorages = new FullStorageGuard(settings);
  }

  /**
   * Runs the move and calls `onSwitched` when only the clean-up is left. Returns null for a move that
   * has finished, was cancelled or is another worker's. Never throws.
   */
  async run(move: ActiveMove, onSwitched: () => void): Promise<MoveOutcome | null> {
    if (move.lease.state === 'started') {
      try {
        await this.replicate(move);
      } catch (error) {
        return this.fail(move, error, (cause) => this.endBeforeSwitch(move, cause));
      }
    }
    move.phase = 'cleaning';
    onSwitched();
    try {
      await this.finish(move);
      return recordEnd(move, 'finished');
    } catch (error) {
      return this.fail(move, error, (cause) => this.endAfterSwitch(move, cause));
    }
  }

  /** Everything up to and including the switch. */
  private async replicate(move: ActiveMove): Promise<void> {
    const { lease } = move;
    if (lease.cancelledBy !== null) throw new CancelledError(lease.cancelledBy);
    if (lease.retries > MAX_RETRIES) throw new MoveError('Gave up: the worker was lost repeatedly');
    const isSame = await preflight(this, move);
    await drain(this, move);
    const copies = isSame ? [] : await this.copyAll(move);
    await assertUnchanged(copies);
    await this.switch(move, copies[0]?.checksum ?? null);
    this.fullStorages.noteSuccess(lease.destination);
  }

  /** Copies and verifies every repository before the first one is published. */
  private async copyAll(move: ActiveMove): Promise<VerifiedCopy[]> {
    const repositories = await existingRepositories(this.storages, move.lease);
    const copies: VerifiedCopy[] = [];
    for (const listed of await reserveSpace(this, move, repositories)) {
      copies.push(await verify(this, move, await copy(this, move, listed)));
    }
    await publish(this, move, copies);
    return copies;
  }

  private async switch(move: ActiveMove, checksum: string | null): Promise<void> {
    move.phase = 'switching';
    await this.failpoint('switch.before');
    move.assertHeld();
    try {
      await this.outcomes.switch(move, checksum);
    } catch (error) {
      await this.assertSwitched(move, error);
    }
    await this.failpoint('switch.after');
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
    // Without an answer the statement can still be at work on its abandoned connection.
    if (!(error instanceof LeaseLostError)) throw new SwitchUnknownError(error);
    if (current.cancelledBy !== null) throw new CancelledError(current.cancelledBy);
    throw new MoveError('The container was changed during the move');
  }

  private async finish(move: ActiveMove): Promise<void> {
    await this.outcomes.finish(move, await cleanUp(this, move));
    await this.failpoint('clean-up.after-finish');
    this.logger.debug(`Moved ${move.label} in attempt ${move.lease.attempt}`);
  }

  /** Never throws: the end of the lease brings up a failure that cannot be recorded now. */
  private async fail(
    move: ActiveMove,
    error: unknown,
    end: (cause: unknown) => Promise<MoveOutcome | null>,
  ): Promise<MoveOutcome | null> {
    try {
      return recordEnd(move, await end(move.signal.aborted ? move.signal.reason : error));
    } catch (failure) {
      if (failure instanceof LeaseLostError) return null;
      this.logger.error(`Failure of move ${move.label} could not be recorded: ${String(failure)}`);
      return null;
    }
  }

  private async endBeforeSwitch(move: ActiveMove, cause: unknown): Promise<MoveOutcome | null> {
    if (cause instanceof LeaseLostError) {
      await this.removeOwn(move);
      return null;
    }
    if (cause instanceof ShuttingDownError) {
      await removeOwnTemporaries(this.storages, move);
      await this.outcomes.handBack(move);
      return null;
    }
    // The copy may be the container's repository by now. Giving the lease back also keeps a switch
    // that is still on its way from coming through; the next attempt sees what is true.
    if (cause instanceof SwitchUnknownError) return this.retry(move, cause);
    await this.failpoint('failure.before-removal');
    const mayRetry = isRetriable(move.lease, cause) && (await this.hasStorages(move));
    await this.removeLeftovers(move);
    await this.failpoint('failure.after-removal');
    if (mayRetry) return this.retry(move, cause);
    await this.outcomes.fail(move, failureMessage(cause));
    this.logger.warn(`Move ${move.label} failed: ${failureMessage(cause)}`);
    await this.fullStorages.noteFailure(move.lease.destination, cause);
    await this.failpoint('failure.after-write');
    return cause instanceof CancelledError ? null : { message: failureMessage(cause) };
  }

  /**
   * Without the lease only this attempt's own copies may go; what it has published only once the
   * move has failed permanently; otherwise a later attempt deals with it.
   */
  private async removeOwn(move: ActiveMove): Promise<void> {
    await removeOwnTemporaries(this.storages, move);
    if (await this.outcomes.hasFailed(move)) await removeLeftovers(this.storages, move);
  }

  private async retry(move: ActiveMove, cause: unknown): Promise<MoveOutcome> {
    const wait = retryWait(move.lease);
    this.logger.warn(`Move ${move.label} is tried again in ${wait} s: ${failureMessage(cause)}`);
    await this.outcomes.retryLater(move, wait, wait <= LONGEST_READ_ONLY_WAIT);
    return { message: failureMessage(cause), retryAfter: wait };
  }

  /** A storage that is away will hardly be back in seconds, and the container waits read-only. */
  private async hasStorages(move: ActiveMove): Promise<boolean> {
    try {
      await isSameFilesystem(this.storages, move.lease);
      return true;
    } catch (error) {
      if (error instanceof MoveError) return false;
      throw error;
    }
  }

  /** A destination that resists even this must not keep the container read-only. */
  private async removeLeftovers(move: ActiveMove): Promise<void> {
    try {
      await removeLeftovers(this.storages, move);
    } catch (error) {
      this.logger.error(`Leftovers of move ${move.label} remain: ${String(error)}`);
    }
  }

  /** The container is writable and stays on its new storage. */
  private async endAfterSwitch(move: ActiveMove, cause: unknown): Promise<MoveOutcome | null> {
    const message = failureMessage(cause);
    if (cause instanceof LeaseLostError) return null;
    if (cause instanceof ShuttingDownError) {
      await this.outcomes.handBack(move);
      return null;
    }
    if (isRetriable(move.lease, cause)) {
      const retryAfter = retryWait(move.lease);
      await this.outcomes.retryLater(move, retryAfter, true);
      return { message, retryAfter };
    }
    this.logger.warn(`Clean-up after move ${move.label} failed: ${message}`);
    await this.outcomes.failCleanUp(move, message);
    return { message };
  }
}
