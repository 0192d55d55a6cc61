import type { Viewer } from '../../../core/access/auth-context.js';
import { Conditions } from '../../../core/sql/conditions.js';
import type { VersionedQuery } from '../../../core/sql/json-pages.service.js';
import { listedText } from '../../../core/sql/list-query.js';
import type { IssuableScope } from '../issuable.dto.js';
import type { IssueFiltersDto, ListIssuesDto } from '../issue.dto.js';
import { addState, issuableOrder, lastUpdatedSql } from './issuable-conditions.js';
import {
  addIssueFilters,
  assignedToSql,
  ISSUE_FILTERS,
  ISSUE_VERSION,
  issueColumns,
  issueVisibility,
  listedIssueTables,
  userNotesCountSql,
} from './issue-list.js';

/** The issues of a list, before visibility. */
export interface IssueSelection {
  projectId?: number;
  /** In the group's projects and below. */
  groupId?: number;
  milestoneId?: number;
  /** Only these issues. */
  ids?: readonly number[];
  scope?: IssuableScope | null;
}

/** Returns the statement of a list. */
export function issuesStatement(
  viewer: Viewer | null,
  selection: IssueSelection,
  filters: ListIssuesDto,
): VersionedQuery {
  const { where, seesInternalNotes } = selectedIssues(viewer, selection, filters);
  addState(where, ISSUE_FILTERS, filters.state);
  return {
    ...listedIssueTables({
      byGroup: selection.groupId !== undefined,
      byAuthorName: Boolean(filters.author_username),
    }),
    key: 'i.id',
    id: 'i.id',
    select: issueColumns(seesInternalNotes, listedText('i.description', 'i.id')),
    version: ISSUE_VERSION,
    fresh: userNotesCountSql(seesInternalNotes),
    where: where.toString(),
    orderBy: issuableOrder(ISSUE_FILTERS, filters, 'due_date'),
    values: where.values,
    isSearch: Boolean(filters.search),
    recent: lastUpdatedSql(ISSUE_FILTERS, selection, filters),
  };
}

/** Returns the conditions of a list or count. */
export function selectedIssues(
  viewer: Viewer | null,
  { projectId, groupId, milestoneId, ids, scope }: IssueSelection,
  filters: IssueFiltersDto,
): { where: Conditions; seesInternalNotes: string } {
  const where = new Conditions();
  const { visible, seesInternalNotes } = issueVisibility(where, viewer);
  where.and(visible);
  if (projectId !== undefined) where.and(`i.project_id = ${where.value(projectId)}`);
  if (groupId !== undefined) {
    where.and(`n.traversal_ids @> ARRAY[${where.value(groupId)}]::bigint[]`);
  }
  if (milestoneId !== undefined) where.and(`i.milestone_id = ${where.value(milestoneId)}`);
  if (ids !== undefined) where.and(`i.id = ANY(${where.value(ids)}::bigint[])`);
  const me = viewer?.id ?? null;
  if (scope === 'created_by_me') where.and(`i.author_id = ${where.value(me)}`);
  if (scope === 'assigned_to_me') where.and(assignedToSql(where.value(me)));
  addIssueFilters(where, filters);
  return { where, seesInternalNotes };
}
