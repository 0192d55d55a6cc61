import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../workspace/projects/project.entity.js';

/** The highest number that a project has given to an alert. */
@Entity('alert_counters')
export class AlertCounter {
  @ForeignKey(() => Project, { name: 'fk_alert_counters_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_alert_counters',
  })
  projectId: number;

  @Column({ type: 'bigint', name: 'last_iid' })
  lastIid: number;
}
