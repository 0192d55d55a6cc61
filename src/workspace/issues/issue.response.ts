import type { MilestoneResponse } from '../milestones/milestone.presenter.js';
import type { UserBasicResponse } from '../../identity/users/user.response.js';
import type { IssueState, IssueType } from './issue.entity.js';

/** References to an issue for texts. */
export interface ReferencesResponse {
  /** @example #7 */
  short: string;
  /**
   * Shortest reference in the context of the request.
   * @example #7
   */
  relative: string;
  /** @example tools/lathe#7 */
  full: string;
}

/** API URLs of an issue and its parts. */
export interface IssueLinksResponse {
  /** @example https://guildhall.example.com/api/v4/projects/42/issues/7 */
  self: string;
  /** @example https://guildhall.example.com/api/v4/projects/42/issues/7/notes */
  notes: string;
  /** @example https://guildhall.example.com/api/v4/projects/42/issues/7/award_emoji */
  award_emoji: string;
  /** @example https://guildhall.example.com/api/v4/projects/42 */
  project: string;
}

/** Time tracking, which does not exist: all values are empty. */
export interface TimeStatsResponse {
  /** Seconds. */
  time_estimate: number;
  /** Seconds. */
  total_time_spent: number;
  human_time_estimate: string | null;
  human_total_time_spent: string | null;
}

/** Task counts of the description. */
export interface TaskCompletionResponse {
  count: number;
  completed_count: number;
}

/** Issue or incident in a list. */
export interface IssueInListResponse {
  id: number;
  /**
   * Number within the project.
   * @example 7
   */
  iid: number;
  project_id: number;
  title: string;
  /** Markdown. */
  description: string | null;
  state: IssueState;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
  /** @format date-time */
  closed_at: string | null;
  closed_by: UserBasicResponse | null;
  /**
   * Label names, sorted.
   * @example ["bug", "urgent"]
   */
  labels: string[];
  /** Milestone of the issue. */
  milestone: MilestoneResponse | null;
  assignees: UserBasicResponse[];
  author: UserBasicResponse;
  type: Uppercase<IssueType>;
  /** The first of `assignees`; deprecated. */
  assignee: UserBasicResponse | null;
  /** Number of comments. */
  user_notes_count: number;
  merge_requests_count: number;
  upvotes: number;
  downvotes: number;
  /**
   * @format date
   * @example "2026-03-14"
   */
  due_date: string | null;
  /** Visible to its author, Reporters and above only. */
  confidential: boolean;
  /** True if only members of the project can comment. */
  discussion_locked: boolean;
  issue_type: IssueType;
  /** @example https://guildhall.example.com/tools/lathe/-/issues/7 */
  web_url: string;
  time_stats: TimeStatsResponse;
  task_completion_status: TaskCompletionResponse;
  has_tasks: boolean;
  blocking_issues_count: number;
  references: ReferencesResponse;
  /** Severity of an incident; `UNKNOWN` otherwise. */
  severity: 'UNKNOWN' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
  moved_to_id: null;
  imported: boolean;
  imported_from: 'none';
  service_desk_reply_to: null;
  _links: IssueLinksResponse;
}

/** Issue or incident with its details. */
export interface IssueResponse extends IssueInListResponse {
  /** True if the viewer gets its emails, by their own choice or as a participant. */
  subscribed: boolean;
}
