import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** The highest number that a project has given to an issue; deleted issues keep theirs. */
@Entity('issue_counters')
export class IssueCounter {
  @ForeignKey(() => Project, { name: 'fk_issue_counters_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_issue_counters',
  })
  projectId: number;

  @Column({ type: 'bigint', name: 'last_iid' })
  lastIid: number;
}
