import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { NotificationDetails } from './notification-kinds.js';

/**
 * Something that users can be notified of, written in the transaction in which it happens. The
 * worker decides later who gets an email. Like events it has no foreign keys: notifications of
 * deleted targets notify no one.
 */
@Entity('notifications')
@Index('ix_notifications_waiting', ['id'], { where: '"mailed_at" IS NULL' })
export class Notification {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_notifications',
  })
  id: number;

  /** NOTIFICATION_KINDS */
  @Column({ type: 'smallint', name: 'kind' })
  kind: number;

  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  /** Null for due dates. */
  @Column({ type: 'bigint', name: 'actor_id', nullable: true })
  actorId: number | null;

  /** NOTIFICATION_TARGETS */
  @Column({ type: 'smallint', name: 'target_type' })
  targetType: number;

  /** null for commits, which the note names. */
  @Column({ type: 'bigint', name: 'target_id', nullable: true })
  targetId: number | null;

  @Column({ type: 'bigint', name: 'note_id', nullable: true })
  noteId: number | null;

  @Column({ type: 'jsonb', name: 'details', default: '{}' })
  details: NotificationDetails;

  /** Time of the emails' creation; null = not yet. */
  @Column({ type: 'timestamptz', precision: 3, name: 'mailed_at', nullable: true })
  mailedAt: Date | null;

  /** Number of failed attempts to create the emails. */
  @Column({ type: 'integer', name: 'attempts', default: 0 })
  attempts: number;

  /** When it can be tried next. */
  @Column({ type: 'timestamptz', precision: 3, name: 'not_before', default: () => 'now()' })
  notBefore: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
