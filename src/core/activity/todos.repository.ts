import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, Repository, type EntityManager } from 'typeorm';
import { Sql } from '../sql/sql.service.js';
import { Todo, TODO_ACTIONS, TODO_COLUMNS, type TodoTarget } from './todo.entity.js';

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
