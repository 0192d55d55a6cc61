import { TextParam } from '../../../core/params/params.decorator.js';
import type { Choice } from '../../../core/ui/components/choice-fields.js';
import type { ListIssuesDto } from '../issue-filters.dto.js';
import type { IssueType } from '../issue.entity.js';

const STATES = ['opened', 'closed', 'all'] as const;

/** Orders of the lists: their label, and what the finder calls them. */
const ORDERS = {
  created_desc: { label: 'Newest first', order_by: 'created_at', sort: 'desc' },
  created_asc: { label: 'Oldest first', order_by: 'created_at', sort: 'asc' },
  updated_desc: { label: 'Recently changed', order_by: 'updated_at', sort: 'desc' },
  due_date_asc: { label: 'Due soonest', order_by: 'due_date', sort: 'asc' },
  title_asc: { label: 'Title', order_by: 'title', sort: 'asc' },
} as const;
type OrderName = keyof typeof ORDERS;
const ORDER_NAMES = Object.keys(ORDERS) as OrderName[];

export const ORDER_CHOICES: Choice[] = ORDER_NAMES.map((value) => ({
  value,
  label: ORDERS[value].label,
}));

/** Filters of the lists of issues and incidents, as their addresses have them. */
export class IssuesQuery {
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  @TextParam()
  search?: string | null;

  @TextParam()
  label?: string | null;

  @TextParam()
  milestone?: string | null;

  @TextParam()
  assignee?: string | null;

  @TextParam({ values: ORDER_NAMES })
  order?: OrderName | null;
}

/** Returns the filters for issues of all types, or only incidents. */
export function filtersOf(query: IssuesQuery, type: IssueType): ListIssuesDto {
  const { order_by, sort } = ORDERS[query.order ?? 'created_desc'];
  return {
    state: query.state ?? 'opened',
    order_by,
    sort,
    ...(type === 'incident' && { issue_type: type }),
    ...(query.search && { search: query.search }),
    ...(query.label && { labels: [query.label] }),
    ...(query.milestone && { milestone: query.milestone }),
    ...(query.assignee && assigneeFilter(query.assignee)),
  };
}

/** The filters without the state and the page: what links to the list's tabs keep. */
export function keptFilters(query: IssuesQuery): URLSearchParams {
  const { search, label, milestone, assignee, order } = query;
  const kept = Object.entries({ search, label, milestone, assignee, order }).filter(
    (entry): entry is [string, string] => Boolean(entry[1]),
  );
  return new URLSearchParams(kept);
}

/** Returns true if the list is filtered by more than the state. */
export function isFiltered({ search, label, milestone, assignee }: IssuesQuery): boolean {
  return [search, label, milestone, assignee].some(Boolean);
}

/** Username with or without `@`; v4's `None` and `Any`. */
function assigneeFilter(text: string): Partial<ListIssuesDto> {
  const name = text.trim().replace(/^@/, '');
  if (/^(?:none|any)$/i.test(name)) return { assignee_id: name };
  return { assignee_username: [name] };
}
