import { Injectable, Logger } from '@nestjs/common';
import { Throttle } from '../engine/copy-file.js';
import { MOVE_KINDS, type MoveKind } from '../move-kinds.js';
import { type ActiveMove, CancelledError, LEASE_SECONDS, LeaseLostError } from './active-move.js';
import { type HeldRow, MoveLeasesRepository } from './move-leases.repository.js';
import { WorkerIdentity } from './worker-identity.js';
import { StorageSettings } from '../storage-settings.service.js';

/** Holds one throttle per storage, shared by all moves of this worker. */
class StorageThrottles {
  private readonly throttles = new Map<string, Throttle>();

  constructor(private readonly settings: StorageSettings) {}

  get(storage: string): Throttle {
    const known = this.throttles.get(storage);
    if (known !== undefined) return known;
    const throttle = new Throttle(null);
    this.throttles.set(storage, throttle);
    return throttle;
  }

  /** Reloads the limits, which also apply to running moves. */
  async refresh(): Promise<void> {
    const limits = await this.settings.all();
    for (const [name, { bytesPerSecond }] of limits) this.get(name).setLimit(bytesPerSecond);
  }
}

/** A move this young has no use for a progress report. */
const REPORT_AFTER_MS = 1_000;

/** The moves that this worker runs: renews their leases, reports progress, hears of cancellations. */
@Injectable()
export class ActiveMoves {
  private readonly logger = new Logger(ActiveMoves.name);
  private readonly moves = new Set<ActiveMove>();
  /** Limits of the storages, shared by all moves of this worker. */
  readonly throttles: StorageThrottles;

  constructor(
    private readonly leases: MoveLeasesRepository,
    private readonly identity: WorkerIdentity,
    settings: StorageSettings,
  ) {
    this.throttles = new StorageThrottles(settings);
  }

  /**
   * Slots that moves take up in this worker. A clean-up mostly waits for the disk and takes none,
   * as long as there are not more of them than slots.
   */
  slotsTaken(slots: number): number {
    const cleaning = [...this.moves].filter(({ phase }) => phase === 'cleaning').length;
    return this.moves.size - Math.min(cleaning, slots);
  }

  add(move: ActiveMove): void {
    this.moves.add(move);
  }

  remove(move: ActiveMove): void {
    this.moves.delete(move);
  }

  /** Bytes that other moves of this worker still have to write to the storage. */
  bytesMissingOn(storage: string, except: ActiveMove): number {
    return [...this.moves]
      .filter((move) => move !== except && move.lease.destination === storage)
      .reduce((sum, move) => sum + Math.max(0, move.bytesTotal - move.bytesCopied), 0);
  }

  stopAll(reason: Error): void {
    for (const move of this.moves) move.stop(reason);
  }

  /** Runs every 10 seconds: renews the leases and stops moves without one. */
  async renew(): Promise<void> {
    await this.forEachKind(async (kind, moves) => {
      const sentAt = performance.now();
      const ids = moves.map(({ lease }) => lease.id);
      const rows = await this.leases.renew(kind, ids, this.identity.name, LEASE_SECONDS);
      for (const move of moves) {
        if (find(rows, move) !== undefined) move.renewed(sentAt);
        else if (this.moves.has(move)) move.stop(new LeaseLostError());
      }
    });
  }

  /** Runs every second: records progress, stops cancelled moves and applies changed limits. */
  async report(): Promise<void> {
    if (this.moves.size === 0) return;
    await this.throttles.refresh().catch((error: unknown) => {
      this.logger.warn(`Storage limits could not be read: ${String(error)}`);
    });
    await this.forEachKind(async (kind, moves) => {
      const old = moves.filter(({ startedAt }) => performance.now() - startedAt > REPORT_AFTER_MS);
      for (const move of old) await this.reportOne(kind, move);
    });
  }

  private async reportOne(kind: MoveKind, move: ActiveMove): Promise<void> {
    const rows = await this.leases.report(kind, {
      id: move.lease.id,
      worker: this.identity.name,
      attempt: move.lease.attempt,
      phase: move.phase,
      bytesTotal: move.bytesTotal,
      bytesCopied: move.bytesCopied,
      rate: move.measureRate(),
    });
    if (move.bytesTotal > 0) {
      move.onProgress?.(Math.floor((100 * move.bytesCopied) / move.bytesTotal));
    }
    const cancelledBy = find(rows, move)?.cancelledBy ?? null;
    if (cancelledBy !== null && move.phase !== 'cleaning') {
      move.stop(new CancelledError(cancelledBy));
    }
  }

  private async forEachKind(
    task: (kind: MoveKind, moves: ActiveMove[]) => Promise<void>,
  ): Promise<void> {
    for (const kind of MOVE_KINDS) {
      const moves = [...this.moves].filter(({ lease }) => lease.kind === kind);
      if (moves.length === 0) continue;
      try {
        await task(kind, moves);
      } catch (error) {
        // The leases outlast several missed turns; a move whose lease runs out stops.
        this.logger.warn(`Moves in progress could not be written down: ${String(error)}`);
      }
    }
  }
}

function find(rows: readonly HeldRow[], { lease }: ActiveMove): HeldRow | undefined {
  return rows.find(({ id, attempt }) => id === lease.id && attempt === lease.attempt);
}
