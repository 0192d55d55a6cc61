import { Injectable } from '@nestjs/common';
import { Sql } from '../core/sql/sql.service.js';
import { RepositoryTrashRepository } from '../git/repository-trash.repository.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { ALL_MOVE_KINDS } from './move-kinds.js';
import type { MoveKind, MoveState } from './move-states.js';
import { MoveThroughput } from './move-throughput.service.js';
import type {
  PresentedContainerCounts,
  PresentedMoveCounts,
  PresentedStorage,
  PresentedStorageSummary,
} from './presented-storage.js';
import { StorageSettings, type StorageLimits } from './storage-settings.service.js';

interface MoveCount {
  source: string;
  destination: string;
  state: MoveState;
  count: number;
  bytesLeft: number;
}

const MOVES = ALL_MOVE_KINDS.map(
  ({ table }) => `SELECT source_storage_name AS source, destination_storage_name AS destination,
    state, greatest(coalesce(bytes_total, 0) - bytes_copied, 0) AS bytes_left FROM ${table}`,
).join(' UNION ALL ');

const CONTAINERS = ALL_MOVE_KINDS.map(
  ({ kind, containerTable, isAlive }) =>
    `SELECT c.repository_storage AS storage, '${kind}' AS kind, count(*)::int AS count
     FROM ${containerTable} c WHERE ${isAlive} GROUP BY 1`,
).join(' UNION ALL ');

/** What lies on each storage and what moves there, for people who drain one. */
@Injectable()
export class StorageSummaries {
  constructor(
    private readonly sql: Sql,
    private readonly storages: StorageRegistry,
    private readonly settings: StorageSettings,
    private readonly throughput: MoveThroughput,
    private readonly trash: RepositoryTrashRepository,
  ) {}

  /** One entry per configured storage, in the order of the configuration. */
  async all(): Promise<PresentedStorageSummary[]> {
    const [limits, moves, containers, trash, rates] = await Promise.all([
      this.settings.all(),
      this.moveCounts(),
      this.sql.rows<{ storage: string; kind: MoveKind; count: number }>(CONTAINERS),
      this.trash.countByStorage(),
      this.throughput.bytesPerSecond(),
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

  private moveCounts(): Promise<MoveCount[]> {
    return this.sql.rows<MoveCount>(
      `SELECT source, destination, state, count(*)::int AS count,
              sum(CASE WHEN state = 'started' THEN bytes_left ELSE 0 END)::float8 AS "bytesLeft"
       FROM (${MOVES}) moves GROUP BY 1, 2, 3`,
    );
  }
}

/** A storage and its limits as clients see them. */
export function presentLimits(
  name: string,
  weight: number,
  { paused, maxIn, maxOut, bytesPerSecond, blockedUntil }: StorageLimits,
): PresentedStorage {
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

function countByKind(rows: { kind: MoveKind; count: number }[]): PresentedContainerCounts {
  const counts = { project: 0, snippet: 0, group: 0 };
  for (const { kind, count } of rows) counts[kind] += count;
  return counts;
}

function summarise(
  name: string,
  moves: readonly MoveCount[],
  rate: number | null,
): Omit<PresentedStorageSummary, keyof PresentedStorage | 'containers' | 'repositories_in_trash'> {
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

function countByState(moves: readonly MoveCount[]): PresentedMoveCounts {
  const counts: PresentedMoveCounts = {};
  for (const { state, count } of moves) counts[state] = (counts[state] ?? 0) + count;
  return counts;
}
