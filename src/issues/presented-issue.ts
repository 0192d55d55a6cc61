import type { PresentedMilestone } from '../milestones/milestone.presenter.js';
import type { PresentedUserBasic } from '../users/presented-user.js';
import type { IssueState, IssueType } from './issue.entity.js';

/** References to an issue for texts. */
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

/** Addresses of an issue and of what belongs to it. */
export interface PresentedIssueLinks {
  /** @example https://guildhall.example.com/api/v4/projects/42/issues/7 */
  self: string;
  /** @example https://guildhall.example.com/api/v4/projects/42/issues/7/notes */
  notes: string;
  /** @example https://guildhall.example.com/api/v4/projects/42/issues/7/award_emoji */
  award_emoji: string;
  /** @example https://guildhall.example.com/api/v4/projects/42 */
  project: string;
}

/** Time is not tracked: nothing is estimated and nothing is spent. */
export interface PresentedTimeStats {
  /** Seconds. */
  time_estimate: number;
  /** Seconds. */
  total_time_spent: number;
  human_time_estimate: string | null;
  human_total_time_spent: string | null;
}

/** Boxes of the task lists in the description. */
export interface PresentedTaskCompletion {
  count: number;
  completed_count: number;
}

/** An issue or incident as lists show it. */
export interface PresentedIssueInList {
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
  closed_by: PresentedUserBasic | null;
  /**
   * Names, sorted.
   * @example ["bug", "urgent"]
   */
  labels: string[];
  /** Milestone of the issue. */
  milestone: PresentedMilestone | null;
  assignees: PresentedUserBasic[];
  author: PresentedUserBasic;
  type: Uppercase<IssueType>;
  /** The first of `assignees`; deprecated. */
  assignee: PresentedUserBasic | null;
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
  /** Seen by its author, Reporters and above only. */
  confidential: boolean;
  /** Only members of the project may comment. */
  discussion_locked: boolean;
  issue_type: IssueType;
  /** @example https://guildhall.example.com/tools/lathe/-/issues/7 */
  web_url: string;
  time_stats: PresentedTimeStats;
  task_completion_status: PresentedTaskCompletion;
  has_tasks: boolean;
  blocking_issues_count: number;
  references: PresentedReferences;
  /** Of incidents; `UNKNOWN` otherwise. */
  severity: 'UNKNOWN' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
  moved_to_id: null;
  imported: boolean;
  imported_from: 'none';
  service_desk_reply_to: null;
  _links: PresentedIssueLinks;
}

/** An issue or incident by itself. */
export interface PresentedIssue extends PresentedIssueInList {
  /** True if the viewer gets its emails, by their own choice or as a participant. */
  subscribed: boolean;
}
