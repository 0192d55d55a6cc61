import { Injectable } from '@nestjs/common';
import type { MoveState } from './move-kinds.js';
import { RepositoryTrashRepository } from '../git/repository-trash.repository.js';
import { StorageRegistry } from '../git/storage-registry.js';
import {
  type ContainerCount,
  type MoveCount,
  MoveStatisticsRepository,
} from './move-statistics.repository.js';
import type { StorageLimits } from './storage-settings.repository.js';
import { StorageSettings } from './storage-settings.service.js';

/** A storage and the limits of moves from and to it. */
export interface StorageResponse {
  /** @example "default" */
  name: string;
  /** Weight for new repositories; 0 = none. */
  weight: number;
  /** true: no move from or to the storage starts; running ones finish. */
  paused: boolean;
  /** Maximum concurrent moves into the storage. */
  max_in: number;
  /** Maximum concurrent moves out of the storage. */
  max_out: number;
  /**
   * Maximum bytes per second that the moves of one worker read and write on the storage; null = no
   * limit.
   */
  bytes_per_second: number | null;
  /**
   * End of the block after a full disk, during which no moves into the storage start; null if there
   * is none.
   * @format date-time
   */
  blocked_until: string | null;
}

/** Containers of each kind on a storage. */
interface ContainerCountsResponse {
  project: number;
  snippet: number;
  group: number;
}

/** Number of moves by state; states without moves are absent. */
export type MoveCountsResponse = Partial<Record<MoveState, number>>;

/** Storage with its content and moves. */
export interface StorageSummaryResponse extends StorageResponse {
  containers: ContainerCountsResponse;
  /** Moves into the storage, by state. */
  incoming: MoveCountsResponse;
  /** Moves out of the storage, by state. */
  outgoing: MoveCountsResponse;
  /** Bytes that running moves have yet to copy into the storage. */
  bytes_left: number;
  /** Average throughput of recent moves; null without any. */
  measured_bytes_per_second: number | null;
  /** Estimated time to copy `bytes_left`. */
  eta_seconds: number | null;
  repositories_in_trash: number;
}

/** Summarizes the containers and moves of each storage. */
@Injectable()
export class StorageSummaries {
  constructor(
    private readonly storages: StorageRegistry,
    private readonly settings: StorageSettings,
    private readonly statistics: MoveStatisticsRepository,
    private readonly trash: RepositoryTrashRepository,
  ) {}

  /** One entry per configured storage, in the order of the configuration. */
  async all(): Promise<StorageSummaryResponse[]> {
    const [limits, moves, containers, trash, rates] = await Promise.all([
      this.settings.all(),
      this.statistics.countMoves(),
      this.statistics.countContainers(this.storages.names()),
      this.trash.countByStorage(),
      this.statistics.findThroughput(),
    ]);
    return [...limits].map(([name, limit]) => {
      const own = containers.filter(({ storage }) => storage === name);
      const inTrash = trash.find(({ storage }) => storage === name);
      return {
        ...presentLimits(name, this.storages.get(name).weight, limit),
        containers: countByKind(own),
        ...summarise(name, moves, rates.get(name) ?? null),
        repositories_in_trash: inTrash?.count ?? 0,
      };
    });
  }
}

/** A storage and its limits as clients see them. */
export function presentLimits(
  name: string,
  weight: number,
  { paused, maxIn, maxOut, bytesPerSecond, blockedUntil }: StorageLimits,
): StorageResponse {
  return {
    name,
    weight,
    paused,
    max_in: maxIn,
    max_out: maxOut,
    bytes_per_second: bytesPerSecond,
    blocked_until: blockedUntil?.toISOString() ?? null,
  };
}

function countByKind(rows: readonly ContainerCount[]): ContainerCountsResponse {
  const counts = { project: 0, snippet: 0, group: 0 };
  for (const { kind, count } of rows) counts[kind] += count;
  return counts;
}

function summarise(
  name: string,
  moves: readonly MoveCount[],
  rate: number | null,
): Omit<StorageSummaryResponse, keyof StorageResponse | 'containers' | 'repositories_in_trash'> {
  const into = moves.filter(({ destination }) => destination === name);
  const bytesLeft = into.reduce((sum, move) => sum + move.bytesLeft, 0);
  return {
    incoming: countByState(into),
    outgoing: countByState(moves.filter(({ source }) => source === name)),
    bytes_left: bytesLeft,
    measured_bytes_per_second: rate === null ? null : Math.round(rate),
    eta_seconds: rate === null ? null : Math.ceil(bytesLeft / rate),
  };
}

function countByState(moves: readonly MoveCount[]): MoveCountsResponse {
  const counts: MoveCountsResponse = {};
  for (const { state, count } of moves) counts[state] = (counts[state] ?? 0) + count;
  return counts;
}
