import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

export type BackgroundJobKind = 'project_move' | 'snippet_move';

/**
 * One piece of work in the background of a project, in one space of ids for all kinds. Only names
 * the row that holds the work's state; written by triggers together with that row.
 */
@Entity('background_jobs')
@Index('uq_background_jobs_subject', ['kind', 'subjectId'], { unique: true })
@Index('ix_background_jobs_project', ['projectId', 'id'])
@Check('ck_background_jobs_kind', `"kind" IN ('project_move', 'snippet_move')`)
export class BackgroundJob {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_background_jobs',
  })
  id: number;

  @ForeignKey('Project', { name: 'fk_background_jobs_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @Column({ type: 'text', name: 'kind' })
  kind: BackgroundJobKind;

  /** ID of the storage move. */
  @Column({ type: 'bigint', name: 'subject_id' })
  subjectId: number;
}
