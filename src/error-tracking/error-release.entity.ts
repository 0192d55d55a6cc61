import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../workspace/projects/project.entity.js';

/** A release that events of a project named, in the order of first sight. */
@Entity('error_releases')
@Index('ix_error_releases_position', ['projectId', 'position'])
export class ErrorRelease {
  @ForeignKey(() => Project, { name: 'fk_error_releases_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_error_releases',
  })
  projectId: number;

  /** Up to 250 characters. */
  @PrimaryColumn({ type: 'text', name: 'version', primaryKeyConstraintName: 'pk_error_releases' })
  version: string;

  /** Releases that were seen later have a higher one. */
  @Column({ type: 'bigint', name: 'position', generated: 'identity' })
  position: number;
}
