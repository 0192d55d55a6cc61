import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import {
  type TodoTargetRef,
  Todo,
  TODO_ACTIONS,
  TODO_TARGETS,
  TODO_TYPES,
  type TodoTarget,
} from '../../core/activity/todos.repository.js';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import { userSql } from '../../identity/users/sql/user-list.js';
import type { UserBasics } from '../../identity/users/user.presenter.js';
import { addTodoSql, TODO_TABLES, VISIBLE_TODO } from '../../notifications/sql/todos.js';
import type { ListTodosDto } from './todo.dto.js';

const ACTIONS: Partial<Record<string, number>> = TODO_ACTIONS;
const TARGETS: Partial<Record<string, TodoTarget>> = TODO_TYPES;
/** Number of no action and of no type of target. */
const NONE = 0;

/** Characters of a comment that a list shows. */
const BODY_LENGTH = 10_000;

/** A to-do with its target, as lists show it. */
export interface TodoRow extends Pick<
  Todo,
  'id' | 'projectId' | 'issueId' | 'mergeRequestId' | 'alertId' | 'noteId' | 'doneAt'
> {
  /** One of TODO_ACTIONS. */
  action: number;
  createdAt: Date;
  updatedAt: Date;
  author: UserBasics;
  /** Number, title and state of the target; alerts have the number of their status. */
  iid: number;
  title: string;
  state: string;
  /** Markdown of the comment that mentions the user; null without one. */
  body: string | null;
  projectName: string;
  projectPath: string;
  projectDescription: string | null;
  projectCreatedAt: Date;
  issuesEnabled: boolean;
  namespacePath: string;
  namespaceName: string;
}

const COLUMNS = `o.id, o.project_id AS "projectId", o.issue_id AS "issueId",
  o.merge_request_id AS "mergeRequestId", o.alert_id AS "alertId", o.note_id AS "noteId",
  o.action, o.done_at AS "doneAt", o.created_at AS "createdAt", o.updated_at AS "updatedAt",
  ${userSql('author')} AS author, coalesce(i.iid, r.iid, al.iid) AS iid,
  coalesce(i.title, r.title, al.title) AS title,
  coalesce(i.state::text, r.state::text, al.status::text) AS state,
  left(k.body, ${BODY_LENGTH}) AS body, p.name AS "projectName", p.path AS "projectPath",
  p.description AS "projectDescription", p.created_at AS "projectCreatedAt",
  p.issues_enabled AS "issuesEnabled", n.full_path AS "namespacePath",
  n.full_name AS "namespaceName"`;

const JOINS = `JOIN users author ON author.id = o.author_id
  LEFT JOIN issues i ON i.id = o.issue_id
  LEFT JOIN merge_requests r ON r.id = o.merge_request_id
  LEFT JOIN alerts al ON al.id = o.alert_id
  LEFT JOIN notes k ON k.id = o.note_id`;

const FIND_SQL = `SELECT ${COLUMNS} FROM ${TODO_TABLES} ${JOINS}
  WHERE o.user_id = $1 AND o.id = $2 AND ${VISIBLE_TODO}`;

const ADD_SQL: Record<TodoTarget, string> = {
  issue: addTodoSql('issue'),
  merge_request: addTodoSql('merge_request'),
  alert: addTodoSql('alert'),
};

/** Lists to-dos whose targets their user can read; others exist but are not shown. */
@Injectable()
export class VisibleTodosRepository extends Repository<Todo> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Todo, dataSource.manager);
  }

  /** Returns one page of the user's to-dos, newest first. */
  async list(userId: number, filters: ListTodosDto, paging: Paging): Promise<Page<TodoRow>> {
    const where = await this.ofUser(userId, filters.state === 'done' ? 'NOT NULL' : 'NULL');
    addFilters(where, filters);
    return this.queries.page<TodoRow>(
      {
        select: COLUMNS,
        from: TODO_TABLES,
        joins: JOINS,
        where: where.and(VISIBLE_TODO).toString(),
        orderBy: 'o.id DESC',
        values: where.values,
      },
      paging,
    );
  }

  /**
   * Returns the condition for a user's to-dos. Most users have few, which are named: by ids that the
   * planner does not see it keeps the plan of the list, which takes longer to make than to run.
   */
  private async ofUser(userId: number, done: 'NULL' | 'NOT NULL'): Promise<Conditions> {
    const where = new Conditions().and(`o.done_at IS ${done}`);
    const own = `SELECT id FROM todos WHERE user_id = $1 AND done_at IS ${done}`;
    const ids = await this.queries.fewIds(own, [userId]);
    return ids === null
      ? where.and(`o.user_id = ${where.value(userId)}`)
      : where.and(`o.id = ANY((SELECT ${where.value(ids)}::bigint[])::bigint[])`);
  }

  /** Throws NotFoundError for another user's to-do and for one that the user cannot see. */
  async findOwn(userId: number, id: number): Promise<TodoRow> {
    const row = await this.queries.row<TodoRow>(FIND_SQL, [userId, id]);
    if (row === null) throw new NotFoundError();
    return row;
  }

  /**
   * Adds a to-do of the user's own and returns its ID; null when one is pending for the target, or
   * the user cannot read it.
   */
  async add(userId: number, target: TodoTargetRef & { projectId: number }): Promise<number | null> {
    const values = [userId, target.id, target.projectId];
    const row = await this.queries.row<{ id: number }>(ADD_SQL[target.type], values);
    return row?.id ?? null;
  }
}

function addFilters(where: Conditions, filters: ListTodosDto): void {
  const { action, author_id: author, project_id: project, group_id: group, type } = filters;
  if (action) where.and(`o.action = ${where.value(ACTIONS[action] ?? NONE)}`);
  if (typeof author === 'number') where.and(`o.author_id = ${where.value(author)}`);
  if (typeof project === 'number') where.and(`o.project_id = ${where.value(project)}`);
  if (typeof group === 'number')
    where.and(`n.traversal_ids @> ARRAY[${where.value(group)}::bigint]`);
  if (type) {
    const target = TARGETS[type];
    const number = target === undefined ? NONE : TODO_TARGETS[target];
    where.and(`o.target_type = ${where.value(number)}`);
  }
}
