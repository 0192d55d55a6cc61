import {
  joinedMilestoneSql,
  type JoinedMilestone,
} from '../../../workspace/milestones/milestones.repository.js';
import { optionalUserSql, userSql } from '../../../identity/users/sql/user-list.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
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
  (SELECT count(*)::int FROM notes WHERE notes.merge_request_id = r.id AND NOT notes.system
     AND (NOT notes.internal OR ${seesInternalNotes})) AS "userNotesCount",
  p.path AS "projectPath", n.full_path || '/' || p.path AS "projectFullPath"`;

export const MERGE_REQUEST_TABLES = `merge_requests r
  JOIN users author ON author.id = r.author_id
  LEFT JOIN users closer ON closer.id = r.closed_by_id
  LEFT JOIN users merger ON merger.id = r.merged_by_id
  JOIN projects p ON p.id = r.project_id
  JOIN namespaces n ON n.id = p.namespace_id`;

function peopleSql(role: 'assignee' | 'reviewer'): string {
  return `(SELECT coalesce(json_agg(${userSql('person')} ORDER BY person.id), '[]')
   FROM merge_request_people q JOIN users person ON person.id = q.user_id
   WHERE q.merge_request_id = r.id AND q.role = '${role}')`;
}
