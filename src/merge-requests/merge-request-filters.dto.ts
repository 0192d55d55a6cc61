import { BooleanParam, TextParam } from '../core/params/params.decorator.js';
import { IssuableFiltersDto } from '../issues/issuable.dto.js';

export const MERGE_REQUEST_ORDERS = ['created_at', 'updated_at', 'merged_at', 'title'] as const;
const STATES = ['opened', 'closed', 'locked', 'merged', 'all'] as const;

/** Filters and order of lists of merge requests. */
export class ListMergeRequestsDto extends IssuableFiltersDto {
  /** Only merge requests in this state; none is ever `locked`. */
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  /** Only those that would merge this branch. */
  @TextParam()
  source_branch?: string | null;

  /** Only those that would merge into this branch. */
  @TextParam()
  target_branch?: string | null;

  /** Id of a reviewer, `None` or `Any`; not together with `reviewer_username`. */
  @TextParam()
  reviewer_id?: string | null;

  /** Only those that this person is to review; not together with `reviewer_id`. */
  @TextParam()
  reviewer_username?: string | null;

  /** Only drafts, or only the others. */
  @BooleanParam()
  draft?: boolean | null;

  /** Older form of `draft`. */
  @TextParam({ values: ['yes', 'no'] })
  wip?: 'yes' | 'no' | null;

  /** Sort column; `created_at` by default. */
  @TextParam({ values: MERGE_REQUEST_ORDERS })
  order_by?: (typeof MERGE_REQUEST_ORDERS)[number] | null;

  /** Direction of the order; `desc` unless given. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
