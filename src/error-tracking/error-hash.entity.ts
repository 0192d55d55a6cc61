import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../workspace/projects/project.entity.js';
import { TrackedError } from './tracked-error.entity.js';

/** Grouping hash of an error; an error has one for each that its events had. */
@Entity('error_hashes')
@Index('ix_error_hashes_error', ['errorId'])
export class ErrorHash {
  @ForeignKey(() => Project, { name: 'fk_error_hashes_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_error_hashes',
  })
  projectId: number;

  /** 16 bytes; the version of the rules that made it goes into it. */
  @PrimaryColumn({ type: 'bytea', name: 'hash', primaryKeyConstraintName: 'pk_error_hashes' })
  hash: Buffer;

  @ForeignKey(() => TrackedError, { name: 'fk_error_hashes_error', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'error_id' })
  errorId: number;

  /** Version of the rules. */
  @Column({ type: 'smallint', name: 'version' })
  version: number;
}
