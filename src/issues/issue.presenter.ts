import type { Presentation } from '../core/presentation.js';
import type { PresentedUserBasic } from '../users/presented-user.js';
import { presentUserBasic } from '../users/user.presenter.js';
import type { IssueRow } from './issue-row.js';
import type { IssueState } from './issue.entity.js';

/** How texts refer to an issue. */
export interface PresentedReferences {
  /** @example #7 */
  short: string;
  /**
   * As short as it can be where the issue was asked for.
   * @example #7
   */
  relative: string;
  /** @example tools/lathe#7 */
  full: string;
}

/** Addresses of an issue and of what it belongs to. */
export interface PresentedIssueLinks {
  /** @example https://guildhall.example.com/api/v4/projects/42/issues/7 */
  self: string;
  /** @example https://guildhall.example.com/api/v4/projects/42 */
  project: string;
}

export interface PresentedIssue {
  id: number;
  /**
   * Number within the project.
   * @example 7
   */
  iid: number;
  project_id: number;
  title: string;
  description: string | null;
  state: IssueState;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
  closed_by: PresentedUserBasic | null;
  author: PresentedUserBasic;
  type: 'ISSUE';
  issue_type: 'issue';
  /** Seen by its author, Reporters and above only. */
  confidential: boolean;
  /** @example https://guildhall.example.com/tools/lathe/-/issues/7 */
  web_url: string;
  references: PresentedReferences;
  _links: PresentedIssueLinks;
}

/** An issue as endpoints of its project show it. */
export function presentIssue(row: IssueRow, { baseUrl }: Presentation): PresentedIssue {
  const project = `${baseUrl}/api/v4/projects/${row.projectId}`;
  const short = `#${row.iid}`;
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.projectId,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    closed_at: row.closedAt?.toISOString() ?? null,
    closed_by: row.closedBy === null ? null : presentUserBasic(row.closedBy, baseUrl),
    author: presentUserBasic(row.author, baseUrl),
    type: 'ISSUE',
    issue_type: 'issue',
    confidential: row.confidential,
    web_url: `${baseUrl}/${row.projectFullPath}/-/issues/${row.iid}`,
    references: { short, relative: short, full: `${row.projectFullPath}${short}` },
    _links: { self: `${project}/issues/${row.iid}`, project },
  };
}

/** The same outside of its project, where its number alone says nothing. */
export function presentIssueElsewhere(row: IssueRow, presentation: Presentation): PresentedIssue {
  const issue = presentIssue(row, presentation);
  return { ...issue, references: { ...issue.references, relative: issue.references.full } };
}
