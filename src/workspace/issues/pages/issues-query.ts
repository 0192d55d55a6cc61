import { TextParam } from '../../../core/params/params.decorator.js';
import type { ListIssuesDto } from '../issue.dto.js';
import type { IssueType } from '../issue.entity.js';
import { commonFilters, IssuableQuery } from './issuable-list.js';

const STATES = ['opened', 'closed', 'all'] as const;

/** Sort orders of the lists: their label and their parameters. */
export const LIST_ORDERS = {
  created_desc: { label: 'Newest', order_by: 'created_at', sort: 'desc' },
  created_asc: { label: 'Oldest', order_by: 'created_at', sort: 'asc' },
  updated_desc: { label: 'Recently updated', order_by: 'updated_at', sort: 'desc' },
  due_date_asc: { label: 'Due soonest', order_by: 'due_date', sort: 'asc' },
  title_asc: { label: 'Title', order_by: 'title', sort: 'asc' },
} as const;
type OrderName = keyof typeof LIST_ORDERS;
const ORDER_NAMES = Object.keys(LIST_ORDERS) as OrderName[];

/** Filters of the lists of issues and incidents, as their addresses have them. */
export class IssuesQuery extends IssuableQuery {
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  @TextParam({ values: ORDER_NAMES })
  order?: OrderName | null;
}

/** Returns the filters of the list of a type: incidents have one of their own. */
export function filtersOf(query: IssuesQuery, type: IssueType): ListIssuesDto {
  const { order_by, sort } = LIST_ORDERS[query.order ?? 'created_desc'];
  return {
    state: query.state ?? 'opened',
    order_by,
    sort,
    issue_type: type,
    ...commonFilters(query),
  };
}
