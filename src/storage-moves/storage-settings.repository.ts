import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { Sql } from '../core/sql/sql.service.js';
import { StorageSetting } from './storage-setting.entity.js';

/** The limits of moves from and to one storage. */
export type StorageLimits = Omit<StorageSetting, 'storage' | 'updatedAt'>;

/** Owns every statement about the settings of storages. */
@Injectable()
export class StorageSettingsRepository extends Repository<StorageSetting> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(StorageSetting, dataSource.manager);
  }

  /** Returns the limits of all storages that have some; a block that is over reads as none. */
  listLimits(): Promise<(StorageLimits & { storage: string })[]> {
    return this.queries.rows<StorageLimits & { storage: string }>(
      `SELECT storage, paused, max_in AS "maxIn", max_out AS "maxOut",
              bytes_per_second AS "bytesPerSecond",
              CASE WHEN blocked_until > now() THEN blocked_until END AS "blockedUntil"
       FROM storage_settings`,
    );
  }

  /** Keeps new moves away from a storage for an interval. */
  async block(storage: string, interval: string): Promise<void> {
    await this.queries.rows(
      `INSERT INTO storage_settings (storage, blocked_until) VALUES ($1, now() + $2::interval)
       ON CONFLICT (storage) DO UPDATE SET blocked_until = EXCLUDED.blocked_until,
         updated_at = now()`,
      [storage, interval],
    );
  }
}
