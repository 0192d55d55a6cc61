import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { IssuableFiltersDto } from '../../workspace/issues/issuable.dto.js';

export const MERGE_REQUEST_ORDERS = ['created_at', 'updated_at', 'merged_at', 'title'] as const;
const STATES = ['opened', 'closed', 'locked', 'merged', 'all'] as const;

/** Filters and order of lists of merge requests. */
export class ListMergeRequestsDto extends IssuableFiltersDto {
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
