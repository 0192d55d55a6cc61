import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Sql } from '../../core/sql/sql.service.js';
import { userSql } from '../../identity/users/sql/user-list.js';
import type { UserBasics } from '../../identity/users/user.presenter.js';
import { IssueStateEvent, type StateChange } from './issue.entity.js';

/** A state event with its actor. */
export interface StateEventRow {
  id: number;
  issueId: number;
  state: StateChange;
  createdAt: Date;
  user: UserBasics;
}

const COLUMNS = `e.id, e.issue_id AS "issueId", e.state, e.created_at AS "createdAt",
  ${userSql('u')} AS "user"`;

const TABLES = 'issue_state_events e JOIN users u ON u.id = e.user_id';

const INSERT_SQL = `
  INSERT INTO issue_state_events (issue_id, user_id, state)
  SELECT id, $2, $3 FROM unnest($1::bigint[]) WITH ORDINALITY AS i (id, position)
  ORDER BY position`;

/** Owns every statement about state events of issues; the caller checks access to the issue. */
@Injectable()
export class IssueStateEventsRepository extends Repository<IssueStateEvent> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(IssueStateEvent, dataSource.manager);
  }

  /** Returns one page, oldest first. */
  list(issueId: number, paging: Paging): Promise<Page<StateEventRow>> {
    return this.queries.page<StateEventRow>(
      {
        select: COLUMNS,
        from: TABLES,
        where: 'e.issue_id = $1',
        orderBy: 'e.id',
        values: [issueId],
      },
      paging,
    );
  }

  /** Throws NotFoundError for an unknown event and for one of another issue. */
  async findInIssue(issueId: number, eventId: number): Promise<StateEventRow> {
    const row = await this.queries.row<StateEventRow>(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE e.issue_id = $1 AND e.id = $2`,
      [issueId, eventId],
    );
    if (row === null) throw new NotFoundError();
    return row;
  }

  /** Inserts the same event for several issues, in the order of `issueIds`. */
  async add(
    manager: EntityManager,
    issueIds: readonly number[],
    { change, actorId }: { change: StateChange; actorId: number },
  ): Promise<void> {
    await manager.query(INSERT_SQL, [issueIds, actorId, change]);
  }
}
