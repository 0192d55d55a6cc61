import { TextParam } from '../../core/params/params.decorator.js';
import { IssueFiltersDto } from './issue-filters.dto.js';

export const ISSUE_ORDERS = ['created_at', 'updated_at', 'due_date', 'title'] as const;

/** Filters and order of lists of issues. */
export class ListIssuesDto extends IssueFiltersDto {
  /** Only issues in this state. */
  @TextParam({ values: ['opened', 'closed', 'all'] })
  state?: 'opened' | 'closed' | 'all' | null;

  /** What to order by; `created_at` unless given. */
  @TextParam({ values: ISSUE_ORDERS })
  order_by?: (typeof ISSUE_ORDERS)[number] | null;

  /** Direction of the order; `desc` unless given. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
