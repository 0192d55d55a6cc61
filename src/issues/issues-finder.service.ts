import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import { listedText } from '../core/sql/listed-text.js';
import { Sql } from '../core/sql/sql.service.js';
import { accessLevelSql } from '../members/sql/access.js';
import { NO_ACCESS } from '../members/roles.js';
import { subscribedToIssueSql } from '../subscriptions/subscriptions.repository.js';
import type { IssueFiltersDto, IssueScope } from './dto/issue-filters.dto.js';
import type { ListIssuesDto } from './dto/list-issues.dto.js';
import { issueVisibility } from './issue-access.js';
import { addIssueFilters, addState, issueOrder } from './issue-filters.js';
import { assignedToSql } from './issue-people-filters.js';
import { issueColumns, ISSUE_TABLES, type FoundIssue, type IssueRow } from './issue-row.js';

/** Which issues a list is about, before visibility; everybody's unless a scope says otherwise. */
export interface IssueSelection {
  projectId?: number;
  milestoneId?: number;
  scope?: IssueScope | null;
}

/** How many issues there are, by state. */
export interface IssueCounts {
  all: number;
  closed: number;
  opened: number;
}

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
    const { where, seesInternalNotes } = selected(viewer, selection, filters);
    addState(where, filters);
    return this.sql.page<IssueRow>(
      {
        key: 'i.id',
        select: issueColumns(seesInternalNotes, listedText('i.description', 'i.id')),
        from: ISSUE_TABLES,
        where: where.toString(),
        orderBy: issueOrder(filters),
        values: where.values,
      },
      paging,
    );
  }

  /** Counts what a list without a state would find. */
  async count(
    viewer: Viewer | null,
    selection: IssueSelection,
    filters: IssueFiltersDto,
  ): Promise<IssueCounts> {
    const { where } = selected(viewer, selection, filters);
    const [counts] = await this.sql.rows<IssueCounts>(
      `SELECT count(*)::int AS "all", count(*) FILTER (WHERE i.state = 'closed')::int AS closed,
         count(*) FILTER (WHERE i.state = 'opened')::int AS opened
       FROM ${ISSUE_TABLES} WHERE ${where.toString()}`,
      where.values,
    );
    return counts ?? { all: 0, closed: 0, opened: 0 };
  }

  /** The issue with that number in the project; 404 also for what the asker may not see. */
  async find(viewer: Viewer | null, projectId: number, iid: number): Promise<FoundIssue> {
    const where = new Conditions();
    where.and(`i.project_id = ${where.value(projectId)} AND i.iid = ${where.value(iid)}`);
    const { visible, seesInternalNotes } = issueVisibility(where, viewer);
    where.and(visible);
    const row = await this.sql.row<FoundIssue>(
      `SELECT ${issueColumns(seesInternalNotes)},
         ${askerColumns(where, viewer, seesInternalNotes)}
       FROM ${ISSUE_TABLES} WHERE ${where.toString()}`,
      where.values,
    );
    if (row === null) throw new NotFoundError();
    return row;
  }
}

/** Columns of a FoundIssue about its asker. */
function askerColumns(
  conditions: Conditions,
  viewer: Viewer | null,
  seesInternalNotes: string,
): string {
  if (viewer === null) return '0 AS "accessLevel", false AS subscribed';
  const userId = conditions.value(viewer.id);
  const accessLevel = accessLevelSql(userId, 'n', 'p.id');
  const isMember = `${accessLevel} > ${NO_ACCESS}`;
  const subscriber = { row: 'i', userId, seesInternalNotes, isMember };
  return `${accessLevel} AS "accessLevel", ${subscribedToIssueSql(subscriber)} AS subscribed`;
}

function selected(
  viewer: Viewer | null,
  { projectId, milestoneId, scope }: IssueSelection,
  filters: IssueFiltersDto,
): { where: Conditions; seesInternalNotes: string } {
  const where = new Conditions();
  const { visible, seesInternalNotes } = issueVisibility(where, viewer);
  where.and(visible);
  if (projectId !== undefined) where.and(`i.project_id = ${where.value(projectId)}`);
  if (milestoneId !== undefined) where.and(`i.milestone_id = ${where.value(milestoneId)}`);
  const me = viewer?.id ?? null;
  if (scope === 'created_by_me') where.and(`i.author_id = ${where.value(me)}`);
  if (scope === 'assigned_to_me') where.and(assignedToSql(where.value(me)));
  addIssueFilters(where, filters);
  return { where, seesInternalNotes };
}
