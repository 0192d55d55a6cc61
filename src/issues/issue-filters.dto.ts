import {
  BooleanParam,
  DateTimeParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../core/params/params.decorator.js';
import { TIMEBOXES, type Timebox } from '../milestones/milestone.dto.js';
import { ISSUE_TYPES, type IssueType } from './issue.entity.js';

const ISSUE_SCOPES = ['created_by_me', 'assigned_to_me', 'all'] as const;
export type IssueScope = (typeof ISSUE_SCOPES)[number];

const DUE_DATES = [
  '0',
  'any',
  'today',
  'tomorrow',
  'overdue',
  'week',
  'month',
  'next_month_and_previous_two_weeks',
] as const;
export type DueDateFilter = (typeof DUE_DATES)[number];

/** Which issues are meant, whatever their state. */
export class IssueFiltersDto {
  /** Whose issues: everyone's in a project, one's own elsewhere, unless given. */
  @TextParam({ values: ISSUE_SCOPES })
  scope?: IssueScope | null;

  /** Only issues with these numbers in their project. */
  @ListParam({ of: 'integer', commaSeparated: true })
  iids?: number[] | null;

  /** Only issues of this type. */
  @TextParam({ values: ISSUE_TYPES })
  issue_type?: IssueType | null;

  /** Only issues that bear all of these; `None` for those without, `Any` for those with labels. */
  @ListParam({ commaSeparated: true })
  labels?: string[] | null;

  /** Title of a milestone, `None` or `Any`; not together with `milestone_id`. */
  @TextParam()
  milestone?: string | null;

  /**
   * Only issues without milestone, with one, with one that is active and due later, or that is
   * active and has begun; not together with `milestone`.
   */
  @TextParam({ values: TIMEBOXES })
  milestone_id?: Timebox | null;

  /** Only issues of this author; not together with `author_username`. */
  @IntegerParam()
  author_id?: number | null;

  /** Only issues of this author; not together with `author_id`. */
  @TextParam()
  author_username?: string | null;

  /** Id of an assignee, `None` or `Any`; not together with `assignee_username`. */
  @TextParam()
  assignee_id?: string | null;

  /** Only issues that all of these work on; not together with `assignee_id`. */
  @ListParam({ commaSeparated: true })
  assignee_username?: string[] | null;

  /** Only confidential issues, or only the others. */
  @BooleanParam()
  confidential?: boolean | null;

  /** Only issues due then; `0` for those that are never due. Days and weeks are those of UTC. */
  @TextParam({ values: DUE_DATES })
  due_date?: DueDateFilter | null;

  /** Text to find in title or description. */
  @TextParam()
  search?: string | null;

  /** Where to search: `title`, `description`, or both with a comma between. */
  @ListParam({ values: ['title', 'description'], commaSeparated: true })
  in?: ('title' | 'description')[] | null;

  /** Only issues made at or after this time. */
  @DateTimeParam()
  created_after?: Date | null;

  /** Only issues made at or before this time. */
  @DateTimeParam()
  created_before?: Date | null;

  /** Only issues changed at or after this time. */
  @DateTimeParam()
  updated_after?: Date | null;

  /** Only issues changed at or before this time. */
  @DateTimeParam()
  updated_before?: Date | null;
}

export const ISSUE_ORDERS = ['created_at', 'updated_at', 'due_date', 'title'] as const;

/** Filters and order of lists of issues. */
export class ListIssuesDto extends IssueFiltersDto {
  /** Only issues in this state. */
  @TextParam({ values: ['opened', 'closed', 'all'] })
  state?: 'opened' | 'closed' | 'all' | null;

  /** Sort column; `created_at` by default. */
  @TextParam({ values: ISSUE_ORDERS })
  order_by?: (typeof ISSUE_ORDERS)[number] | null;

  /** Direction of the order; `desc` unless given. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
