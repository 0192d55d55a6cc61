import { Injectable } from '@nestjs/common';
import {
  DataSource,
  QueryFailedError,
  Repository,
  type EntityManager,
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Sql } from '../sql/sql.service.js';
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

/** The issue, merge request or alert of a to-do. */
export interface TodoTargetRef {
  type: TodoTarget;
  id: number;
}

/** A new assignee of an alert. */
interface AlertAssignment {
  alertId: number;
  userId: number;
  authorId: number;
}

const ASSIGN_ALERT_SQL = `
  INSERT INTO todos (user_id, author_id, project_id, action, alert_id)
  SELECT $2, $3, a.project_id, ${TODO_ACTIONS.assigned}, a.id FROM alerts a WHERE a.id = $1
  ON CONFLICT DO NOTHING`;

const pendingSql = (target: TodoTarget): string => `
  SELECT id FROM todos
  WHERE ${TODO_COLUMNS[target]} = $1 AND user_id = $2 AND done_at IS NULL`;

const PENDING_SQL: Record<TodoTarget, string> = {
  issue: pendingSql('issue'),
  merge_request: pendingSql('merge_request'),
  alert: pendingSql('alert'),
};

const FINISHED = 'SET done_at = now(), updated_at = now()';

/** Without effect where another to-do for the target is pending by now. */
const REOPEN_SQL = `
  UPDATE todos t SET done_at = NULL, updated_at = now()
  WHERE t.id = $2 AND t.user_id = $1 AND t.done_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM todos p WHERE p.user_id = t.user_id AND p.done_at IS NULL
      AND (p.issue_id, p.merge_request_id, p.alert_id)
        IS NOT DISTINCT FROM (t.issue_id, t.merge_request_id, t.alert_id))`;

/** Owns the statements about single to-dos of a user; `VisibleTodosRepository` lists them. */
@Injectable()
export class TodosRepository extends Repository<Todo> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Todo, dataSource.manager);
  }

  /** Returns the ID of the user's pending to-do for the target, or null. */
  async findPending(userId: number, { type, id }: TodoTargetRef): Promise<number | null> {
    const row = await this.queries.row<{ id: number }>(PENDING_SQL[type], [id, userId]);
    return row?.id ?? null;
  }

  /** Creates the to-do of a new assignee, who can read the alert; none for one's own action. */
  async assignAlert(tx: EntityManager, assignment: AlertAssignment): Promise<void> {
    const { alertId, userId, authorId } = assignment;
    if (userId !== authorId) await tx.query(ASSIGN_ALERT_SQL, [alertId, userId, authorId]);
  }

  /** Ends pending to-dos for an alert: those of one user, or all. */
  async finishAlert(tx: EntityManager, alertId: number, userId?: number): Promise<void> {
    await tx.query(
      `UPDATE todos ${FINISHED} WHERE alert_id = $1 AND done_at IS NULL
        AND ($2::bigint IS NULL OR user_id = $2)`,
      [alertId, userId ?? null],
    );
  }

  /** Marks a to-do of the user as done; without effect on one that is done. */
  async finish(userId: number, id: number): Promise<void> {
    await this.query(
      `UPDATE todos ${FINISHED} WHERE id = $2 AND user_id = $1 AND done_at IS NULL`,
      [userId, id],
    );
  }

  /** Marks all to-dos of the user as done. */
  async finishAll(userId: number): Promise<void> {
    await this.query(`UPDATE todos ${FINISHED} WHERE user_id = $1 AND done_at IS NULL`, [userId]);
  }

  /** Marks a to-do of the user as pending again. */
  async reopen(userId: number, id: number): Promise<void> {
    try {
      await this.query(REOPEN_SQL, [userId, id]);
    } catch (error) {
      // Another to-do for the target was made at the same moment.
      if (!isPendingConflict(error)) throw error;
    }
  }
}

function isPendingConflict(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { constraint = '' } = error.driverError as { constraint?: string };
  return constraint.startsWith('uq_todos_pending_');
}
