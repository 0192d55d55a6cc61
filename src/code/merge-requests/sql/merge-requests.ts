import type { Viewer } from '../../../core/access/auth-context.js';
import { Conditions } from '../../../core/sql/conditions.js';
import { rowVersion, type VersionedQuery } from '../../../core/sql/json-pages.service.js';
import { listedText } from '../../../core/sql/list-query.js';
import type { ProjectAbility } from '../../../identity/members/abilities.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import { optionalUserSql, userSql } from '../../../identity/users/sql/user-list.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import type { IssuableScope } from '../../../workspace/issues/issuable.dto.js';
import {
  abilitySql,
  addIssuableFilters,
  addState,
  hasRoleSql,
  issuableOrder,
  issuableReading,
  type IssuableTables,
} from '../../../workspace/issues/sql/issuable-conditions.js';
import {
  type JoinedMilestone,
  joinedMilestoneSql,
  joinedMilestoneVersionSql,
} from '../../../workspace/milestones/milestones.repository.js';
import { draftSql } from '../drafts.js';
import type { ListMergeRequestsDto } from '../merge-request.dto.js';
import type { MergeRequest } from '../merge-request.entity.js';

/** A merge request with its people, milestone and project, read in one statement. */
export interface MergeRequestRow extends Omit<
  MergeRequest,
  | 'authorId'
  | 'closedById'
  | 'mergedById'
  | 'milestoneId'
  | 'autoMergeUserId'
  | 'autoMergeSha'
  | 'autoMergeMessage'
  | 'autoMergeDue'
> {
  author: UserBasics;
  closedBy: UserBasics | null;
  mergedBy: UserBasics | null;
  /** The user who enabled auto-merge for its head. */
  autoMerger: UserBasics | null;
  milestone: JoinedMilestone | null;
  /** In the order of their ids. */
  assignees: UserBasics[];
  reviewers: UserBasics[];
  /** Comments visible to the viewer, without system notes. */
  userNotesCount: number;
  projectPath: string;
  projectFullPath: string;
}

/** A merge request, the viewer's effective level in its project, and their subscription. */
export interface FoundMergeRequest extends MergeRequestRow {
  accessLevel: number;
  subscribed: boolean;
}

