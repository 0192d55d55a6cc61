import {
  BooleanParam,
  DateTimeParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../core/params/params.decorator.js';
import { TIMEBOXES, type Timebox } from '../milestones/milestone.dto.js';

export const MERGE_REQUEST_ORDERS = ['created_at', 'updated_at', 'merged_at', 'title'] as const;
const SCOPES = ['created_by_me', 'assigned_to_me', 'all'] as const;
export type MergeRequestScope = (typeof SCOPES)[number];
const STATES = ['opened', 'closed', 'locked', 'merged', 'all'] as const;

/** Filters and order of lists of merge requests. */
export class ListMergeRequestsDto {
  /** Only merge requests in this state; none is ever `locked`. */
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  /** Whose merge requests: everyone's in a project, one's own elsewhere, unless given. */
  @TextParam({ values: SCOPES })
  scope?: MergeRequestScope | null;

  /** Only merge requests with these numbers in their project. */
  @ListParam({ of: 'integer', commaSeparated: true })
  iids?: number[] | null;

  /** Only those that would merge this branch. */
  @TextParam()
  source_branch?: string | null;

  /** Only those that would merge into this branch. */
  @TextParam()
  target_branch?: string | null;

  /** Only those that bear all of these; `None` for those without, `Any` for those with labels. */
  @ListParam({ commaSeparated: true })
  labels?: string[] | null;

  /** Title of a milestone, `None` or `Any`; not together with `milestone_id`. */
  @TextParam()
  milestone?: string | null;

  /**
   * Only those without milestone, with one, with one that is active and due later, or that is
   * active and has begun; not together with `milestone`.
   */
  @TextParam({ values: TIMEBOXES })
  milestone_id?: Timebox | null;

  /** Only merge requests of this author; not together with `author_username`. */
  @IntegerParam()
  author_id?: number | null;

  /** Only merge requests of this author; not together with `author_id`. */
  @TextParam()
  author_username?: string | null;

  /** Id of an assignee, `None` or `Any`; not together with `assignee_username`. */
  @TextParam()
  assignee_id?: string | null;

  /** Only those that all of these work on; not together with `assignee_id`. */
  @ListParam({ commaSeparated: true })
  assignee_username?: string[] | null;

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

  /** Text to find in title or description. */
  @TextParam()
  search?: string | null;

  /** Where to search: `title`, `description`, or both with a comma between. */
  @ListParam({ values: ['title', 'description'], commaSeparated: true })
  in?: ('title' | 'description')[] | null;

  /** Only those made at or after this time. */
  @DateTimeParam()
  created_after?: Date | null;

  /** Only those made at or before this time. */
  @DateTimeParam()
  created_before?: Date | null;

  /** Only those changed at or after this time. */
  @DateTimeParam()
  updated_after?: Date | null;

  /** Only those changed at or before this time. */
  @DateTimeParam()
  updated_before?: Date | null;

  /** Sort column; `created_at` by default. */
  @TextParam({ values: MERGE_REQUEST_ORDERS })
  order_by?: (typeof MERGE_REQUEST_ORDERS)[number] | null;

  /** Direction of the order; `desc` unless given. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
