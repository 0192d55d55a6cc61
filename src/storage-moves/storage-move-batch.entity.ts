import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { MoveKind } from './move-kinds.js';

/**
 * A bulk request: move everything of one kind away from a storage. Rows of moves are made from it
 * little by little, so that containers that still wait stay writable.
 */
@Entity('storage_move_batches')
@Index('ix_storage_move_batches_open', ['id'], { where: '"finished_at" IS NULL' })
export class StorageMoveBatch {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_storage_move_batches',
  })
  id: number;

  @Column({ type: 'text', name: 'kind' })
  kind: MoveKind;

  @Column({ type: 'text', name: 'source_storage_name' })
  sourceStorageName: string;

  /** null = each container's destination is drawn by weight. */
  @Column({ type: 'text', name: 'destination_storage_name', nullable: true })
  destinationStorageName: string | null;

  /** Container id up to which rows have been made. */
  @Column({ type: 'bigint', name: 'cursor_id', default: 0 })
  cursorId: number;

  @Column({ type: 'integer', name: 'scheduled_count', default: 0 })
  scheduledCount: number;

  @Column({ type: 'integer', name: 'skipped_count', default: 0 })
  skippedCount: number;

  @Column({ type: 'bigint', name: 'created_by_id', nullable: true })
  createdById: number | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}
