import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';
import type { CommitState } from '../repository/commit-states.js';
import { User } from '../../identity/users/user.entity.js';

/** Pipeline of one commit and ref: the statuses that external CI reported for it. */
@Entity('pipelines')
@Index('ix_pipelines_project_ref', ['projectId', 'ref', 'id'])
@Index('ix_pipelines_project_sha', ['projectId', 'sha', 'id'])
@Index('ix_pipelines_user', ['userId'])
@Check('ck_pipelines_outcome', `"outcome" IN ('success', 'failed')`)
@Check(
  'ck_pipelines_status',
  `"status" IN ('pending', 'running', 'success', 'failed', 'canceled', 'skipped')`,
)
export class Pipeline extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_pipelines' })
  id: number;

  @ForeignKey('Project', { name: 'fk_pipelines_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  /** Branch or tag, short; empty when outside CI named none and no branch has the commit. */
  @Column({ type: 'text', name: 'ref' })
  ref: string;

  @Column({ type: 'text', name: 'sha' })
  sha: string;

  /** Follows from its statuses. */
  @Column({ type: 'text', name: 'status', default: 'pending' })
  status: CommitState;

  /** Latest result, also while it runs again; null before the first, and after a cancellation. */
  @Column({ type: 'text', name: 'outcome', nullable: true })
  outcome: 'success' | 'failed' | null;

  /** User who reported the pipeline's first status; null after their deletion. */
  @ForeignKey(() => User, { name: 'fk_pipelines_user', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'user_id', nullable: true })
  userId: number | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}
