import type { UserBasics } from '../users/user.presenter.js';
import type { IssueState } from './issue.entity.js';

/** An issue with what presenting and judging it needs, read in one statement. */
export interface IssueRow {
  id: number;
  iid: number;
  title: string;
  description: string | null;
  state: IssueState;
  confidential: boolean;
  closedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  author: UserBasics;
  closedBy: UserBasics | null;
  projectId: number;
  projectPath: string;
  projectFullPath: string;
}

/** An issue and the asker's effective level in its project. */
export interface FoundIssue extends IssueRow {
  accessLevel: number;
}

export const ISSUE_COLUMNS = `
  i.id, i.iid, i.title, i.description, i.state, i.confidential,
  i.closed_at AS "closedAt", i.created_at AS "createdAt", i.updated_at AS "updatedAt",
  ${userSql('author')} AS author,
  CASE WHEN closer.id IS NULL THEN NULL ELSE ${userSql('closer')} END AS "closedBy",
  i.project_id AS "projectId", p.path AS "projectPath",
  n.full_path || '/' || p.path AS "projectFullPath"`;

export const ISSUE_TABLES = `issues i
  JOIN users author ON author.id = i.author_id
  LEFT JOIN users closer ON closer.id = i.closed_by_id
  JOIN projects p ON p.id = i.project_id
  JOIN namespaces n ON n.id = p.namespace_id`;

function userSql(alias: string): string {
  return `json_build_object('id', ${alias}.id, 'username', ${alias}.username,
    'name', ${alias}.name, 'state', ${alias}.state)`;
}
