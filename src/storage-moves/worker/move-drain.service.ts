import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { AbandonedWrites } from '../../git/abandoned-writes.service.js';
import {
  InflightWritesRepository,
  type RunningWrite,
} from '../../git/inflight-writes.repository.js';
import { containerRepositoryKinds, repositoryKey } from '../../git/repository-path.js';
import { MoveError } from '../engine/move-error.js';
import { type ActiveMove, repositoryNoun } from './active-move.js';

const POLL_MS = 250;

/** Waits for the last writes to the repositories; the container is read-only by now. */
@Injectable()
export class MoveDrain {
  constructor(
    private readonly writes: InflightWritesRepository,
    private readonly abandonedWrites: AbandonedWrites,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws MoveError naming the repository that was still being written to when time was up. */
  async wait(move: ActiveMove): Promise<void> {
    if (move.claim.isDrained) return;
    const deadline = performance.now() + this.config.moveDrainSeconds * 1000;
    for (;;) {
      move.assertHeld();
      const writes = await this.runningWrites(move);
      const [first] = writes;
      if (first === undefined) return;
      if (performance.now() >= deadline) {
        throw new MoveError(`Timeout waiting for ${repositoryNoun(first.kind)} repository pushes`);
      }
      // Their process is gone; but their receive-pack may still be alive, and that is looked into.
      if (writes.some(({ isDead }) => isDead)) await this.abandonedWrites.recover();
      await delay(POLL_MS, undefined, { signal: move.signal });
    }
  }

  private runningWrites({ claim }: ActiveMove): Promise<RunningWrite[]> {
    const keys = containerRepositoryKinds[claim.kind].map((kind) =>
      repositoryKey(kind, claim.containerId),
    );
    return this.writes.listRunning(keys);
  }
}
