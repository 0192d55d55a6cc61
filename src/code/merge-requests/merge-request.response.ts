import type { UserBasicResponse } from '../../identity/users/user.presenter.js';
import type { LabelDetailsResponse } from '../../workspace/labels/label.response.js';
import type { DiffResponse } from '../repository/diff.response.js';
import type { PipelineResponse } from '../repository/commit.response.js';
import type {
  ReferencesResponse,
  TaskCompletionResponse,
  TimeStatsResponse,
} from '../../workspace/issues/issue.response.js';
import type { MilestoneResponse } from '../../workspace/milestones/milestone.presenter.js';
import type { MergeRequestState, MergeStatus } from './merge-request.entity.js';

/** Reason why it cannot be merged, or `mergeable`. */
export type DetailedMergeStatus =
  | 'unchecked'
  | 'checking'
  | 'mergeable'
  | 'conflict'
  | 'draft_status'
  | 'not_open'
  | 'commits_status'
  | 'broken_status';

/** The commits that the changes lie between. */
export interface DiffRefsResponse {
  /** Merge base of the branches; null if there is none. */
  base_sha: string | null;
  /** Tip of the source branch. */
  head_sha: string;
  start_sha: string | null;
}

/** Merge request in a list. */
export interface MergeRequestInListResponse {
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
  state: MergeRequestState;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
  /** Deprecated: see `merge_user`. */
  merged_by: UserBasicResponse | null;
  /** User who merged it, or enabled auto-merge. */
  merge_user: UserBasicResponse | null;
  /** @format date-time */
  merged_at: string | null;
  closed_by: UserBasicResponse | null;
  /** @format date-time */
  closed_at: string | null;
  /** @example main */
  target_branch: string;
  /** @example feature/lathe */
  source_branch: string;
  user_notes_count: number;
  upvotes: number;
  downvotes: number;
  author: UserBasicResponse;
  assignees: UserBasicResponse[];
  /** The first of `assignees`; deprecated. */
  assignee: UserBasicResponse | null;
  reviewers: UserBasicResponse[];
  source_project_id: number;
  target_project_id: number;
  /**
   * Label names, sorted; with `with_labels_details` the labels themselves.
   * @example ["bug", "urgent"]
   */
  labels: (string | LabelDetailsResponse)[];
  /** True for drafts: the title begins with `Draft:`. */
  draft: boolean;
  /** Deprecated name of `draft`. */
  work_in_progress: boolean;
  milestone: MilestoneResponse | null;
  /** True if auto-merge is enabled, or was when it merged. */
  merge_when_pipeline_succeeds: boolean;
  /** Last known mergeability; lists do not check it. */
  merge_status: MergeStatus | 'checking';
  detailed_merge_status: DetailedMergeStatus;
  /** Tip of the source branch. */
  sha: string;
  merge_commit_sha: string | null;
  squash_commit_sha: null;
  /** True if only members of the project can comment. */
  discussion_locked: boolean;
  should_remove_source_branch: boolean | null;
  /** True if the source branch is deleted on merge. */
  force_remove_source_branch: boolean;
  /** Same as `references.short`; deprecated. @example !7 */
  reference: string;
  references: ReferencesResponse;
  /** @example https://guildhall.example.com/tools/lathe/-/merge_requests/7 */
  web_url: string;
  time_stats: TimeStatsResponse;
  /** Commits are never squashed. */
  squash: false;
  task_completion_status: TaskCompletionResponse;
  has_conflicts: boolean;
  blocking_discussions_resolved: true;
  imported: boolean;
  imported_from: 'none';
}

/** Permissions of the viewer. */
interface MergeRequestUserResponse {
  /** True if they can push to the target branch. */
  can_merge: boolean;
}

/** Merge request with its details. */
export interface MergeRequestResponse extends MergeRequestInListResponse {
  /** True if the viewer gets its emails, by their own choice or as a participant. */
  subscribed: boolean;
  diff_refs: DiffRefsResponse;
  merge_error: null;
  /** Pipeline of its head, reported by external CI; null = none. */
  head_pipeline: PipelineResponse | null;
  /** Same as `head_pipeline`; deprecated. */
  pipeline: PipelineResponse | null;
  user: MergeRequestUserResponse;
}

/** A merge request with its changes. */
export interface MergeRequestChangesResponse extends MergeRequestResponse {
  /** Number of files, with `+` when there are more. @example "3" */
  changes_count: string;
  changes: DiffResponse[];
  /** True if the diff is truncated. */
  overflow: boolean;
}
