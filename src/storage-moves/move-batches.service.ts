import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type AuditActor, AuditLog } from '../core/audit/audit.service.js';
import { JobQueue } from '../core/durable-work/job-queue.service.js';
import { QUEUES } from '../core/durable-work/queues.js';
import { InvalidParamsError, ValidationFailedError } from '../core/errors.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { chooseDestination } from './destination-choice.js';
import type { MoveKind } from './move-kinds.js';
import { StorageMoveBatch } from './storage-move-batch.entity.js';

export interface BatchRequest {
  kind: MoveKind;
  source?: string | null;
  destination?: string | null;
}

/** Validated bulk request. */
export interface CheckedBatch {
  kind: MoveKind;
  source: string;
  destination: string | null;
}

/** Takes requests to empty a storage. The rows of single moves are made later, a few at a time. */
@Injectable()
export class MoveBatches {
  constructor(
    private readonly dataSource: DataSource,
    private readonly storages: StorageRegistry,
    private readonly audit: AuditLog,
    private readonly jobs: JobQueue,
  ) {}

  /** Returns the batch's id. Throws as `check` does. */
  async create(request: BatchRequest, actor: AuditActor): Promise<number> {
    const { kind, source, destination } = this.check(request);
    const id = await this.dataSource.transaction(async (tx) => {
      const inserted = await tx.insert(StorageMoveBatch, {
        kind,
        sourceStorageName: source,
        destinationStorageName: destination,
        createdById: actor.viewer?.id ?? null,
      });
      const { id } = inserted.identifiers[0] as { id: number };
      await this.audit.record(tx, actor, {
        action: 'storage_moves_scheduled',
        targetType: 'StorageMoveBatch',
        targetId: id,
        details: { kind, source, destination },
      });
      this.jobs.notifyAfterCommit(tx, QUEUES.storageMoves);
      return id;
    });
    return id;
  }

  /**
   * Throws InvalidParamsError for names that are not configured, and ValidationFailedError when no
   * destination is given and none can be drawn.
   */
  check({ kind, source, destination = null }: BatchRequest): CheckedBatch {
    const problems: string[] = [];
    if (source === undefined || source === null) problems.push('source_storage_name is missing');
    if (!this.storages.has(source ?? '')) {
      problems.push('source_storage_name does not have a valid value');
    }
    if (destination !== null && !this.storages.has(destination)) {
      problems.push('destination_storage_name does not have a valid value');
    }
    if (problems.length > 0) throw new InvalidParamsError(problems);
    const name = source ?? '';
    const drawn = chooseDestination(this.storages, name, destination);
    if (Object.keys(drawn.problems).length > 0) throw new ValidationFailedError(drawn.problems);
    return { kind, source: name, destination };
  }
}
