import {
  BooleanParam,
  DateTimeParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';

const ISSUE_ORDERS = ['created_at', 'updated_at', 'title'] as const;

/** Filters of the issues of a project. */
export class ListIssuesDto {
  /** Only issues in this state. */
  @TextParam({ values: ['opened', 'closed', 'all'] })
  state?: 'opened' | 'closed' | 'all' | null;

  /** Only issues with these numbers in their project. */
  @ListParam({ of: 'integer', commaSeparated: true })
  iids?: number[] | null;

  /** Only issues of this author; not together with `author_username`. */
  @IntegerParam()
  author_id?: number | null;

  /** Only issues of this author; not together with `author_id`. */
  @TextParam()
  author_username?: string | null;

  /** Only confidential issues, or only the others. */
  @BooleanParam()
  confidential?: boolean | null;

  /** Text to find in title or description. */
  @TextParam()
  search?: string | null;

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

  /** What to order by; `created_at` unless given. */
  @TextParam({ values: ISSUE_ORDERS })
  order_by?: (typeof ISSUE_ORDERS)[number] | null;

  /** Direction of the order; `desc` unless given. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}

/** Filters of the issues of all projects. */
export class ListAllIssuesDto extends ListIssuesDto {
  /** Whose issues; one's own unless given. Nobody is assigned to issues. */
  @TextParam({ values: ['created_by_me', 'assigned_to_me', 'all'] })
  scope?: 'created_by_me' | 'assigned_to_me' | 'all' | null;
}
