import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Project, NumberedColumns } from '../projects/project.entity.js';

export type MilestoneState = 'active' | 'closed';

/** Milestone of a project. */
@Entity('milestones')
@Index('ix_milestones_search', { synchronize: false })
@Index('uq_milestones_project_iid', ['projectId', 'iid'], { unique: true })
@Index('uq_milestones_project_title', ['projectId', 'title'], { unique: true })
@Index('ix_milestones_due_date', ['projectId', 'dueDate', 'id'])
@Check('ck_milestones_state', `"state" IN ('active', 'closed')`)
@Check('ck_milestones_title', `char_length("title") BETWEEN 1 AND 255`)
@Check('ck_milestones_description', `char_length("description") <= 1048576`)
@Check('ck_milestones_dates', `"start_date" <= "due_date"`)
export class Milestone extends NumberedColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_milestones' })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_milestones_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @Column({ type: 'text', name: 'state', default: 'active' })
  state: MilestoneState;

  @Column({ type: 'date', name: 'start_date', nullable: true })
  startDate: string | null;

  @Column({ type: 'date', name: 'due_date', nullable: true })
  dueDate: string | null;
}

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
