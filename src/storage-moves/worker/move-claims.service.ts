import { Injectable } from '@nestjs/common';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { MOVE_KIND_DESCRIPTIONS } from '../move-kinds.js';
import { MOVE_KINDS, type MoveKind } from '../move-states.js';
import type { StorageLimits } from '../storage-settings.repository.js';
import { StorageSettings } from '../storage-settings.service.js';
import { LEASE_SECONDS } from './active-move.js';
import { CANDIDATES, HAS_WORK, makeReadOnlyAgain, RUNNING, takeLease } from './claim-statements.js';
import type { ClaimedMove } from './claimed-move.js';
import { MoveCheckpoints } from './move-checkpoints.service.js';
import { StorageLoad, type Pair } from './storage-load.js';
import { WorkerIdentity } from './worker-identity.js';

/** Key of the lock under which workers claim one after the other; any constant of ours will do. */
const CLAIM_LOCK = 779_401_211;

interface Candidate extends Pair {
  kind: MoveKind;
  id: number;
}

/** Takes moves from the table that may start now, within the limits of their storages. */
@Injectable()
export class MoveClaims {
  constructor(
    private readonly sql: Sql,
    private readonly settings: StorageSettings,
    private readonly identity: WorkerIdentity,
    private readonly checkpoints: MoveCheckpoints,
  ) {}

  /** Claims up to `count` moves; an empty answer means that nothing may start now. */
  async claim(count: number): Promise<ClaimedMove[]> {
    const [work, limits] = await Promise.all([
      this.sql.row<{ hasWork: boolean }>(HAS_WORK),
      this.settings.all(),
    ]);
    if (work?.hasWork !== true) return [];
    // Limits hold over all workers, so each must see what the one before has claimed.
    const claimed = await this.sql.transaction((rows) => this.choose(rows, limits, count), {
      lock: CLAIM_LOCK,
    });
    if (claimed.length > 0) await this.checkpoints.reach('claim.after-commit');
    return claimed;
  }

  private async choose(
    rows: TransactionRows,
    limits: ReadonlyMap<string, StorageLimits>,
    count: number,
  ): Promise<ClaimedMove[]> {
    const load = new StorageLoad(limits, await rows<Pair & { count: number }>(RUNNING));
    const candidates = await rows<Candidate>(CANDIDATES, [
      count,
      load.fullSources(),
      load.fullDestinations(),
      load.closedSources(),
      load.closedDestinations(),
    ]);
    const taken = candidates.filter((candidate) => load.take(candidate)).slice(0, count);
    const moves = await this.take(rows, taken);
    await this.checkpoints.reach('claim.before-commit');
    return moves;
  }

  private async take(rows: TransactionRows, candidates: Candidate[]): Promise<ClaimedMove[]> {
    const moves: ClaimedMove[] = [];
    for (const kind of MOVE_KINDS) {
      const ids = candidates.filter((candidate) => candidate.kind === kind).map(({ id }) => id);
      if (ids.length === 0) continue;
      const description = MOVE_KIND_DESCRIPTIONS[kind];
      const values = [ids, this.identity.name, LEASE_SECONDS];
      const claimed = await rows<ClaimedMove>(takeLease(description), values);
      const repeated = claimed.filter(({ attempt }) => attempt > 1);
      if (repeated.length > 0) {
        await rows(makeReadOnlyAgain(description), [repeated.map(({ id }) => id)]);
      }
      // What was true for a repeated attempt was read before its container became read-only.
      moves.push(
        ...claimed.map((move) => ({ ...move, isDrained: move.isDrained && move.attempt === 1 })),
      );
    }
    return moves;
  }
}
