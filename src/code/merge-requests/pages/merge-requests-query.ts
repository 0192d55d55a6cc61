import { TextParam } from '../../../core/params/params.decorator.js';
import {
  commonFilters,
  IssuableQuery,
  isNoneOrAny,
  nameIn,
} from '../../../workspace/issues/pages/issuable-list.js';
import type { ListMergeRequestsDto } from '../merge-request.dto.js';

const STATES = ['opened', 'merged', 'closed', 'all'] as const;

/** Orders of the list: their label, and the parameters of the list. */
export const LIST_ORDERS = {
  created_desc: { label: 'Newest', order_by: 'created_at', sort: 'desc' },
  created_asc: { label: 'Oldest', order_by: 'created_at', sort: 'asc' },
  updated_desc: { label: 'Recently updated', order_by: 'updated_at', sort: 'desc' },
  merged_desc: { label: 'Recently merged', order_by: 'merged_at', sort: 'desc' },
  title_asc: { label: 'Title', order_by: 'title', sort: 'asc' },
} as const;
type OrderName = keyof typeof LIST_ORDERS;
const ORDER_NAMES = Object.keys(LIST_ORDERS) as OrderName[];

/** Filters of the list of merge requests, as its addresses have them. */
export class MergeRequestsQuery extends IssuableQuery {
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  @TextParam()
  author?: string | null;

  @TextParam()
  reviewer?: string | null;

  @TextParam({ values: ORDER_NAMES })
  order?: OrderName | null;
}

/** Returns the parameters of the list. */
export function filtersOf(query: MergeRequestsQuery): ListMergeRequestsDto {
  const { order_by, sort } = LIST_ORDERS[query.order ?? 'created_desc'];
  const [author, reviewer] = [nameIn(query.author), nameIn(query.reviewer)];
  return {
    state: query.state ?? 'opened',
    order_by,
    sort,
    ...commonFilters(query),
    ...(author && { author_username: author }),
    ...(reviewer &&
      (isNoneOrAny(reviewer) ? { reviewer_id: reviewer } : { reviewer_username: reviewer })),
  };
}
