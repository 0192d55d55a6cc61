import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../../workspace/projects/project.entity.js';

/** The highest number that a project has given to a merge request; deleted ones keep theirs. */
@Entity('merge_request_counters')
export class MergeRequestCounter {
  @ForeignKey(() => Project, { name: 'fk_merge_request_counters_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_merge_request_counters',
  })
  projectId: number;

  @Column({ type: 'bigint', name: 'last_iid' })
  lastIid: number;
}
