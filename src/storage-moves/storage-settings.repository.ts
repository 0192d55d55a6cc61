import { Injectable } from '@nestjs/common';
import { Check, Column, DataSource, Entity, PrimaryColumn, Repository } from 'typeorm';
import { Sql } from '../core/sql/sql.service.js';

/**
 * Limits of an administrator for moves from and to one storage; a storage without row has defaults.
 */
@Entity('storage_settings')
@Check('ck_storage_settings_limits', `"max_in" > 0 AND "max_out" > 0`)
export class StorageSetting {
  @PrimaryColumn({ type: 'text', name: 'storage', primaryKeyConstraintName: 'pk_storage_settings' })
  storage: string;

  /** No move from or to a paused storage starts; running ones finish. */
  @Column({ type: 'boolean', name: 'paused', default: false })
  paused: boolean;

  /** Maximum concurrent moves into the storage. */
  @Column({ type: 'integer', name: 'max_in', default: 2 })
  maxIn: number;

  /** Maximum concurrent moves out of the storage. */
  @Column({ type: 'integer', name: 'max_out', default: 1 })
  maxOut: number;

  /** Limit of bytes per second of the moves of one worker; null = none. */
  @Column({ type: 'bigint', name: 'bytes_per_second', nullable: true })
  bytesPerSecond: number | null;

  /** End of the block after a full disk, during which no move into the storage starts. */
  @Column({ type: 'timestamptz', precision: 3, name: 'blocked_until', nullable: true })
  blockedUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

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