const COLUMNS = `
  r.id, r.iid, r.project_id AS "projectId", r.title, r.state,
  r.source_branch AS "sourceBranch", r.target_branch AS "targetBranch",
  r.head_sha AS "headSha", r.base_sha AS "baseSha", r.merge_status AS "mergeStatus",
  r.checked_head_sha AS "checkedHeadSha", r.checked_target_sha AS "checkedTargetSha",
  r.merge_commit_sha AS "mergeCommitSha", r.labels,
  r.remove_source_branch AS "removeSourceBranch", r.discussion_locked AS "discussionLocked",
  r.merged_at AS "mergedAt", r.closed_at AS "closedAt",
  r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

/** Columns of a MergeRequestRow; `seesInternalNotes` is the viewer's right to them, as SQL. */
export const mergeRequestColumns = (
  seesInternalNotes: string,
  description = 'r.description',
): string => `${COLUMNS},
  ${description} AS description,
  ${userSql('author')} AS author, ${optionalUserSql('closer')} AS "closedBy",
  ${optionalUserSql('merger')} AS "mergedBy",
  (SELECT ${userSql('waiting')} FROM users waiting
   WHERE waiting.id = r.auto_merge_user_id AND r.auto_merge_sha = r.head_sha) AS "autoMerger",
  ${joinedMilestoneSql('r.milestone_id')} AS milestone,
  ${peopleSql('assignee')} AS assignees, ${peopleSql('reviewer')} AS reviewers,
  ${userNotesCountSql(seesInternalNotes)},
  p.path AS "projectPath", n.full_path || '/' || p.path AS "projectFullPath"`;

const LISTED_FROM = 'merge_requests r JOIN projects p ON p.id = r.project_id';
const AUTHOR_JOIN = 'JOIN users author ON author.id = r.author_id';
const COLUMN_JOINS = `JOIN namespaces n ON n.id = p.namespace_id
  LEFT JOIN users closer ON closer.id = r.closed_by_id
  LEFT JOIN users merger ON merger.id = r.merged_by_id`;

export const MERGE_REQUEST_TABLES = `${LISTED_FROM} ${AUTHOR_JOIN} ${COLUMN_JOINS}`;

/** Columns of a listed merge request that are read for each request. */
export type FreshMergeRequest = Pick<MergeRequestRow, 'userNotesCount'>;

/** SQL for the version of a MergeRequestRow but for its fresh columns. */
const VERSION = `concat(${rowVersion('r', 'p', 'n', 'author', 'closer', 'merger')}, ' ',
  CASE WHEN r.auto_merge_user_id IS NOT NULL THEN
    (SELECT waiting.xmin FROM users waiting WHERE waiting.id = r.auto_merge_user_id) END, ' ',
  people.version, ' ', ${joinedMilestoneVersionSql('r.milestone_id')})`;

const peopleVersions = (ids: string): string => `LEFT JOIN (
  SELECT q.merge_request_id,
    string_agg(concat(q.role, q.user_id, '.', u.xmin), ',' ORDER BY q.role, q.user_id) AS version
  FROM merge_request_people q JOIN users u ON u.id = q.user_id
  WHERE q.merge_request_id = ANY(${ids}) GROUP BY q.merge_request_id
  ) people ON people.merge_request_id = r.id`;

function userNotesCountSql(seesInternalNotes: string): string {
  return `(SELECT count(*)::int FROM notes WHERE notes.merge_request_id = r.id AND NOT notes.system
     AND (NOT notes.internal OR ${seesInternalNotes})) AS "userNotesCount"`;
}

function peopleSql(role: 'assignee' | 'reviewer'): string {
  return `(SELECT coalesce(json_agg(${userSql('person')} ORDER BY person.id), '[]')
   FROM merge_request_people q JOIN users person ON person.id = q.user_id
   WHERE q.merge_request_id = r.id AND q.role = '${role}')`;
}

/** Merge requests as the filters that they share with issues see them. */
export const MERGE_REQUEST_FILTERS: IssuableTables = {
  table: 'merge_requests',
  alias: 'r',
  people: 'merge_request_people',
  peopleKey: 'merge_request_id',
  roleSql: (role) => `q.role = '${role}'`,
};

/** The merge requests of a list, before visibility. */
export interface MergeRequestSelection {
  projectId?: number;
  milestoneId?: number;
  /** Only these merge requests. */
  ids?: readonly number[];
  scope?: IssuableScope | null;
}

/** Returns the tables that the conditions of a list or count need. */
export function listedFrom({ author_username: name }: ListMergeRequestsDto): string {
  return name ? `${LISTED_FROM} ${AUTHOR_JOIN}` : LISTED_FROM;
}

/** Returns the statement of a list; throws 400 as its filters do. */
export function mergeRequestsStatement(
  viewer: Viewer | null,
  selection: MergeRequestSelection,
  filters: ListMergeRequestsDto,
): VersionedQuery {
  const { where, seesInternalNotes } = selectionConditions(viewer, selection, filters);
  addState(where, MERGE_REQUEST_FILTERS, filters.state);
  const byAuthorName = Boolean(filters.author_username);
  return {
    key: 'r.id',
    id: 'r.id',
    select: mergeRequestColumns(seesInternalNotes, listedText('r.description', 'r.id')),
    version: VERSION,
    versionJoins: peopleVersions,
    fresh: userNotesCountSql(seesInternalNotes),
    from: listedFrom(filters),
    joins: byAuthorName ? COLUMN_JOINS : `${AUTHOR_JOIN} ${COLUMN_JOINS}`,
    where: where.toString(),
    orderBy: issuableOrder(MERGE_REQUEST_FILTERS, filters, 'merged_at'),
    values: where.values,
    ...issuableReading(MERGE_REQUEST_FILTERS, selection, filters),
  };
}

/** Returns the conditions of a list or count but its state; throws 400 as its filters do. */
export function selectionConditions(
  viewer: Viewer | null,
  { projectId, milestoneId, ids, scope }: MergeRequestSelection,
  filters: ListMergeRequestsDto,
): { where: Conditions; seesInternalNotes: string } {
  const where = new Conditions();
  const { visible, seesInternalNotes } = mergeRequestVisibility(where, viewer);
  where.and(visible);
  if (projectId !== undefined) where.and(`r.project_id = ${where.value(projectId)}`);
  if (milestoneId !== undefined) where.and(`r.milestone_id = ${where.value(milestoneId)}`);
  if (ids !== undefined) where.and(`r.id = ANY(${where.value(ids)}::bigint[])`);
  const me = viewer?.id ?? null;
  if (scope === 'created_by_me') where.and(`r.author_id = ${where.value(me)}`);
  if (scope === 'assigned_to_me')
    where.and(hasRoleSql(MERGE_REQUEST_FILTERS, 'assignee', where.value(me)));
  addMergeRequestFilters(where, filters);
  return { where, seesInternalNotes };
}

/** Adds the filters of a list or count; throws 400 for filters that exclude each other. */
function addMergeRequestFilters(where: Conditions, filters: ListMergeRequestsDto): void {
  const { assignee_id, assignee_username, reviewer_id, reviewer_username } = filters;
  addIssuableFilters(where, MERGE_REQUEST_FILTERS, {
    filters,
    people: [
      { role: 'assignee', id: assignee_id, usernames: assignee_username },
      {
        role: 'reviewer',
        id: reviewer_id,
        usernames: reviewer_username ? [reviewer_username] : null,
      },
    ],
  });
  const { source_branch: source, target_branch: target } = filters;
  if (source) where.and(`r.source_branch = ${where.value(source)}`);
  if (target) where.and(`r.target_branch = ${where.value(target)}`);
  addDraft(where, filters);
}

function addDraft(where: Conditions, { draft, wip }: ListMergeRequestsDto): void {
  const wanted = draft ?? (wip ? wip === 'yes' : null);
  if (wanted === null) return;
  where.and(wanted ? draftSql('r.title') : `NOT (${draftSql('r.title')})`);
}

/** SQL conditions over the tables of `MERGE_REQUEST_TABLES`. */
interface MergeRequestVisibility {
  /** True if the viewer can see the merge request. */
  visible: string;
  /** True if the viewer can read its internal notes. */
  seesInternalNotes: string;
}

/**
 * Returns the conditions for the viewer: merge requests of open projects, and of those in which they
 * can read the code; no one sees them when merge requests are disabled. Administrators see all.
 */
export function mergeRequestVisibility(
  conditions: Conditions,
  viewer: Viewer | null,
): MergeRequestVisibility {
  const existing = 'NOT p.pending_delete AND p.merge_requests_enabled AND p.repository_enabled';
  if (viewer?.admin === true) return { visible: existing, seesInternalNotes: 'true' };
  if (viewer === null) {
    const open = `p.visibility = ${VISIBILITY.public}`;
    return { visible: `${existing} AND ${open}`, seesInternalNotes: 'false' };
  }
  const me = conditions.value(viewer.id);
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  const may = (ability: ProjectAbility): string => abilitySql(me, ability);
  const visible = `${existing} AND (p.visibility >= ${open} OR ${may('read_merge_request')})`;
  return { visible, seesInternalNotes: may('read_internal_note') };
}
