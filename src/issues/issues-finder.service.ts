import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { accessLevelSql } from '../members/member-access.service.js';
import type { ListIssuesDto } from './dto/list-issues.dto.js';
import { visibleIssueSql } from './issue-access.js';
import { addIssueFilters, issueOrder } from './issue-filters.js';
import { ISSUE_COLUMNS, ISSUE_TABLES, type FoundIssue, type IssueRow } from './issue-row.js';

/** Which issues a list is about, before visibility; `none` finds nothing. */
export type IssueSelection = 'all' | 'own' | 'none' | { projectId: number };

/** Reads issues as their asker may see them; visibility is part of each statement. */
@Injectable()
export class IssuesFinder {
  constructor(private readonly sql: Sql) {}

  /** Newest first unless asked otherwise; 400 for filters that exclude each other. */
  list(
    viewer: Viewer | null,
    selection: IssueSelection,
    { filters, paging }: { filters: ListIssuesDto; paging: Paging },
  ): Promise<Page<IssueRow>> {
    const where = new Conditions();
    where.and(visibleIssueSql(where, viewer));
    select(where, selection, viewer);
    addIssueFilters(where, filters);
    return this.sql.page<IssueRow>(
      {
        key: 'i.id',
        select: ISSUE_COLUMNS,
        from: ISSUE_TABLES,
        where: where.toString(),
        orderBy: issueOrder(filters),
        values: where.values,
      },
      paging,
    );
  }

  /** The issue with that number in the project; 404 also for what the asker may not see. */
  async find(viewer: Viewer | null, projectId: number, iid: number): Promise<FoundIssue> {
    const where = new Conditions();
    where.and(`i.project_id = ${where.value(projectId)} AND i.iid = ${where.value(iid)}`);
    where.and(visibleIssueSql(where, viewer));
    const level = viewer === null ? '0' : accessLevelSql(where.value(viewer.id), 'n', 'p.id');
    const row = await this.sql.row<FoundIssue>(
      `SELECT ${ISSUE_COLUMNS}, ${level} AS "accessLevel"
       FROM ${ISSUE_TABLES} WHERE ${where.toString()}`,
      where.values,
    );
    if (row === null) throw new NotFoundError();
    return row;
  }
}

function select(where: Conditions, selection: IssueSelection, viewer: Viewer | null): void {
  if (typeof selection === 'object') {
    where.and(`i.project_id = ${where.value(selection.projectId)}`);
    return;
  }
  if (selection === 'own') where.and(`i.author_id = ${where.value(viewer?.id ?? null)}`);
  if (selection === 'none') where.and('false');
}
