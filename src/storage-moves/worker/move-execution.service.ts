import { Injectable } from '@nestjs/common';
import type { ActiveMove } from './active-move.js';
import { MoveFailures } from './move-failures.service.js';
import { MoveRunner } from './move-runner.service.js';
import { FullStorageGuard } from './full-storage-guard.service.js';

/** Runs a claimed move to whatever end it finds. */
@Injectable()
export class MoveExecution {
  constructor(
    private readonly runner: MoveRunner,
    private readonly failures: MoveFailures,
    private readonly blocks: FullStorageGuard,
  ) {}

  /**
   * Runs a move to its end and never throws: the row holds the outcome. Calls `onSwitched` when
   * only the cleanup is left.
   */
  async run(move: ActiveMove, onSwitched: () => void): Promise<void> {
    if (move.claim.state === 'started' && !(await this.hasReplicated(move))) return;
    move.phase = 'cleaning';
    onSwitched();
    try {
      await this.runner.finish(move);
    } catch (error) {
      await this.failures.afterSwitch(move, error);
    }
  }

  private async hasReplicated(move: ActiveMove): Promise<boolean> {
    try {
      await this.runner.replicate(move);
      this.blocks.noteSuccess(move.claim.destination);
      return true;
    } catch (error) {
      await this.failures.beforeSwitch(move, error);
      return false;
    }
  }
}
