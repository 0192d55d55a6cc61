import { Injectable } from '@nestjs/common';
import { containerRepositoryKinds, type RepositoryKind } from '../git/repository-path.js';
import { bareRepositoryExists } from '../git/git-repository.js';
import { StorageRegistry } from '../git/storage-registry.js';
import {
  chooseDestination,
  StorageMovesService,
  type BatchRequest,
  type MoveRequest,
} from './storage-moves.service.js';
import { assertSpace } from './engine/storage-root.js';
import { MoveError } from './engine/move-error.js';
import { inventoryRepository } from './engine/repository-inventory.js';
import { MoveStatisticsRepository } from './move-statistics.repository.js';
import { type MovableContainer, StorageMovesRepository } from './storage-moves.repository.js';
import { StorageSettings } from './storage-settings.service.js';

/** Size of one repository of a container. */
interface RepositorySize {
  kind: RepositoryKind;
  bytes: number;
  files: number;
}

/** Dry run of a single move. */
export interface MoveForecast {
  dry_run: true;
  /** @example "default" */
  source_storage_name: string;
  /**
   * null if none is available or the given one is not configured.
   * @example "storage2"
   */
  destination_storage_name: string | null;
  repositories: RepositorySize[];
  bytes_total: number;
  file_count: number;
  /** Estimated duration of the copy, based on recent moves. */
  estimated_seconds: number;
  /**
   * Problems that would make the move fail now.
   * @example ["Storage storage2 is paused"]
   */
  blockers: string[];
}

/** Dry run of a bulk move. */
export interface BulkForecast {
  dry_run: true;
  /** @example "default" */
  source_storage_name: string;
  /**
   * null = chosen by weight for each container.
   * @example "storage2"
   */
  destination_storage_name: string | null;
  /** Number of containers to move. */
  containers: number;
  /** Number of containers that are read-only because of a move. */
  busy: number;
}

/** Assumed until moves of real size have been measured. */
const ASSUMED_BYTES_PER_SECOND = 100_000_000;

/** Forecasts moves without adding rows or touching repositories. */
@Injectable()
export class MoveDryRun {
  constructor(
    private readonly moves: StorageMovesRepository,
    private readonly statistics: MoveStatisticsRepository,
    private readonly storages: StorageRegistry,
    private readonly commands: StorageMovesService,
    private readonly settings: StorageSettings,
  ) {}

  /** Returns sizes, an estimate, and all blockers of a move. Throws NotFoundError. */
  async ofContainer(request: MoveRequest): Promise<MoveForecast> {
    const container = await this.moves.findContainer(request.kind, request.containerId);
    const { storage, readOnly } = container;
    const { destination, problems } = chooseDestination(
      this.storages,
      storage,
      request.destination,
    );
    const blockers = Object.entries(problems).flatMap(([field, messages]) =>
      (messages as string[]).map((message) => `${field} ${message}`),
    );
    if (readOnly) blockers.push(`${request.kind} is read-only`);
    const measured = await this.measure(request, container, blockers);
    const bytes = measured.reduce((sum, repository) => sum + repository.bytes, 0);
    const files = measured.reduce((sum, repository) => sum + repository.files, 0);
    blockers.push(...(await this.obstacles({ source: storage, destination, bytes, files })));
    return {
      dry_run: true,
      source_storage_name: storage,
      destination_storage_name: destination === '' ? null : destination,
      repositories: measured,
      bytes_total: bytes,
      file_count: files,
      estimated_seconds: await this.estimateSeconds(destination, bytes),
      blockers,
    };
  }

  /** Counts the containers that a bulk request would move. Throws as StorageMovesService.checkBatch does. */
  async ofStorage(request: BatchRequest): Promise<BulkForecast> {
    const { kind, source, destination } = this.commands.checkBatch(request);
    const counts = await this.moves.countContainers(kind, source);
    return {
      dry_run: true,
      source_storage_name: source,
      destination_storage_name: destination,
      ...counts,
    };
  }

  /** Returns the storages' reasons against the move. */
  private async obstacles({ source, destination, bytes, files }: Load): Promise<string[]> {
    const limits = await this.settings.all();
    const found = [...new Set([source, destination])]
      .filter((name) => limits.get(name)?.paused === true)
      .map((name) => `Storage ${name} is paused`);
    if (limits.get(destination)?.blockedUntil != null) {
      found.push(`Storage ${destination} is blocked since it was full`);
    }
    if (!this.storages.has(destination) || source === destination) return found;
    const { root } = this.storages.get(destination);
    const need = { bytesNeeded: bytes, filesNeeded: files, bytesReservedByOthers: 0 };
    try {
      await assertSpace({ storage: destination, root, ...need });
    } catch (error) {
      if (!(error instanceof MoveError)) throw error;
      found.push(error.message);
    }
    return found;
  }

  private async estimateSeconds(storage: string, bytes: number): Promise<number> {
    const throughput = await this.statistics.findThroughput();
    return Math.ceil(bytes / (throughput.get(storage) ?? ASSUMED_BYTES_PER_SECOND));
  }

  private async measure(
    { kind, containerId }: MoveRequest,
    { storage, hasRepository }: MovableContainer,
    blockers: string[],
  ): Promise<RepositorySize[]> {
    if (!this.storages.has(storage)) return [];
    const sizes: RepositorySize[] = [];
    const [main] = containerRepositoryKinds[kind];
    for (const repositoryKind of containerRepositoryKinds[kind]) {
      const path = this.storages.absolutePath({ storage, kind: repositoryKind, containerId });
      if (!(await bareRepositoryExists(path))) {
        const isMissing = hasRepository && repositoryKind === main;
        if (isMissing) blockers.push(`Source repository is missing on storage ${storage}`);
        continue;
      }
      try {
        const { bytes, files } = await inventoryRepository(path);
        sizes.push({ kind: repositoryKind, bytes, files: files.length });
      } catch (error) {
        if (!(error instanceof MoveError)) throw error;
        blockers.push(error.message);
      }
    }
    return sizes;
  }
}

interface Load {
  source: string;
  destination: string;
  bytes: number;
  files: number;
}
