import { Injectable, Logger } from '@nestjs/common';
import { RunEvery } from '../../core/durable-work/run-every.decorator.js';
import { AbandonedWrites } from '../../git/abandoned-writes.service.js';
import { MOVE_KINDS, type MoveKind } from '../move-kinds.js';
import { MoveLeasesRepository } from './move-leases.repository.js';
import { MoveDispatcher } from './move-dispatcher.service.js';
import { WorkerIdentity } from './worker-identity.js';

const SWEEP_MS = 30_000;

/**
 * Puts right what a crash may have left in the database. Moves without a live worker are taken up
 * by the ordinary claim; here are the flags and writes that no move speaks for.
 */
@Injectable()
export class MoveSweeper {
  private readonly logger = new Logger(MoveSweeper.name);

  constructor(
    private readonly leases: MoveLeasesRepository,
    private readonly abandonedWrites: AbandonedWrites,
    private readonly dispatcher: MoveDispatcher,
    private readonly identity: WorkerIdentity,
  ) {}

  /** Runs one sweep; scheduled every 30 seconds. */
  @RunEvery({ ms: SWEEP_MS, failureMessage: 'Sweep ended early', level: 'warn' })
  async sweep(): Promise<void> {
    for (const kind of MOVE_KINDS) {
      await this.endDeadLeases(kind);
      await this.freeOrphans(kind);
      await this.reportForgotten(kind);
    }
    await this.abandonedWrites.recover();
    this.dispatcher.wake();
  }

  /** A worker that was killed beside this one need not be waited for until its lease ends. */
  private async endDeadLeases(kind: MoveKind): Promise<void> {
    const owners = await this.leases.listOwners(kind);
    const dead = owners.filter((owner) => this.identity.isDead(owner));
    if (dead.length === 0) return;
    this.logger.warn(`Moves of kind ${kind} are taken over from ${dead.join(', ')}`);
    await this.leases.expire(kind, dead);
  }

  private async freeOrphans(kind: MoveKind): Promise<void> {
    for (const id of await this.leases.freeOrphans(kind)) {
      this.logger.warn(`The ${kind} ${id} was read-only without a move and is writable again`);
    }
  }

  private async reportForgotten(kind: MoveKind): Promise<void> {
    const waiting = await this.leases.countLongWaiting(kind);
    if (waiting === 0) return;
    this.logger.debug(`${waiting} moves of kind ${kind} have waited for over 5 minutes`);
  }
}
