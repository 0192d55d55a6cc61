import {
  presentUserBasic,
  type UserBasicResponse,
  type UserBasics,
} from '../../identity/users/user.presenter.js';
import type { PipelineRow } from '../repository/code.repository.js';
import { presentPipeline } from '../repository/commit.response.js';
import type { ItemFormat } from '../../core/sql/json-pages.service.js';
import type { ResponseContext } from '../../core/response-context.js';
import { EMPTY_TREE } from '../../git/reading/diffs.js';
import { taskCompletion } from '../../workspace/issues/task-completion.js';
import { presentMilestone } from '../../workspace/milestones/milestone.presenter.js';
import { isDraft } from './drafts.js';
import type { MergeRequest, MergeStatus } from './merge-request.entity.js';
import type {
  DetailedMergeStatus,
  DiffRefsResponse,
  MergeRequestResponse,
  MergeRequestInListResponse,
} from './merge-request.response.js';
import type {
  FoundMergeRequest,
  FreshMergeRequest,
  MergeRequestRow,
} from './sql/merge-requests.js';

/** Attributes of missing features, with the values that v4 clients expect of unused ones. */
const UNUSED = {
  upvotes: 0,
  downvotes: 0,
  squash: false,
  squash_commit_sha: null,
  should_remove_source_branch: null,
  blocking_discussions_resolved: true,
  imported: false,
  imported_from: 'none',
  time_stats: {
    time_estimate: 0,
    total_time_spent: 0,
    human_time_estimate: null,
    human_total_time_spent: null,
  },
} as const;

/** The merge status of a merge request, in both forms of v4. */
export interface Mergeability {
  mergeStatus: MergeStatus | 'checking';
  detailed: DetailedMergeStatus;
}

/** Details of a single merge request, which lists do not look up. */
export interface MergeRequestDetails {
  mergeability: Mergeability;
  /** True if the viewer can push to the target branch. */
  mayMerge: boolean;
  /** That of its head; null = outside CI has reported nothing. */
  pipeline: PipelineRow | null;
}

/** A single merge request, as endpoints of its project show it. */
export function presentMergeRequest(
  row: FoundMergeRequest,
  { mergeability, mayMerge, pipeline }: MergeRequestDetails,
  presentation: ResponseContext,
): MergeRequestResponse {
  return Object.assign(presentMergeRequestInList(row, presentation), mergeStatus(mergeability), {
    subscribed: row.subscribed,
    diff_refs: diffRefs(row),
    merge_error: null,
    user: { can_merge: mayMerge },
    ...pipelineOf(row, pipeline, presentation),
  });
}

/** `pipeline` is the older name. */
function pipelineOf(
  { projectId, projectFullPath, headSha }: MergeRequestRow,
  pipeline: PipelineRow | null,
  { baseUrl }: ResponseContext,
) {
  const webUrl = `${baseUrl}/${projectFullPath}/-/commit/${headSha}`;
  const shown = pipeline && presentPipeline(pipeline, { projectId, webUrl });
  return { head_pipeline: shown, pipeline: shown };
}

/** A merge request of a list of its project. */
export function presentMergeRequestInList(
  row: MergeRequestRow,
  { baseUrl }: ResponseContext,
): MergeRequestInListResponse {
  const short = `!${row.iid}`;
  const { projectFullPath } = row;
  const known = mergeStatus(knownMergeability(row));
  return Object.assign(identity(row), people(row, baseUrl), state(row), known, UNUSED, {
    milestone: row.milestone && presentMilestone(row.milestone, { baseUrl, projectFullPath }),
    web_url: `${baseUrl}/${projectFullPath}/-/merge_requests/${row.iid}`,
    reference: short,
    references: { short, relative: short, full: `${projectFullPath}${short}` },
  });
}

/** The form of merge requests in a list of their project. */
export function mergeRequestFormat(
  context: ResponseContext,
): ItemFormat<MergeRequestInListResponse, MergeRequestRow, FreshMergeRequest> {
  return {
    name: 'merge_request',
    form: () => '',
    present: (row) => ({ ...presentMergeRequestInList(row, context), user_notes_count: undefined }),
    presentFresh: ({ userNotesCount }) => ({ user_notes_count: userNotesCount }),
  };
}

/** Returns a merge request outside of its project, where its number alone is ambiguous. */
export function presentMergeRequestElsewhere(
  row: MergeRequestRow,
  presentation: ResponseContext,
): MergeRequestInListResponse {
  const shown = presentMergeRequestInList(row, presentation);
  const { full } = shown.references;
  return { ...shown, reference: full, references: { ...shown.references, relative: full } };
}

function identity(row: MergeRequestRow) {
  const { count, completed } = taskCompletion(row.description);
  const draft = isDraft(row.title);
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.projectId,
    source_project_id: row.projectId,
    target_project_id: row.projectId,
    title: row.title,
    description: row.description,
    draft,
    work_in_progress: draft,
    labels: row.labels,
    source_branch: row.sourceBranch,
    target_branch: row.targetBranch,
    task_completion_status: { count, completed_count: completed },
  };
}

function people(row: MergeRequestRow, baseUrl: string) {
  const person = (user: UserBasics): UserBasicResponse => presentUserBasic(user, baseUrl);
  const assignees = row.assignees.map(person);
  const merger = row.mergedBy && person(row.mergedBy);
  return {
    author: person(row.author),
    assignees,
    assignee: assignees[0] ?? null,
    reviewers: row.reviewers.map(person),
    merged_by: merger,
    merge_user: merger ?? (row.autoMerger && person(row.autoMerger)),
    closed_by: row.closedBy && person(row.closedBy),
  };
}

function state(row: MergeRequestRow) {
  return {
    state: row.state,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    merged_at: row.mergedAt?.toISOString() ?? null,
    closed_at: row.closedAt?.toISOString() ?? null,
    sha: row.headSha,
    merge_commit_sha: row.mergeCommitSha,
    merge_when_pipeline_succeeds: row.autoMerger !== null,
    discussion_locked: row.discussionLocked,
    force_remove_source_branch: row.removeSourceBranch,
    user_notes_count: row.userNotesCount,
  };
}

function mergeStatus({ mergeStatus: status, detailed }: Mergeability) {
  return {
    merge_status: status,
    detailed_merge_status: detailed,
    has_conflicts: detailed === 'conflict' || status === 'cannot_be_merged',
  };
}

function diffRefs({ baseSha, headSha }: MergeRequestRow): DiffRefsResponse {
  const base = baseSha === EMPTY_TREE ? null : baseSha;
  return { base_sha: base, head_sha: headSha, start_sha: base };
}

type Known = Pick<MergeRequest, 'state' | 'title' | 'mergeStatus'>;

const DETAILED: Record<MergeStatus | 'checking', DetailedMergeStatus> = {
  unchecked: 'unchecked',
  checking: 'checking',
  can_be_merged: 'mergeable',
  cannot_be_merged: 'conflict',
};

/** Returns the merge status on record, without a look into the repository. */
export function knownMergeability(row: Known): Mergeability {
  return mergeabilityOf(row, row.mergeStatus);
}

/** Returns the same for a status that was just found out; state and draft come first. */
export function mergeabilityOf(
  { state, title }: Pick<Known, 'state' | 'title'>,
  mergeStatus: Mergeability['mergeStatus'],
): Mergeability {
  if (state !== 'opened') return { mergeStatus, detailed: 'not_open' };
  if (isDraft(title)) return { mergeStatus, detailed: 'draft_status' };
  return { mergeStatus, detailed: DETAILED[mergeStatus] };
}
