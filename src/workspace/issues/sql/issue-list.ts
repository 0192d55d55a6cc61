import type { Viewer } from '../../../core/access/auth-context.js';
import { Conditions } from '../../../core/sql/conditions.js';
import { rowVersion, type VersionedQuery } from '../../../core/sql/json-pages.service.js';
import { listedText } from '../../../core/sql/list-query.js';
import type { ProjectAbility } from '../../../identity/members/abilities.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import { userSql } from '../../../identity/users/sql/user-list.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import {
  joinedMilestoneSql,
  joinedMilestoneVersionSql,
  type JoinedMilestone,
} from '../../milestones/milestones.repository.js';
import type { IssuableScope } from '../issuable.dto.js';
import type { DueDateFilter, IssueFiltersDto, ListIssuesDto } from '../issue.dto.js';
import type { Issue } from '../issue.entity.js';
import {
  abilitySql,
  addIssuableFilters,
  addState,
  hasRoleSql,
  issuableOrder,
  issuableReading,
  type IssuableTables,
} from './issuable-conditions.js';

/** Attributes of an issue that users write. */
export type IssueAttributes = Pick<
  Issue,
  | 'title'
  | 'description'
  | 'confidential'
  | 'issueType'
  | 'severity'
  | 'labels'
  | 'dueDate'
  | 'discussionLocked'
>;

/** An issue with its people, milestone and project, read in one statement. */
export interface IssueRow
  extends
    IssueAttributes,
    Pick<Issue, 'id' | 'iid' | 'state' | 'closedAt' | 'createdAt' | 'updatedAt' | 'projectId'> {
  author: UserBasics;
  closedBy: UserBasics | null;
  /** In the order of their ids. */
  assignees: UserBasics[];
  milestone: JoinedMilestone | null;
  /** Comments visible to the viewer, without system notes. */
  userNotesCount: number;
  projectPath: string;
  projectFullPath: string;
}

/** An issue, the viewer's effective level in its project, and their subscription. */
export interface FoundIssue extends IssueRow {
  accessLevel: number;
  subscribed: boolean;
}

/** Columns of an IssueRow; `seesInternalNotes` is the viewer's right to them, as SQL. */
export const issueColumns = (seesInternalNotes: string, description = 'i.description'): string => `
  i.id, i.iid, i.title, ${description} AS description, i.state, i.confidential,
  i.issue_type AS "issueType", i.severity, i.labels, i.due_date AS "dueDate",
  i.discussion_locked AS "discussionLocked",
  i.closed_at AS "closedAt", i.created_at AS "createdAt", i.updated_at AS "updatedAt",
  ${userSql('author')} AS author,
  CASE WHEN closer.id IS NULL THEN NULL ELSE ${userSql('closer')} END AS "closedBy",
  (SELECT coalesce(json_agg(${userSql('assigned')} ORDER BY assigned.id), '[]')
   FROM issue_assignees a JOIN users assigned ON assigned.id = a.user_id
   WHERE a.issue_id = i.id) AS assignees,
  ${joinedMilestoneSql('i.milestone_id')} AS milestone,
  ${userNotesCountSql(seesInternalNotes)},
  i.project_id AS "projectId", p.path AS "projectPath",
  n.full_path || '/' || p.path AS "projectFullPath"`;

const AUTHOR_JOIN = 'JOIN users author ON author.id = i.author_id';
const NAMESPACE_JOIN = 'JOIN namespaces n ON n.id = p.namespace_id';
const ISSUE_FROM = 'issues i JOIN projects p ON p.id = i.project_id';
const CLOSER_JOIN = 'LEFT JOIN users closer ON closer.id = i.closed_by_id';

export const ISSUE_TABLES = `${ISSUE_FROM} ${AUTHOR_JOIN} ${CLOSER_JOIN} ${NAMESPACE_JOIN}`;

/** Splits ISSUE_TABLES into what the conditions of a list need and what only columns need. */
export function listedIssueTables(conditions: { byGroup: boolean; byAuthorName: boolean }): {
  from: string;
  joins: string;
} {
  const { byAuthorName: author, byGroup: namespace } = conditions;
  return {
    from: [ISSUE_FROM, author ? AUTHOR_JOIN : '', namespace ? NAMESPACE_JOIN : ''].join(' '),
    joins: [author ? '' : AUTHOR_JOIN, namespace ? '' : NAMESPACE_JOIN, CLOSER_JOIN].join(' '),
  };
}

/** Columns of a listed issue that are read for each request. */
export type FreshIssue = Pick<IssueRow, 'userNotesCount'>;

