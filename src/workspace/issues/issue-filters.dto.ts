import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { IssuableFiltersDto } from './issuable.dto.js';
import { ISSUE_TYPES, type IssueType } from './issue.entity.js';

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

export const ISSUE_ORDERS = ['created_at', 'updated_at', 'due_date', 'title'] as const;

/** Filters and order of lists of issues. */
export class ListIssuesDto extends IssueFiltersDto {
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
