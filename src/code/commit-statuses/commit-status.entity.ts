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

/** Status of a commit, reported by external CI under a name; the latest of a name counts. */
@Entity('commit_statuses')
@Index('uq_commit_statuses_latest', ['pipelineId', 'name'], {
  unique: true,
  where: 'NOT "retried"',
})
@Index('ix_commit_statuses_pipeline', ['pipelineId', 'id'])
@Index('ix_commit_statuses_user', ['userId'])
@Check(
  'ck_commit_statuses_state',
  `"state" IN ('pending', 'running', 'success', 'failed', 'canceled', 'skipped')`,
)
@Check('ck_commit_statuses_name', `char_length("name") BETWEEN 1 AND 255`)
export class CommitStatus {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_commit_statuses',
  })
  id: number;

  @ForeignKey(() => Pipeline, { name: 'fk_commit_statuses_pipeline', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'pipeline_id' })
  pipelineId: number;

  /** `default` unless outside CI gives one. */
  @Column({ type: 'text', name: 'name' })
  name: string;

  @Column({ type: 'text', name: 'state' })
  state: CommitState;

  @Column({ type: 'text', name: 'target_url', nullable: true })
  targetUrl: string | null;

  @Column({ type: 'text', name: 'description', nullable: true })
  description: string | null;

  /** Test coverage in percent. */
  @Column({ type: 'double precision', name: 'coverage', nullable: true })
  coverage: number | null;

  @Column({ type: 'boolean', name: 'allow_failure', default: false })
  allowFailure: boolean;

  /** A later one of the same name counts in its place. */
  @Column({ type: 'boolean', name: 'retried', default: false })
  retried: boolean;

  /** User who reported the status; null after their deletion. */
  @ForeignKey(() => User, { name: 'fk_commit_statuses_user', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'user_id', nullable: true })
  userId: number | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'started_at', nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'finished_at', nullable: true })
  finishedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
