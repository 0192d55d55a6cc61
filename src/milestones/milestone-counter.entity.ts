import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** The highest number that a project has given to a milestone; deleted ones keep theirs. */
@Entity('milestone_counters')
export class MilestoneCounter {
  @ForeignKey(() => Project, { name: 'fk_milestone_counters_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_milestone_counters',
  })
  projectId: number;

  @Column({ type: 'bigint', name: 'last_iid' })
  lastIid: number;
}
