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
import { subscribedToMergeRequestSql } from '../subscriptions/subscriptions.repository.js';
import type { IssuableScope } from '../issues/issuable.dto.js';
import type { ListMergeRequestsDto } from './merge-request-filters.dto.js';
import { mergeRequestVisibility } from './merge-request-access.js';
import { addMergeRequestFilters, addState, mergeRequestOrder } from './merge-request-filters.js';
import { personSql } from './merge-request-people-filters.js';
import {
  MERGE_REQUEST_TABLES,
  mergeRequestColumns,
  type FoundMergeRequest,
  type MergeRequestRow,
} from './merge-request-row.js';

/** Which merge requests a list is about, before visibility; everyone's unless a scope says otherwise. */
export interface MergeRequestSelection {
  projectId?: number;
  milestoneId?: number;
  scope?: IssuableScope | null;
}

/** Number of merge requests by state. */
export interface MergeRequestCounts {
  all: number;
  opened: number;
  closed: number;
  merged: number;
}

/** Reads merge requests as their viewer can see them; visibility is part of each statement. */
@Injectable()
export class MergeRequestsFinder {
  constructor(private readonly sql: Sql) {}

  /** Newest first unless asked otherwise; 400 for filters that exclude each other. */
  list(
    viewer: Viewer | null,
    selection: MergeRequestSelection,
    { filters, paging }: { filters: ListMergeRequestsDto; paging: Paging },
  ): Promise<Page<MergeRequestRow>> {
    const { where, seesInternalNotes } = selected(viewer, selection, filters);
    addState(where, filters);
    return this.sql.page<MergeRequestRow>(
      {
        key: 'r.id',
        select: mergeRequestColumns(seesInternalNotes, listedText('r.description', 'r.id')),
        from: MERGE_REQUEST_TABLES,
        where: where.toString(),
        orderBy: mergeRequestOrder(filters),
        values: where.values,
      },
      paging,
    );
  }

  /** Counts what a list without a state would find. */
  async count(
    viewer: Viewer | null,
    selection: MergeRequestSelection,
    filters: ListMergeRequestsDto,
  ): Promise<MergeRequestCounts> {
    const { where } = selected(viewer, selection, filters);
    const ofState = (state: string): string =>
      `count(*) FILTER (WHERE r.state = '${state}')::int AS ${state}`;
    const [counts] = await this.sql.rows<MergeRequestCounts>(
      `SELECT count(*)::int AS "all", ${['opened', 'closed', 'merged'].map(ofState).join(', ')}
       FROM ${MERGE_REQUEST_TABLES} WHERE ${where.toString()}`,
      where.values,
    );
    return counts ?? { all: 0, opened: 0, closed: 0, merged: 0 };
  }

  /** The one with that number in the project; 404 also for what the viewer cannot see. */
  async find(viewer: Viewer | null, projectId: number, iid: number): Promise<FoundMergeRequest> {
    const where = new Conditions();
    where.and(`r.project_id = ${where.value(projectId)} AND r.iid = ${where.value(iid)}`);
    const { visible, seesInternalNotes } = mergeRequestVisibility(where, viewer);
    where.and(visible);
    const row = await this.sql.row<FoundMergeRequest>(
      `SELECT ${mergeRequestColumns(seesInternalNotes)},
         ${askerColumns(where, viewer, seesInternalNotes)}
       FROM ${MERGE_REQUEST_TABLES} WHERE ${where.toString()}`,
      where.values,
    );
    if (row === null) throw new NotFoundError();
    return row;
  }
}

/** Columns of a FoundMergeRequest about its viewer. */
function askerColumns(where: Conditions, viewer: Viewer | null, seesInternalNotes: string): string {
  if (viewer === null) return '0 AS "accessLevel", false AS subscribed';
  const userId = where.value(viewer.id);
  const accessLevel = accessLevelSql(userId, 'n', 'p.id');
  const isMember = `${accessLevel} > ${NO_ACCESS}`;
  const subscriber = { row: 'r', userId, seesInternalNotes, isMember };
  return `${accessLevel} AS "accessLevel", ${subscribedToMergeRequestSql(subscriber)} AS subscribed`;
}

function selected(
  viewer: Viewer | null,
  { projectId, milestoneId, scope }: MergeRequestSelection,
  filters: ListMergeRequestsDto,
): { where: Conditions; seesInternalNotes: string } {
  const where = new Conditions();
  const { visible, seesInternalNotes } = mergeRequestVisibility(where, viewer);
  where.and(visible);
  if (projectId !== undefined) where.and(`r.project_id = ${where.value(projectId)}`);
  if (milestoneId !== undefined) where.and(`r.milestone_id = ${where.value(milestoneId)}`);
  const me = viewer?.id ?? null;
  if (scope === 'created_by_me') where.and(`r.author_id = ${where.value(me)}`);
  if (scope === 'assigned_to_me') where.and(personSql('assignee', where.value(me)));
  addMergeRequestFilters(where, filters);
  return { where, seesInternalNotes };
}
