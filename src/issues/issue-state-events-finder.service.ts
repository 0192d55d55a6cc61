import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Sql } from '../core/sql/sql.service.js';
import { userSql } from '../users/sql/user-list.js';
import type { StateEventRow } from './issue-state-event.presenter.js';

const SELECT = `e.id, e.issue_id AS "issueId", e.state, e.created_at AS "createdAt",
  ${userSql('u')} AS "user"`;

const TABLES = 'issue_state_events e JOIN users u ON u.id = e.user_id';

/** Reads who closed and reopened issues; whether the asker sees the issue is for the caller. */
@Injectable()
export class IssueStateEventsFinder {
  constructor(private readonly sql: Sql) {}

  /** Oldest first. */
  list(issueId: number, paging: Paging): Promise<Page<StateEventRow>> {
    return this.sql.page<StateEventRow>(
      {
        select: SELECT,
        from: TABLES,
        where: 'e.issue_id = $1',
        orderBy: 'e.id',
        values: [issueId],
      },
      paging,
    );
  }

  /** 404 for an event of another issue too. */
  async find(issueId: number, eventId: number): Promise<StateEventRow> {
    const row = await this.sql.row<StateEventRow>(
      `SELECT ${SELECT} FROM ${TABLES} WHERE e.issue_id = $1 AND e.id = $2`,
      [issueId, eventId],
    );
    if (row === null) throw new NotFoundError();
    return row;
  }
}
