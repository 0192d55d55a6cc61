import { Injectable } from '@nestjs/common';
import {
  DataSource,
  Repository,
  type EntityManager,
  Column,
  Entity,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { queryPrepared } from '../sql/pg-driver.js';

/** Stored kinds of notifications; notification settings and emails use the same names. */
export const NOTIFICATION_KINDS = {
  new_note: 1,
  new_issue: 2,
  reopen_issue: 3,
  close_issue: 4,
  reassign_issue: 5,
  issue_due: 6,
  new_merge_request: 7,
  push_to_merge_request: 8,
  reopen_merge_request: 9,
  close_merge_request: 10,
  reassign_merge_request: 11,
  merge_merge_request: 12,
  failed_pipeline: 13,
  fixed_pipeline: 14,
  success_pipeline: 15,
  moved_project: 16,
  merge_when_pipeline_succeeds: 17,
  change_reviewer_merge_request: 19,
  mention_in_issue: 20,
  mention_in_merge_request: 21,
  change_milestone_issue: 22,
  change_milestone_merge_request: 23,
  relabel_issue: 24,
  relabel_merge_request: 25,
} as const;
export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

/** Stored target types of notifications; those that events have too share their numbers. */
export const NOTIFICATION_TARGETS = {
  issue: 1,
  merge_request: 2,
  project: 5,
  snippet: 6,
  commit: 8,
  pipeline: 9,
} as const;
export type NotificationTarget = keyof typeof NOTIFICATION_TARGETS;

/** Users and groups that a text mentions: `@name`, `@group`, `@all`. */
export interface MentionTargets {
  userIds: number[];
  namespaceIds: number[];
  /** All members of the project. */
  all: boolean;
}

/**
 * Details that emails need and that cannot be read later. IDs and labels only: texts are read when
 * the email is sent.
 */
export interface NotificationDetails {
  /** Users who were added to or removed from the assignees or reviewers. */
  added?: number[];
  removed?: number[];
  /** Users whom a change of title or description mentions for the first time. */
  named?: MentionTargets;
  /** Where the branch of a merge request was and is: object ids. */
  from?: string;
  to?: string;
  /** Names of labels that were added. */
  labels?: string[];
  /** Full path that the project had. */
  formerPath?: string;
}

/** Something that users can be notified of by email. */
export interface NewNotification {
  kind: NotificationKind;
  projectId: number;
  /** User who caused the notification; null for due dates. */
  actorId: number | null;
  /** Commits have no id: their note names them. */
  target: { type: NotificationTarget; id: number | null };
  /** Of new_note. */
  noteId?: number;
  details?: NotificationDetails;
}

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

/** A day (UTC) whose reminders about issues due on the next day are recorded. */
@Entity('due_date_reminders')
export class DueDateReminder {
  @PrimaryColumn({ type: 'date', name: 'day', primaryKeyConstraintName: 'pk_due_date_reminders' })
  day: string;
}

const NAMES = 'kind, project_id, actor_id, target_type, target_id, note_id, details';

/** For a single notification, as nearly all are. */
const INSERT_ONE_SQL = `INSERT INTO notifications (${NAMES}) VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/** Values: an array for each column. */
const INSERT_SQL = `
  INSERT INTO notifications (${NAMES})
  SELECT ${NAMES} FROM
    unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::bigint[], $6::bigint[],
      $7::jsonb[]) WITH ORDINALITY
    AS n (${NAMES}, position)
  ORDER BY position`;

/**
 * Owns the statements about notifications alone; those that find recipients belong to
 * notifications.
 */
@Injectable()
export class NotificationsRepository extends Repository<Notification> {
  constructor(dataSource: DataSource) {
    super(Notification, dataSource.manager);
  }

  /** Records notifications in the order given. */
  async record(manager: EntityManager, notifications: readonly NewNotification[]): Promise<void> {
    const values = notifications.map((one) => [
      NOTIFICATION_KINDS[one.kind],
      one.projectId,
      one.actorId,
      NOTIFICATION_TARGETS[one.target.type],
      one.target.id,
      one.noteId ?? null,
      JSON.stringify(one.details ?? {}),
    ]);
    const [first] = values;
    if (first === undefined) return;
    if (values.length === 1) {
      const one = { name: 'record-notification', text: INSERT_ONE_SQL, values: first };
      await queryPrepared(manager, one);
      return;
    }
    const columns = first.map((_, column) => values.map((row) => row[column]));
    const all = { name: 'record-notifications', text: INSERT_SQL, values: columns };
    await queryPrepared(manager, all);
  }
}
