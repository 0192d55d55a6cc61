import { TextParam } from '../../../core/params/params.decorator.js';
import type { Choice } from '../../../core/ui/components/choice-fields.js';
import type { ListMergeRequestsDto } from '../merge-request-filters.dto.js';

const STATES = ['opened', 'merged', 'closed', 'all'] as const;

/** Orders of the list: their label, and the parameters of the list. */
const ORDERS = {
  created_desc: { label: 'Newest first', order_by: 'created_at', sort: 'desc' },
  created_asc: { label: 'Oldest first', order_by: 'created_at', sort: 'asc' },
  updated_desc: { label: 'Recently changed', order_by: 'updated_at', sort: 'desc' },
  merged_desc: { label: 'Recently merged', order_by: 'merged_at', sort: 'desc' },
  title_asc: { label: 'Title', order_by: 'title', sort: 'asc' },
} as const;
type OrderName = keyof typeof ORDERS;
const ORDER_NAMES = Object.keys(ORDERS) as OrderName[];

export const ORDER_CHOICES: Choice[] = ORDER_NAMES.map((value) => ({
  value,
  label: ORDERS[value].label,
}));

/** Filters of the list of merge requests, as its addresses have them. */
export class MergeRequestsQuery {
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  @TextParam()
  search?: string | null;

  @TextParam()
  label?: string | null;

  @TextParam()
  milestone?: string | null;

  @TextParam()
  author?: string | null;

  @TextParam()
  assignee?: string | null;

  @TextParam()
  reviewer?: string | null;

  @TextParam({ values: ORDER_NAMES })
  order?: OrderName | null;
}

/** Returns the parameters of the list. */
export function filtersOf(query: MergeRequestsQuery): ListMergeRequestsDto {
  const { order_by, sort } = ORDERS[query.order ?? 'created_desc'];
  return {
    state: query.state ?? 'opened',
    order_by,
    sort,
    ...(query.search && { search: query.search }),
    ...(query.label && { labels: [query.label] }),
    ...(query.milestone && { milestone: query.milestone }),
    ...(query.author && { author_username: nameIn(query.author) }),
    ...(query.assignee && assigneeFilter(nameIn(query.assignee))),
    ...(query.reviewer && reviewerFilter(nameIn(query.reviewer))),
  };
}

/** The filters without the state and the page: what links to the list's tabs keep. */
export function keptFilters(query: MergeRequestsQuery): URLSearchParams {
  const { search, label, milestone, author, assignee, reviewer, order } = query;
  const fields = { search, label, milestone, author, assignee, reviewer, order };
  const kept = Object.entries(fields).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  );
  return new URLSearchParams(kept);
}

/** Returns true if the list is filtered by more than the state. */
export function isFiltered(query: MergeRequestsQuery): boolean {
  const kept = keptFilters(query);
  kept.delete('order');
  return kept.size > 0;
}

/** A name can be written with `@` in front. */
function nameIn(text: string): string {
  return text.trim().replace(/^@/, '');
}

/** Returns true for v4's `None` and `Any`. */
function isWord(name: string): boolean {
  return /^(?:none|any)$/i.test(name);
}

function assigneeFilter(name: string): Partial<ListMergeRequestsDto> {
  return isWord(name) ? { assignee_id: name } : { assignee_username: [name] };
}

function reviewerFilter(name: string): Partial<ListMergeRequestsDto> {
  return isWord(name) ? { reviewer_id: name } : { reviewer_username: name };
}
