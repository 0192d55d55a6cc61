import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog, type AuditActor, changesBetween } from '../core/audit/audit.service.js';
import { InvalidParamsError, NotFoundError } from '../core/errors.js';
import { NO_PRECONDITIONS, type Preconditions } from '../core/preconditions.js';
import { StorageRegistry } from '../git/storage-registry.js';
import type { UpdateStorageDto } from './storage-move.dto.js';
import {
  StorageSetting,
  StorageSettingsRepository,
  type StorageLimits,
} from './storage-settings.repository.js';

/** More moves at a time than this never help. */
const MAX_PARALLEL = 64;
const DEFAULTS = { paused: false, maxIn: 2, maxOut: 1, bytesPerSecond: null, blockedUntil: null };

/** The storage to change, with the preconditions of the request. */
interface ChosenStorage {
  name: string;
  preconditions?: Preconditions;
}

/** Limits of administrators for moves from and to each storage. */
@Injectable()
export class StorageSettings {
  constructor(
    private readonly settings: StorageSettingsRepository,
    private readonly dataSource: DataSource,
    private readonly storages: StorageRegistry,
    private readonly audit: AuditLog,
  ) {}

  /** Limits of every configured storage, defaults included. */
  async all(): Promise<Map<string, StorageLimits>> {
    const rows = await this.settings.listLimits();
    const known = new Map(rows.map(({ storage, ...limits }) => [storage, limits]));
    return new Map(this.storages.names().map((name) => [name, known.get(name) ?? DEFAULTS]));
  }

  /** Throws NotFoundError for a storage that is not configured. */
  async get(name: string): Promise<StorageLimits> {
    const limits = (await this.all()).get(name);
    if (limits === undefined) throw new NotFoundError('Storage');
    return limits;
  }

  /**
   * Updates the given limits; resuming also lifts a block after a full disk. Throws as `get`, and
   * 412.
   */
  async update(
    { name, preconditions = NO_PRECONDITIONS }: ChosenStorage,
    dto: UpdateStorageDto,
    actor: AuditActor,
  ): Promise<StorageLimits> {
    const before = await this.get(name);
    const limits = { ...before, ...changesOf(dto) };
    await this.dataSource.transaction(async (tx) => {
      const row = await tx.findOneBy(StorageSetting, { storage: name });
      if (row !== null) preconditions.check(row.updatedAt);
      const values = { storage: name, ...limits, updatedAt: () => 'now()' };
      await tx.upsert(StorageSetting, values, ['storage']);
      await this.audit.recordChange(tx, actor, {
        action: 'storage_updated',
        targetType: 'Storage',
        targetId: null,
        targetName: name,
        details: changesBetween<StorageLimits>(before, limits),
      });
    });
    return limits;
  }
}

function changesOf(dto: UpdateStorageDto): Partial<StorageLimits> {
  const tooMany = (['max_in', 'max_out'] as const).filter(
    (name) => (dto[name] ?? 1) > MAX_PARALLEL,
  );
  if (tooMany.length > 0) {
    throw new InvalidParamsError(tooMany.map((name) => `${name} has a value not allowed`));
  }
  const changes: Partial<StorageLimits> = {};
  if (typeof dto.paused === 'boolean') changes.paused = dto.paused;
  if (dto.paused === false) changes.blockedUntil = null;
  if (typeof dto.max_in === 'number') changes.maxIn = dto.max_in;
  if (typeof dto.max_out === 'number') changes.maxOut = dto.max_out;
  if (dto.bytes_per_second !== undefined) changes.bytesPerSecond = dto.bytes_per_second;
  return changes;
}
