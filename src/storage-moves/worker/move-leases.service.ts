import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../../core/concurrency.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { failpoint, type Failpoint } from '../engine/failpoints.js';
import { MOVE_KINDS, type MoveRef } from '../move-kinds.js';
import type { StorageLimits } from '../storage-settings.repository.js';
import { StorageSettings } from '../storage-settings.service.js';
import { ActiveMove, LEASE_SECONDS, moveLabel, type LeasedMove } from './active-move.js';
import { MoveLeasesRepository, type DueMove, type FullStorages } from './move-leases.repository.js';
import { WorkerIdentity } from './worker-identity.js';

export interface Pair {
  source: string;
  destination: string;
}

/** Active moves of each storage against its limits, while moves are leased. */
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

  /** Returns the storages from which no new move starts. */
  closedSources(): string[] {
    return this.namesWhere(({ paused }) => paused);
  }

  /** Returns the storages to which no new move starts: paused, or blocked after a full disk. */
  closedDestinations(): string[] {
    return this.namesWhere(({ paused, blockedUntil }) => paused || blockedUntil !== null);
  }

  /** Returns true if no new move of the route starts now. */
  isClosed({ source, destination }: Pair): boolean {
    return this.closedSources().includes(source) || this.closedDestinations().includes(destination);
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
const LEASE_LOCK = 779_401_211;
/** Moves that get jobs, as a multiple of those that can run concurrently. */
const LOOK_AHEAD = 4;
/** Moves of each kind that are listed at a time. */
const PAGE_SIZE = 16;

/** Result of a request for a lease: `busy` when the storages of the move are at their limits. */
type LeaseResult = ActiveMove | 'busy' | null;

/** Leases moves for this worker, within the limits of their storages. */
@Injectable()
export class MoveLeases {
  /** A field, so that a test can hold one worker. */
  private readonly failpoint: Failpoint = failpoint;
  private readonly batches = new BatchLoader<MoveRef, LeaseResult>(
    (moves) => this.leaseAll(moves),
    { running: 1, size: 64 },
  );

  constructor(
    private readonly sql: Sql,
    private readonly leases: MoveLeasesRepository,
    private readonly settings: StorageSettings,
    private readonly identity: WorkerIdentity,
  ) {}

  /** Returns null for a move that is over, held by a worker, waits, or whose storages are paused. */
  lease(move: MoveRef): Promise<LeaseResult> {
    return this.batches.run(move);
  }

  /**
   * Returns moves that could run, oldest first: more than the limits of their storages allow now,
   * so that the next one is at hand when one ends.
   */
  async listDue(): Promise<DueMove[]> {
    const [limits, running] = await Promise.all([this.settings.all(), this.leases.countRunning()]);
    const raised = [...limits].map(([name, limit]): [string, StorageLimits] => [
      name,
      { ...limit, maxIn: LOOK_AHEAD * limit.maxIn, maxOut: LOOK_AHEAD * limit.maxOut },
    ]);
    const load = new StorageConcurrency(new Map(raised), running);
    const due = new Map<string, DueMove>();
    for (;;) {
      // Without the storages that are full by now, whose moves would hide those of others.
      const count = Math.max(PAGE_SIZE, 2 * due.size);
      const listed = await this.leases.listDue(count, fullStorages(load));
      const fresh = listed.filter((move) => !due.has(moveLabel(move)) && load.take(move));
      for (const move of fresh) due.set(moveLabel(move), move);
      if (fresh.length === 0 || listed.length < count) return [...due.values()];
    }
  }

  /** Limits hold over all workers, so each must see what the one before has leased. */
  private async leaseAll(moves: readonly MoveRef[]): Promise<LeaseResult[]> {
    const limits = await this.settings.all();
    const leasedAt = performance.now();
    const { due, leased } = await this.sql.transaction((rows) => this.choose(rows, limits, moves), {
      lock: LEASE_LOCK,
    });
    if (leased.length > 0) await this.failpoint('lease.after-commit');
    return moves.map((move) => {
      const lease = leased.find((each) => isSameMove(each, move));
      if (lease !== undefined) return new ActiveMove(lease, leasedAt);
      return due.some((each) => isSameMove(each, move)) ? 'busy' : null;
    });
  }

  private async choose(
    rows: TransactionRows,
    limits: ReadonlyMap<string, StorageLimits>,
    moves: readonly MoveRef[],
  ): Promise<{ due: DueMove[]; leased: LeasedMove[] }> {
    const load = new StorageConcurrency(limits, await this.leases.countRunning(rows));
    const due = (await this.leases.lockDue(rows, moves)).filter(
      (move) => move.begun || !load.isClosed(move),
    );
    const leased = await this.take(
      rows,
      due.filter((move) => load.take(move)),
    );
    await this.failpoint('lease.before-commit');
    return { due, leased };
  }

  private async take(rows: TransactionRows, moves: DueMove[]): Promise<LeasedMove[]> {
    const leased: LeasedMove[] = [];
    for (const kind of MOVE_KINDS) {
      const ids = moves.filter((move) => move.kind === kind).map(({ id }) => id);
      if (ids.length === 0) continue;
      const worker = this.identity.name;
      const taken = await this.leases.lease(rows, kind, { ids, worker, seconds: LEASE_SECONDS });
      const repeated = taken.filter(({ attempt }) => attempt > 1).map(({ id }) => id);
      if (repeated.length > 0) await this.leases.makeReadOnly(rows, kind, repeated);
      // For a repeated attempt `isDrained` was read before its container became read-only.
      leased.push(
        ...taken.map((lease) => ({ ...lease, isDrained: lease.isDrained && lease.attempt === 1 })),
      );
    }
    return leased;
  }
}

function fullStorages(load: StorageConcurrency): FullStorages {
  return {
    fullSources: load.fullSources(),
    fullDestinations: load.fullDestinations(),
    closedSources: load.closedSources(),
    closedDestinations: load.closedDestinations(),
  };
}

function isSameMove(one: MoveRef, other: MoveRef): boolean {
  return one.kind === other.kind && one.id === other.id;
}
