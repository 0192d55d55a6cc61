import {
  BooleanParam,
  DateParam,
  DateTimeParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import {
  IssuableAttributesDto,
  IssuableFiltersDto,
  STATE_EVENTS,
  type StateEvent,
} from './issuable.dto.js';
import { ISSUE_TYPES, type IssueType } from './issue.entity.js';

class IssueAttributesDto extends IssuableAttributesDto {
  /** Restricts visibility to the author, Reporters and above; updates require the Reporter role. */
  @BooleanParam()
  confidential?: boolean | null;

  /** Due date; empty for none. Ignored from users without a role in the project. */
  @DateParam()
  due_date?: string | null;

  /** Type of the issue; `incident` is ignored from users without the Reporter role. */
  @TextParam({ values: ISSUE_TYPES })
  issue_type?: IssueType | null;
}

/** POST of an issue. */
export class CreateIssueDto extends IssueAttributesDto {
  /** At most 255 characters. */
  @TextParam({ required: true, allowEmpty: false })
  title: string;

  /** Creation time; ignored unless the viewer is an Owner or administrator. */
  @DateTimeParam()
  created_at?: Date | null;

  /** Number in the project; ignored unless the viewer is an Owner or administrator. */
  @IntegerParam({ min: 1 })
  iid?: number | null;
}

/** Parameters of which a PUT of an issue needs at least one. */
export const UPDATABLE_ATTRIBUTES = [
  'add_labels',
  'assignee_id',
  'assignee_ids',
  'confidential',
  'description',
  'discussion_locked',
  'due_date',
  'issue_type',
  'labels',
  'milestone_id',
  'remove_labels',
  'state_event',
  'title',
] as const;

/**
 * PUT of an issue: at least one of these. Authors without a role change texts and state; other
 * parameters are ignored.
 */
export class UpdateIssueDto extends IssueAttributesDto {
  /** At most 255 characters. */
  @TextParam({ allowEmpty: false })
  title?: string | null;

  /** State change; closing a closed issue has no effect. */
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

/** Filters of issues other than their state. */
export class IssueFiltersDto extends IssuableFiltersDto {
  /** Only issues of this type. */
  @TextParam({ values: ISSUE_TYPES })
  issue_type?: IssueType | null;

  /** Only confidential issues, or only the others. */
  @BooleanParam()
  confidential?: boolean | null;

  /** Only issues due then; `0` for those without a due date. Days and weeks are in UTC. */
  @TextParam({ values: DUE_DATES })
  due_date?: DueDateFilter | null;
}

const ISSUE_ORDERS = ['created_at', 'updated_at', 'due_date', 'title'] as const;

/** Filters and order of lists of issues. */
export class ListIssuesDto extends IssueFiltersDto {
  /** Returns labels with color and description instead of their names. */
  @BooleanParam()
  with_labels_details?: boolean | null;

  /** Only issues in this state. */
  @TextParam({ values: ['opened', 'closed', 'all'] })
  state?: 'opened' | 'closed' | 'all' | null;

  /** Sort column; `created_at` by default. */
  @TextParam({ values: ISSUE_ORDERS })
  order_by?: (typeof ISSUE_ORDERS)[number] | null;

  /** Direction of the order; `desc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
