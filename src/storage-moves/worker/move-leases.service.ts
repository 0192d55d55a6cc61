import { Injectable } from '@nestjs/common';
import type { StorageLimits } from '../storage-settings.repository.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { MOVE_KINDS } from '../move-kinds.js';
import { StorageSettings } from '../storage-settings.service.js';
import { type ClaimedMove, LEASE_SECONDS } from './active-move.js';
import { failpoint, type Failpoint } from '../engine/failpoints.js';
import { type Candidate, MoveLeasesRepository } from './move-leases.repository.js';
import { WorkerIdentity } from './worker-identity.js';

export interface Pair {
  source: string;
  destination: string;
}

/** Active moves of each storage against its limits, while moves are claimed. */
export class StorageConcurrency {
  private readonly out = new Map<string, number>();
  private readonly into = new Map<string, number>();

  constructor(
    private readonly limits: ReadonlyMap<string, StorageLimits>,
    running: readonly (Pair & { count: number })[],
  ) {
    for (const pair of running) this.add(pair, pair.count);
  }

  /** Counts the move in when both its storages have room. */
  take(pair: Pair): boolean {
    if (this.isFull(this.out, pair.source, 'maxOut')) return false;
    if (this.isFull(this.into, pair.destination, 'maxIn')) return false;
    this.add(pair, 1);
    return true;
  }

  fullSources(): string[] {
    return [...this.limits.keys()].filter((name) => this.isFull(this.out, name, 'maxOut'));
  }

  fullDestinations(): string[] {
    return [...this.limits.keys()].filter((name) => this.isFull(this.into, name, 'maxIn'));
  }

  /** From these nothing new starts. */
  closedSources(): string[] {
    return this.namesWhere(({ paused }) => paused);
  }

  /** To these nothing new starts: paused, or lately out of space. */
  closedDestinations(): string[] {
    return this.namesWhere(({ paused, blockedUntil }) => paused || blockedUntil !== null);
  }

  private namesWhere(isWanted: (limits: StorageLimits) => boolean): string[] {
    return [...this.limits].filter(([, limits]) => isWanted(limits)).map(([name]) => name);
  }

  private isFull(load: Map<string, number>, name: string, limit: 'maxIn' | 'maxOut'): boolean {
    // A storage that is no longer configured has no limit: its moves fail immediately.
    const bound = this.limits.get(name)?.[limit] ?? Number.POSITIVE_INFINITY;
    return (load.get(name) ?? 0) >= bound;
  }

  private add({ source, destination }: Pair, count: number): void {
    this.out.set(source, (this.out.get(source) ?? 0) + count);
    this.into.set(destination, (this.into.get(destination) ?? 0) + count);
  }
}

/** Key of the lock under which workers lease moves one after the other; an arbitrary constant. */
const CLAIM_LOCK = 779_401_211;

/** Takes moves from the table that can start now, within the limits of their storages. */
@Injectable()
export class MoveLeases {
  /** A field, so that a test can hold one worker. */
  private readonly failpoint: Failpoint = failpoint;

  constructor(
    private readonly sql: Sql,
    private readonly leases: MoveLeasesRepository,
    private readonly settings: StorageSettings,
    private readonly identity: WorkerIdentity,
  ) {}

  /** Leases up to `count` moves; returns none when none can start now. */
  async lease(count: number): Promise<ClaimedMove[]> {
    const [hasWork, limits] = await Promise.all([this.leases.hasWork(), this.settings.all()]);
    if (!hasWork) return [];
    // Limits hold over all workers, so each must see what the one before has claimed.
    const claimed = await this.sql.transaction((rows) => this.choose(rows, limits, count), {
      lock: CLAIM_LOCK,
    });
    if (claimed.length > 0) await this.failpoint('claim.after-commit');
    return claimed;
  }

  private async choose(
    rows: TransactionRows,
    limits: ReadonlyMap<string, StorageLimits>,
    count: number,
  ): Promise<ClaimedMove[]> {
    const load = new StorageConcurrency(limits, await this.leases.countRunning(rows));
    const candidates = await this.leases.lockCandidates(rows, count, {
      fullSources: load.fullSources(),
      fullDestinations: load.fullDestinations(),
      closedSources: load.closedSources(),
      closedDestinations: load.closedDestinations(),
    });
    const taken = candidates.filter((candidate) => load.take(candidate)).slice(0, count);
    const moves = await this.take(rows, taken);
    await this.failpoint('claim.before-commit');
    return moves;
  }

  private async take(rows: TransactionRows, candidates: Candidate[]): Promise<ClaimedMove[]> {
    const moves: ClaimedMove[] = [];
    for (const kind of MOVE_KINDS) {
      const ids = candidates.filter((candidate) => candidate.kind === kind).map(({ id }) => id);
      if (ids.length === 0) continue;
      const worker = this.identity.name;
      const claimed = await this.leases.lease(rows, kind, { ids, worker, seconds: LEASE_SECONDS });
      const repeated = claimed.filter(({ attempt }) => attempt > 1);
      if (repeated.length > 0) {
        const repeatedIds = repeated.map(({ id }) => id);
        await this.leases.makeReadOnly(rows, kind, repeatedIds);
      }
      // For a repeated attempt `isDrained` was read before its container became read-only.
      moves.push(
        ...claimed.map((move) => ({ ...move, isDrained: move.isDrained && move.attempt === 1 })),
      );
    }
    return moves;
  }
}
