import {
  joinedMilestoneSql,
  type JoinedMilestone,
} from '../../milestones/milestones.repository.js';
import { userSql } from '../../../identity/users/sql/user-list.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import type { Issue } from '../issue.entity.js';

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
  (SELECT count(*)::int FROM notes WHERE notes.issue_id = i.id AND NOT notes.system
     AND (NOT notes.internal OR ${seesInternalNotes}))
    AS "userNotesCount",
  i.project_id AS "projectId", p.path AS "projectPath",
  n.full_path || '/' || p.path AS "projectFullPath"`;

export const ISSUE_TABLES = `issues i
  JOIN users author ON author.id = i.author_id
  LEFT JOIN users closer ON closer.id = i.closed_by_id
  JOIN projects p ON p.id = i.project_id
  JOIN namespaces n ON n.id = p.namespace_id`;
