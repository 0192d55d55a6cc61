import type { ResponseContext } from '../../core/response-context.js';
import { presentMilestone } from '../milestones/milestone.presenter.js';
import { presentUserBasic } from '../../identity/users/user.presenter.js';
import type { FoundIssue, IssueRow } from './sql/issue-columns.js';
import type { IssueSeverity, IssueType } from './issue.entity.js';
import type {
  IssueResponse,
  IssueInListResponse,
  IssueLinksResponse,
  TimeStatsResponse,
} from './issue.response.js';
import { taskCompletion } from './task-completion.js';

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
