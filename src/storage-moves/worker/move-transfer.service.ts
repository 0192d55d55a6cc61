import { Injectable } from '@nestjs/common';
import { MoveError } from '../engine/move-error.js';
import { sameReferences } from '../engine/verify-repository.js';
import { type ActiveMove, repositoryNoun } from './active-move.js';
import { MoveCheckpoints } from '../engine/failpoints.js';
import { MoveCopy, type ProvedCopy } from './move-copy.service.js';
import { MoveDrain } from './move-drain.service.js';
import { MovePreparation } from './move-preparation.service.js';

/** Drain and copy: everything between the claim and the switch that takes time. */
@Injectable()
export class MoveTransfer {
  constructor(
    private readonly preparation: MovePreparation,
    private readonly drain: MoveDrain,
    private readonly copy: MoveCopy,
    private readonly checkpoints: MoveCheckpoints,
  ) {}

  /** Answers the checksum, null when nothing had to be copied. */
  async run(move: ActiveMove, isSamePlace: boolean): Promise<string | null> {
    move.phase = 'draining';
    await this.drain.wait(move);
    await this.checkpoints.reach('attempt.after-drain', move.claim);
    if (isSamePlace) return null;
    const repositories = await this.preparation.repositories(move);
    const copies = await this.copy.run(move, repositories);
    for (const copy of copies) await assertUnchanged(copy);
    return copies[0]?.checksum ?? null;
  }
}

/** Last look before the switch: no write has reached the source although it is read-only. */
async function assertUnchanged({ repository, stamp }: ProvedCopy): Promise<void> {
  const { kind, source, target } = repository;
  if (await sameReferences(source, target, stamp)) return;
  throw new MoveError(`The ${repositoryNoun(kind)} repository has changed during the move`, {
    transient: true,
  });
}
