import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../core/errors.js';
import { Sql } from '../core/sql/sql.service.js';
import { bareRepositoryExists } from '../git/bare-repository.js';
import { containerRepositoryKinds } from '../git/repository-path.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { DestinationChooser } from './destination-choice.service.js';
import { assertSpace } from './engine/disk-space.js';
import { MoveError } from './engine/move-error.js';
import { inventoryRepository } from './engine/repository-inventory.js';
import { MOVE_KIND_DESCRIPTIONS } from './move-kinds.js';
import type { CheckedBatch } from './move-batches.service.js';
import type { BulkForecast, MoveForecast, RepositorySize } from './move-forecast.js';
import type { MoveRequest } from './move-scheduler.service.js';
import { MoveThroughput } from './move-throughput.service.js';
import { StorageSettings } from './storage-settings.service.js';

/** Tells what a move would do, without a row and without touching anything. */
@Injectable()
export class MoveDryRun {
  constructor(
    private readonly sql: Sql,
    private readonly storages: StorageRegistry,
    private readonly destinations: DestinationChooser,
    private readonly throughput: MoveThroughput,
    private readonly settings: StorageSettings,
  ) {}

  /** Sizes, an estimate, and everything that would make the move fail. Throws NotFoundError. */
  async ofContainer(request: MoveRequest): Promise<MoveForecast> {
    const container = await this.container(request);
    const { storage, readOnly } = container;
    const { destination, problems } = this.destinations.choose(storage, request.destination);
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
      estimated_seconds: await this.throughput.estimateSeconds(destination, bytes),
      blockers,
    };
  }

  /** How many containers a bulk request would move, and how many of them are busy now. */
  async ofStorage({ kind, source, destination }: CheckedBatch): Promise<BulkForecast> {
    const { containerTable, isAlive } = MOVE_KIND_DESCRIPTIONS[kind];
    const counts = await this.sql.row<{ containers: number; busy: number }>(
      `SELECT count(*)::int AS containers,
              count(*) FILTER (WHERE c.repository_read_only)::int AS busy
       FROM ${containerTable} c WHERE c.repository_storage = $1 AND ${isAlive}`,
      [source],
    );
    return {
      dry_run: true,
      source_storage_name: source,
      destination_storage_name: destination,
      containers: counts?.containers ?? 0,
      busy: counts?.busy ?? 0,
    };
  }

  /** What the storages themselves have against the move. */
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

  private async container({ kind, containerId }: MoveRequest): Promise<ContainerRow> {
    const { containerTable, isAlive, noun, hasRepository } = MOVE_KIND_DESCRIPTIONS[kind];
    const row = await this.sql.row<ContainerRow>(
      `SELECT c.repository_storage AS storage, c.repository_read_only AS "readOnly",
              ${hasRepository} AS "hasRepository"
       FROM ${containerTable} c WHERE c.id = $1 AND ${isAlive}`,
      [containerId],
    );
    if (row === null) throw new NotFoundError(noun);
    return row;
  }

  private async measure(
    { kind, containerId }: MoveRequest,
    { storage, hasRepository }: ContainerRow,
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

interface ContainerRow {
  storage: string;
  readOnly: boolean;
  hasRepository: boolean;
}