/** SQL for the version of an IssueRow but for its fresh columns. */
const ISSUE_VERSION = `concat(${rowVersion('i', 'p', 'n', 'author', 'closer')}, ' ',
  assignees.version, ' ', ${joinedMilestoneVersionSql('i.milestone_id')})`;

const assigneeVersions = (ids: string): string => `
  LEFT JOIN (SELECT issue_id, string_agg(concat(u.id, '.', u.xmin), ',' ORDER BY u.id) AS version
    FROM issue_assignees JOIN users u ON u.id = user_id WHERE issue_id = ANY(${ids})
    GROUP BY issue_id) assignees ON assignees.issue_id = i.id`;

/** Returns the column of a FreshIssue. */
const userNotesCountSql = (seesInternalNotes: string): string => `
  (SELECT count(*)::int FROM notes WHERE notes.issue_id = i.id AND NOT notes.system
     AND (NOT notes.internal OR ${seesInternalNotes})) AS "userNotesCount"`;

/** Describes issues to the filters that they share with merge requests. */
const ISSUE_FILTERS: IssuableTables = {
  table: 'issues',
  alias: 'i',
  people: 'issue_assignees',
  peopleKey: 'issue_id',
  roleSql: () => 'true',
};

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

const DUE: Record<DueDateFilter, string> = {
  '0': 'i.due_date IS NULL',
  any: 'i.due_date IS NOT NULL',
  today: `i.due_date = ${TODAY}`,
  tomorrow: `i.due_date = ${TODAY} + 1`,
  overdue: `i.due_date < ${TODAY}`,
  week: within('week'),
  month: within('month'),
  next_month_and_previous_two_weeks: `i.due_date >= ${TODAY} - 14
    AND i.due_date < date_trunc('month', ${TODAY} + interval '2 months')::date`,
};

/** Adds the filters of a list or count; throws 400 for filters that exclude each other. */
function addIssueFilters(where: Conditions, filters: IssueFiltersDto): void {
  const { assignee_id: id, assignee_username: usernames } = filters;
  addIssuableFilters(where, ISSUE_FILTERS, {
    filters,
    people: [{ role: 'assignee', id, usernames }],
  });
  const { confidential, issue_type: type, due_date: due } = filters;
  if (type) where.and(`i.issue_type = ${where.value(type)}`);
  if (due) where.and(DUE[due]);
  if (typeof confidential === 'boolean') {
    where.and(confidential ? 'i.confidential' : 'NOT i.confidential');
  }
}

/** Returns SQL that is true for issues assigned to a user; `user` is a placeholder. */
function assignedToSql(user: string): string {
  return hasRoleSql(ISSUE_FILTERS, 'assignee', user);
}

/** SQL conditions over the tables of `ISSUE_TABLES`. */
interface IssueVisibility {
  /** True if the viewer can see the issue. */
  visible: string;
  /** True if the viewer can read its internal notes. */
  seesInternalNotes: string;
}

/**
 * Returns the conditions for the viewer: everyone who sees the project sees its issues,
 * confidential ones only as their author, an assignee or with the role for it; no one sees them
 * when issues are disabled. Administrators see them in every project.
 */
export function issueVisibility(conditions: Conditions, viewer: Viewer | null): IssueVisibility {
  const existing = 'NOT p.pending_delete AND p.issues_enabled';
  if (viewer?.admin === true) return { visible: existing, seesInternalNotes: 'true' };
  if (viewer === null) {
    const open = `p.visibility = ${VISIBILITY.public} AND NOT i.confidential`;
    return { visible: `${existing} AND ${open}`, seesInternalNotes: 'false' };
  }
  const me = conditions.value(viewer.id);
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  const may = (ability: ProjectAbility): string => abilitySql(me, ability);
  const visible = `${existing}
    AND (p.visibility >= ${open} OR ${may('read_issue')})
    AND (NOT i.confidential OR i.author_id = ${me} OR ${may('read_confidential_issue')}
      OR ${assignedToSql(me)})`;
  return { visible, seesInternalNotes: may('read_internal_note') };
}

function within(unit: 'week' | 'month'): string {
  return `i.due_date >= date_trunc('${unit}', ${TODAY}::timestamp)::date
    AND i.due_date < date_trunc('${unit}', ${TODAY} + interval '1 ${unit}')::date`;
}

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
    versionJoins: assigneeVersions,
    fresh: userNotesCountSql(seesInternalNotes),
    where: where.toString(),
    orderBy: issuableOrder(ISSUE_FILTERS, filters, 'due_date'),
    values: where.values,
    ...issuableReading(ISSUE_FILTERS, selection, filters),
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
