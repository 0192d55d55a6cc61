import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';
import { User } from '../../identity/users/user.entity.js';
import { Group } from '../groups/group.entity.js';
import { Project } from '../projects/project.entity.js';

/** The color of labels that a text in an issue created, as in v4. */
export const DEFAULT_COLOR = '#6699cc';

/**
 * Label of a project, or of a group and everything below it. Issues and merge requests hold names
 * of labels; a trigger creates a project's labels when they are first used.
 */
@Entity('labels')
@Index('uq_labels_project_name', ['projectId', 'name'], { unique: true })
@Index('uq_labels_group_name', ['groupId', 'name'], { unique: true })
@Check('ck_labels_owner', `num_nonnulls("project_id", "group_id") = 1`)
@Check('ck_labels_name', `char_length("name") BETWEEN 1 AND 255`)
@Check('ck_labels_color', `"color" ~ '^#[0-9a-f]{6}$'`)
@Check('ck_labels_description', `char_length("description") <= 512`)
@Check('ck_labels_priority', `"priority" >= 0`)
export class Label extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_labels' })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_labels_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id', nullable: true })
  projectId: number | null;

  @ForeignKey(() => Group, { name: 'fk_labels_group', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'group_id', nullable: true })
  groupId: number | null;

  @Column({ type: 'text', name: 'name' })
  name: string;

  @Column({ type: 'text', name: 'description', nullable: true })
  description: string | null;

  /** `#rrggbb` in lower case. */
  @Column({ type: 'text', name: 'color' })
  color: string;

  /** Of project labels: the smallest number is the most important one. */
  @Column({ type: 'integer', name: 'priority', nullable: true })
  priority: number | null;
}

/** A user who is notified of issues and merge requests that get a label. */
@Entity('label_subscriptions')
@Index('ix_label_subscriptions_user', ['userId'])
export class LabelSubscription {
  @ForeignKey(() => Label, { name: 'fk_label_subscriptions_label', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'label_id',
    primaryKeyConstraintName: 'pk_label_subscriptions',
  })
  labelId: number;

  @ForeignKey(() => User, { name: 'fk_label_subscriptions_user', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'user_id',
    primaryKeyConstraintName: 'pk_label_subscriptions',
  })
  userId: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
