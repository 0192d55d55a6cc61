import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

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
