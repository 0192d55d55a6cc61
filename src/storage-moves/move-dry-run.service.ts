import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../core/errors.js';
import { Sql } from '../core/sql/sql.service.js';
import { bareRepositoryExists } from '../git/bare-repository.js';
import { containerRepositoryKinds, type RepositoryKind } from '../git/repository-path.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { DestinationChooser } from './destination-choice.service.js';
import { MoveError } from './engine/move-error.js';
import { inventoryRepository } from './engine/repository-inventory.js';
import { MOVE_KIND_DESCRIPTIONS } from './move-kinds.js';
import type { CheckedBatch } from './move-batches.service.js';
import type { MoveRequest } from './move-scheduler.service.js';
import { MoveThroughput } from './move-throughput.service.js';

interface RepositorySize {
  kind: RepositoryKind;
  bytes: number;
  files: number;
}

/** Tells what a move would do, without a row and without touching anything. */
@Injectable()
export class MoveDryRun {
  constructor(
    private readonly sql: Sql,
    private readonly storages: StorageRegistry,
    private readonly destinations: DestinationChooser,
    private readonly throughput: MoveThroughput,
  ) {}

  /** Sizes, an estimate, and everything that would make the move fail. Throws NotFoundError. */
  async ofContainer(request: MoveRequest): Promise<Record<string, unknown>> {
    const { storage, readOnly } = await this.container(request);
    const { destination, problems } = this.destinations.choose(storage, request.destination);
    const blockers = Object.entries(problems).flatMap(([field, messages]) =>
      (messages as string[]).map((message) => `${field} ${message}`),
    );
    if (readOnly) blockers.push(`${request.kind} is read-only`);
    const measured = await this.measure(request, storage, blockers);
    const bytes = measured.reduce((sum, repository) => sum + repository.bytes, 0);
    return {
      dry_run: true,
      source_storage_name: storage,
      destination_storage_name: destination === '' ? null : destination,
      repositories: measured,
      bytes_total: bytes,
      file_count: measured.reduce((sum, repository) => sum + repository.files, 0),
      estimated_seconds: await this.throughput.estimateSeconds(destination, bytes),
      blockers,
    };
  }

  /** How many containers a bulk request would move, and how many of them are busy now. */
  async ofStorage({ kind, source, destination }: CheckedBatch): Promise<Record<string, unknown>> {
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
      ...counts,
    };
  }

  private async container({ kind, containerId }: MoveRequest): Promise<ContainerRow> {
    const { containerTable, isAlive, noun } = MOVE_KIND_DESCRIPTIONS[kind];
    const row = await this.sql.row<ContainerRow>(
      `SELECT c.repository_storage AS storage, c.repository_read_only AS "readOnly"
       FROM ${containerTable} c WHERE c.id = $1 AND ${isAlive}`,
      [containerId],
    );
    if (row === null) throw new NotFoundError(noun);
    return row;
  }

  private async measure(
    { kind, containerId }: MoveRequest,
    storage: string,
    blockers: string[],
  ): Promise<RepositorySize[]> {
    if (!this.storages.has(storage)) return [];
    const sizes: RepositorySize[] = [];
    for (const repositoryKind of containerRepositoryKinds[kind]) {
      const path = this.storages.absolutePath({ storage, kind: repositoryKind, containerId });
      if (!(await bareRepositoryExists(path))) continue;
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

interface ContainerRow {
  storage: string;
  readOnly: boolean;
}
