import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../workspace/projects/project.entity.js';
import { TrackedError } from './tracked-error.entity.js';

/**
 * Number of an error's stored events per tag value. Environment, release, level and system details
 * count as tags.
 */
@Entity('error_tags')
@Index('ix_error_tags_value', ['projectId', 'key', 'value', 'errorId'])
export class ErrorTag {
  @ForeignKey(() => TrackedError, { name: 'fk_error_tags_error', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'bigint', name: 'error_id', primaryKeyConstraintName: 'pk_error_tags' })
  errorId: number;

  /** Up to 32 characters. */
  @PrimaryColumn({ type: 'text', name: 'key', primaryKeyConstraintName: 'pk_error_tags' })
  key: string;

  /** Up to 200 characters. */
  @PrimaryColumn({ type: 'text', name: 'value', primaryKeyConstraintName: 'pk_error_tags' })
  value: string;

  @ForeignKey(() => Project, { name: 'fk_error_tags_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @Column({ type: 'bigint', name: 'events_count' })
  eventsCount: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'last_seen_at' })
  lastSeenAt: Date;
}
