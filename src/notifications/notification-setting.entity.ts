import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../core/sql/timestamp-columns.js';
import { Namespace } from '../identity/users/namespace.entity.js';
import { User } from '../identity/users/user.entity.js';
import { NOTIFICATION_LEVELS } from '../workspace/subscriptions/notification-levels.js';
import { DEFAULT_EVENTS } from './notification-values.js';

/**
 * Which emails a user wants: for one project, for one group, or everywhere else (neither is set). A
 * missing row is one with the level `global`, everywhere else `participating`.
 */
@Entity('notification_settings')
@Index('uq_notification_settings_user', ['userId'], {
  unique: true,
  where: 'num_nonnulls("project_id", "namespace_id") = 0',
})
@Index('uq_notification_settings_project_user', ['projectId', 'userId'], {
  unique: true,
  where: '"project_id" IS NOT NULL',
})
@Index('uq_notification_settings_namespace_user', ['namespaceId', 'userId'], {
  unique: true,
  where: '"namespace_id" IS NOT NULL',
})
@Index('ix_notification_settings_user', ['userId', 'id'])
@Check('ck_notification_settings_source', `num_nonnulls("project_id", "namespace_id") <= 1`)
@Check('ck_notification_settings_level', `"level" BETWEEN 0 AND 5`)
@Check('ck_notification_settings_events', `"events" BETWEEN 0 AND 262143`)
@Check('ck_notification_settings_email', `"email" IS NULL OR "project_id" IS NULL`)
@Check(
  'ck_notification_settings_own_activity',
  `NOT "own_activity" OR num_nonnulls("project_id", "namespace_id") = 0`,
)
@Check('ck_notification_settings_alert_emails', `"alert_emails" OR "project_id" IS NOT NULL`)
export class NotificationSetting extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_notification_settings',
  })
  id: number;

  @ForeignKey(() => User, { name: 'fk_notification_settings_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @ForeignKey('Project', { name: 'fk_notification_settings_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id', nullable: true })
  projectId: number | null;

  /** A group. */
  @ForeignKey(() => Namespace, { name: 'fk_notification_settings_namespace', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'namespace_id', nullable: true })
  namespaceId: number | null;

  /** NOTIFICATION_LEVELS */
  @Column({ type: 'smallint', name: 'level', default: NOTIFICATION_LEVELS.global })
  level: number;

  /** Bits of EMAIL_EVENTS that are on; they count while the level is `custom`. */
  @Column({ type: 'integer', name: 'events', default: DEFAULT_EVENTS })
  events: number;

  /** One of the user's addresses that emails go to; null or not confirmed = that of a level above. */
  @Column({ type: 'text', name: 'email', nullable: true })
  email: string | null;

  /** Notifies users about their own activity. */
  @Column({ type: 'boolean', name: 'own_activity', default: false })
  ownActivity: boolean;

  /** Alert emails of the project are on. */
  @Column({ type: 'boolean', name: 'alert_emails', default: true })
  alertEmails: boolean;
}
