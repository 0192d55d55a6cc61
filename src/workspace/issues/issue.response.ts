import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import type { LabelDetailsResponse } from '../labels/label.response.js';
import { type MilestoneResponse, presentMilestone } from '../milestones/milestone.presenter.js';
import type { IssueState, IssueType, IssueSeverity } from './issue.entity.js';
import type { ItemFormat } from '../../core/sql/json-pages.service.js';
import type { ResponseContext } from '../../core/response-context.js';
import type { FreshIssue, FoundIssue, IssueRow } from './sql/issue-list.js';
import { taskCompletion } from './task-completion.js';

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
interface IssueLinksResponse {
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
   * Label names, sorted; with `with_labels_details` the labels themselves.
   * @example ["bug", "urgent"]
   */
  labels: (string | LabelDetailsResponse)[];
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

/** Issue counts by state. */
interface IssueCountsResponse {
  all: number;
  closed: number;
  opened: number;
}

/** Statistics of issues. */
interface CountsByStateResponse {
  counts: IssueCountsResponse;
}

/** Number of issues by state. */
export interface IssueStatisticsResponse {
  statistics: CountsByStateResponse;
}

const NO_TIME: TimeStatsResponse = {
  time_estimate: 0,
  total_time_spent: 0,
  human_time_estimate: null,
  human_total_time_spent: null,
};

/** Attributes of missing features, with the values that v4 clients expect of unused ones. */
const UNUSED = {
  merge_requests_count: 0,
  upvotes: 0,
  downvotes: 0,
  blocking_issues_count: 0,
  moved_to_id: null,
  imported: false,
  imported_from: 'none',
  service_desk_reply_to: null,
} as const;

/** A single issue, as endpoints of its project show it. */
export function presentIssue(row: FoundIssue, presentation: ResponseContext): IssueResponse {
  const { subscribed } = row;
  return Object.assign(presentIssueInList(row, presentation), { subscribed });
}

/** An issue of a list of its project. */
export function presentIssueInList(
  row: IssueRow,
  { baseUrl }: ResponseContext,
): IssueInListResponse {
  const short = `#${row.iid}`;
  const { milestone, projectFullPath } = row;
  return Object.assign(identity(row), people(row, baseUrl), state(row), UNUSED, {
    milestone: milestone && presentMilestone(milestone, { baseUrl, projectFullPath }),
    web_url: `${baseUrl}/${row.projectFullPath}/-/issues/${row.iid}`,
    time_stats: NO_TIME,
    references: { short, relative: short, full: `${row.projectFullPath}${short}` },
    _links: links(row, baseUrl),
  });
}

/** The form of issues in a list of their project. */
export function issueFormat(
  context: ResponseContext,
): ItemFormat<IssueInListResponse, IssueRow, FreshIssue> {
  return {
    name: 'issue',
    form: () => '',
    present: (row) => ({ ...presentIssueInList(row, context), user_notes_count: undefined }),
    presentFresh: ({ userNotesCount }) => ({ user_notes_count: userNotesCount }),
  };
}

/** Returns an issue outside of its project, where its number alone is ambiguous. */
export function presentIssueElsewhere(
  row: IssueRow,
  presentation: ResponseContext,
): IssueInListResponse {
  const issue = presentIssueInList(row, presentation);
  return { ...issue, references: { ...issue.references, relative: issue.references.full } };
}

function identity(row: IssueRow) {
  const { count, completed } = taskCompletion(row.description);
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.projectId,
    title: row.title,
    description: row.description,
    labels: row.labels,
    type: row.issueType.toUpperCase() as Uppercase<IssueType>,
    issue_type: row.issueType,
    severity: row.severity.toUpperCase() as Uppercase<IssueSeverity>,
    task_completion_status: { count, completed_count: completed },
    has_tasks: count > 0,
  };
}

function people({ author, assignees, closedBy }: IssueRow, baseUrl: string) {
  const assigned = assignees.map((user) => presentUserBasic(user, baseUrl));
  return {
    author: presentUserBasic(author, baseUrl),
    assignees: assigned,
    assignee: assigned[0] ?? null,
    closed_by: closedBy === null ? null : presentUserBasic(closedBy, baseUrl),
  };
}

function state(row: IssueRow) {
  return {
    state: row.state,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    closed_at: row.closedAt?.toISOString() ?? null,
    due_date: row.dueDate,
    confidential: row.confidential,
    discussion_locked: row.discussionLocked,
    user_notes_count: row.userNotesCount,
  };
}

function links({ projectId, iid }: IssueRow, baseUrl: string): IssueLinksResponse {
  const project = `${baseUrl}/api/v4/projects/${projectId}`;
  const self = `${project}/issues/${iid}`;
  return { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project };
}
