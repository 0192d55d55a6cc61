import {
  BooleanParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import {
  IssuableAttributesDto,
  IssuableFiltersDto,
  STATE_EVENTS,
  type StateEvent,
} from '../../workspace/issues/issuable.dto.js';

class MergeRequestAttributesDto extends IssuableAttributesDto {
  /** IDs of the reviewers, empty for none; users without access are skipped. */
  @ListParam({ of: 'integer', commaSeparated: true })
  reviewer_ids?: number[] | null;

  /** Deletes the source branch on merge. */
  @BooleanParam()
  remove_source_branch?: boolean | null;

  /** Accepted without effect: commits are never squashed. */
  @BooleanParam()
  squash?: boolean | null;
}

/** POST of a merge request. */
export class CreateMergeRequestDto extends MergeRequestAttributesDto {
  /** Source branch. */
  @TextParam({ required: true, allowEmpty: false })
  source_branch: string;

  /** Target branch. */
  @TextParam({ required: true, allowEmpty: false })
  target_branch: string;

  /** Title of at most 255 characters; the prefix `Draft:` marks a draft, which cannot be merged. */
  @TextParam({ required: true, allowEmpty: false })
  title: string;

  /** Project of the target branch: always the same one, as forks do not exist. */
  @IntegerParam()
  target_project_id?: number | null;
}

/** Parameters of which a PUT of a merge request needs at least one. */
export const UPDATABLE_ATTRIBUTES = [
  'add_labels',
  'assignee_id',
  'assignee_ids',
  'description',
  'discussion_locked',
  'labels',
  'milestone_id',
  'remove_labels',
  'remove_source_branch',
  'reviewer_ids',
  'squash',
  'state_event',
  'target_branch',
  'title',
] as const;

/**
 * PUT of a merge request: at least one of these. Authors without a role change texts and state;
 * other parameters are ignored.
 */
export class UpdateMergeRequestDto extends MergeRequestAttributesDto {
  /** Title of at most 255 characters; the prefix `Draft:` marks a draft, which cannot be merged. */
  @TextParam({ allowEmpty: false })
  title?: string | null;

  /** New target branch. */
  @TextParam({ allowEmpty: false })
  target_branch?: string | null;

  /** State change; closing a closed one has no effect, and merged ones cannot be reopened. */
  @TextParam({ values: STATE_EVENTS })
  state_event?: StateEvent | null;

  /** Label names to add. */
  @ListParam({ commaSeparated: true })
  add_labels?: string[] | null;

  /** Label names to remove. */
  @ListParam({ commaSeparated: true })
  remove_labels?: string[] | null;

  /** Restricts comments to members of the project. */
  @BooleanParam()
  discussion_locked?: boolean | null;
}

/** PUT that merges. */
export class MergeDto {
  /** Expected head of the source branch; otherwise nothing is merged. */
  @TextParam()
  sha?: string | null;

  /** Merge commit message. */
  @TextParam({ maxLength: 1_048_576 })
  merge_commit_message?: string | null;

  /** Deletes the source branch; the setting of the merge request by default. */
  @BooleanParam()
  should_remove_source_branch?: boolean | null;

  /** Accepted without effect: commits are never squashed. */
  @BooleanParam()
  squash?: boolean | null;

  /** Accepted without effect, as `squash`. */
  @TextParam()
  squash_commit_message?: string | null;

  /** Enables auto-merge: merges when the pipeline of the head succeeds; 405 without a pipeline. */
  @BooleanParam()
  auto_merge?: boolean | null;

  /** Deprecated name of `auto_merge`. */
  @BooleanParam()
  merge_when_pipeline_succeeds?: boolean | null;
}

/** Returns true if the merge must wait for its pipeline. */
export function wantsToWait({ auto_merge: given, ...older }: MergeDto): boolean {
  return given ?? older.merge_when_pipeline_succeeds ?? false;
}

const MERGE_REQUEST_ORDERS = ['created_at', 'updated_at', 'merged_at', 'title'] as const;
const STATES = ['opened', 'closed', 'locked', 'merged', 'all'] as const;

/** Filters and order of lists of merge requests. */
export class ListMergeRequestsDto extends IssuableFiltersDto {
  /** Returns labels with color and description instead of their names. */
  @BooleanParam()
  with_labels_details?: boolean | null;

  /** Only merge requests in this state; `locked` finds none. */
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  /** Only those with this source branch. */
  @TextParam()
  source_branch?: string | null;

  /** Only those with this target branch. */
  @TextParam()
  target_branch?: string | null;

  /** ID of a reviewer, `None` or `Any`; not together with `reviewer_username`. */
  @TextParam()
  reviewer_id?: string | null;

  /** Only those with this reviewer; not together with `reviewer_id`. */
  @TextParam()
  reviewer_username?: string | null;

  /** Only drafts, or only the others. */
  @BooleanParam()
  draft?: boolean | null;

  /** Deprecated form of `draft`. */
  @TextParam({ values: ['yes', 'no'] })
  wip?: 'yes' | 'no' | null;

  /** Sort column; `created_at` by default. */
  @TextParam({ values: MERGE_REQUEST_ORDERS })
  order_by?: (typeof MERGE_REQUEST_ORDERS)[number] | null;

  /** Direction of the order; `desc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
