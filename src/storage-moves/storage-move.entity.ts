import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../core/sql/timestamp-columns.js';
import type { MovePhase, MoveState, MoveKind } from './move-kinds.js';
import { Project } from '../workspace/projects/project.entity.js';
import { Snippet } from '../workspace/snippets/snippet.entity.js';
import { Group } from '../workspace/groups/group.entity.js';

/**
 * Columns that the three tables of moves share. Each kind has its own table, and so its own IDs
 * (move 1 of a project and move 1 of a snippet are unrelated).
 */
abstract class StorageMoveColumns extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column({ type: 'text', name: 'state', default: 'initial' })
  state: MoveState;

  /** Storage at scheduling time; never changes later. */
  @Column({ type: 'text', name: 'source_storage_name' })
  sourceStorageName: string;

  @Column({ type: 'text', name: 'destination_storage_name' })
  destinationStorageName: string;

  /** At most 256 characters, the last three `...` when cut. */
  @Column({ type: 'text', name: 'error_message', nullable: true })
  errorMessage: string | null;

  @Column({ type: 'text', name: 'phase', default: 'queued' })
  phase: MovePhase;

  /** Which attempt runs or ran last; a worker that lost its lease holds an older number. */
  @Column({ type: 'integer', name: 'attempt', default: 0 })
  attempt: number;

  /** Attempts that ended in a passing fault or with the death of their worker. */
  @Column({ type: 'integer', name: 'retries', default: 0 })
  retries: number;

  @Column({ type: 'text', name: 'lease_owner', nullable: true })
  leaseOwner: string | null;

  /** By database time. An expired lease lets another worker take over. */
  @Column({ type: 'timestamptz', precision: 3, name: 'lease_until', nullable: true })
  leaseUntil: Date | null;

  /** Not leased before this moment: the wait between attempts. */
  @Column({ type: 'timestamptz', precision: 3, name: 'retry_at', nullable: true })
  retryAt: Date | null;

  /**
   * Administrator who cancelled the move, which takes effect at the next step before the switch.
   */
  @Column({ type: 'text', name: 'cancelled_by', nullable: true })
  cancelledBy: string | null;

  @Column({ type: 'bigint', name: 'batch_id', nullable: true })
  batchId: number | null;

  @Column({ type: 'bigint', name: 'bytes_total', nullable: true })
  bytesTotal: number | null;

  @Column({ type: 'bigint', name: 'bytes_copied', default: 0 })
  bytesCopied: number;

  /** Copy throughput so far; null for a copy that took less than a second. */
  @Column({ type: 'bigint', name: 'bytes_per_second', nullable: true })
  bytesPerSecond: number | null;

  @Column({ type: 'text', name: 'checksum', nullable: true })
  checksum: string | null;

  @Column({ type: 'bigint', name: 'created_by_id', nullable: true })
  createdById: number | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'started_at', nullable: true })
  startedAt: Date | null;

  /** When the container became writable again: at the switch, or when the move failed. */
  @Column({ type: 'timestamptz', precision: 3, name: 'writable_at', nullable: true })
  writableAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}

/** Move of a project's repositories. At most one per project is under way: the partial unique index. */
@Entity('project_repository_storage_moves')
@Index('uq_project_storage_moves_active', ['containerId'], {
  unique: true,
  where: `"state" IN ('initial', 'scheduled', 'started', 'replicated')`,
})
@Index('ix_project_storage_moves_container', ['containerId', 'createdAt', 'id'])
@Index('ix_project_storage_moves_state', ['state', 'id'])
@Index('ix_project_storage_moves_created_at', ['createdAt', 'id'])
@Check(
  'ck_project_storage_moves_state',
  `"state" IN ('initial', 'scheduled', 'started', 'replicated', 'finished', 'failed', 'cleanup failed')`,
)
export class ProjectRepositoryStorageMove extends StorageMoveColumns {
  @ForeignKey(() => Project, { name: 'fk_project_storage_moves_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  containerId: number;
}

/** Move of a snippet's repositories. At most one per snippet is under way: the partial unique index. */
@Entity('snippet_repository_storage_moves')
@Index('uq_snippet_storage_moves_active', ['containerId'], {
  unique: true,
  where: `"state" IN ('initial', 'scheduled', 'started', 'replicated')`,
})
@Index('ix_snippet_storage_moves_container', ['containerId', 'createdAt', 'id'])
@Index('ix_snippet_storage_moves_state', ['state', 'id'])
@Index('ix_snippet_storage_moves_created_at', ['createdAt', 'id'])
@Check(
  'ck_snippet_storage_moves_state',
  `"state" IN ('initial', 'scheduled', 'started', 'replicated', 'finished', 'failed', 'cleanup failed')`,
)
export class SnippetRepositoryStorageMove extends StorageMoveColumns {
  @ForeignKey(() => Snippet, { name: 'fk_snippet_storage_moves_snippet', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'snippet_id' })
  containerId: number;
}

/** Move of a group's repositories. At most one per group is under way: the partial unique index. */
@Entity('group_repository_storage_moves')
@Index('uq_group_storage_moves_active', ['containerId'], {
  unique: true,
  where: `"state" IN ('initial', 'scheduled', 'started', 'replicated')`,
})
@Index('ix_group_storage_moves_container', ['containerId', 'createdAt', 'id'])
@Index('ix_group_storage_moves_state', ['state', 'id'])
@Index('ix_group_storage_moves_created_at', ['createdAt', 'id'])
@Check(
  'ck_group_storage_moves_state',
  `"state" IN ('initial', 'scheduled', 'started', 'replicated', 'finished', 'failed', 'cleanup failed')`,
)
export class GroupRepositoryStorageMove extends StorageMoveColumns {
  @ForeignKey(() => Group, { name: 'fk_group_storage_moves_group', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'group_id' })
  containerId: number;
}

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
