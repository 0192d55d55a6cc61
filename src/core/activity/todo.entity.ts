import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../sql/timestamp-columns.js';

/** Stored reasons of to-dos; the numbers are those of version 4. */
export const TODO_ACTIONS = {
  assigned: 1,
  mentioned: 2,
  marked: 4,
  review_requested: 9,
} as const;
export type TodoAction = keyof typeof TODO_ACTIONS;

/** Stored target types of to-dos; those of notifications share their numbers. */
export const TODO_TARGETS = { issue: 1, merge_request: 2, alert: 10 } as const;
export type TodoTarget = keyof typeof TODO_TARGETS;

/** Columns of the targets. */
export const TODO_COLUMNS: Record<TodoTarget, string> = {
  issue: 'issue_id',
  merge_request: 'merge_request_id',
  alert: 'alert_id',
};

/** Target types in the words of version 4. */
export const TODO_TYPES = {
  Issue: 'issue',
  MergeRequest: 'merge_request',
  'AlertManagement::Alert': 'alert',
} as const satisfies Record<string, TodoTarget>;
export type TodoType = keyof typeof TODO_TYPES;

/**
 * A task of one user about an issue, a merge request or an alert. A user has at most one pending
 * to-do per target. Nothing is kept about access: listings check it.
 */
@Entity('todos')
@Index('uq_todos_pending_issue', ['issueId', 'userId'], {
  unique: true,
  where: '"issue_id" IS NOT NULL AND "done_at" IS NULL',
})
@Index('uq_todos_pending_merge_request', ['mergeRequestId', 'userId'], {
  unique: true,
  where: '"merge_request_id" IS NOT NULL AND "done_at" IS NULL',
})
@Index('uq_todos_pending_alert', ['alertId', 'userId'], {
  unique: true,
  where: '"alert_id" IS NOT NULL AND "done_at" IS NULL',
})
@Index('ix_todos_user_pending', ['userId', 'id'], { where: '"done_at" IS NULL' })
@Index('ix_todos_user', ['userId', 'id'])
@Index('ix_todos_author', ['authorId'])
@Index('ix_todos_project', ['projectId'])
@Index('ix_todos_issue', ['issueId'], { where: '"issue_id" IS NOT NULL' })
@Index('ix_todos_merge_request', ['mergeRequestId'], { where: '"merge_request_id" IS NOT NULL' })
@Index('ix_todos_alert', ['alertId'], { where: '"alert_id" IS NOT NULL' })
@Index('ix_todos_note', ['noteId'], { where: '"note_id" IS NOT NULL' })
@Check('ck_todos_action', `"action" IN (1, 2, 4, 9)`)
@Check('ck_todos_target', `num_nonnulls("issue_id", "merge_request_id", "alert_id") = 1`)
export class Todo extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_todos' })
  id: number;

  @ForeignKey('User', { name: 'fk_todos_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  /** User whose action caused it; the user for their own. */
  @ForeignKey('User', { name: 'fk_todos_author', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'author_id' })
  authorId: number;

  @ForeignKey('Project', { name: 'fk_todos_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  /** TODO_ACTIONS */
  @Column({ type: 'smallint', name: 'action' })
  action: number;

  @ForeignKey('Issue', { name: 'fk_todos_issue', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'issue_id', nullable: true })
  issueId: number | null;

  @ForeignKey('MergeRequest', { name: 'fk_todos_merge_request', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'merge_request_id', nullable: true })
  mergeRequestId: number | null;

  @ForeignKey('Alert', { name: 'fk_todos_alert', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'alert_id', nullable: true })
  alertId: number | null;

  /** The comment that mentions the user. */
  @ForeignKey('Note', { name: 'fk_todos_note', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'note_id', nullable: true })
  noteId: number | null;

  /** null = pending. */
  @Column({ type: 'timestamptz', precision: 3, name: 'done_at', nullable: true })
  doneAt: Date | null;
}
