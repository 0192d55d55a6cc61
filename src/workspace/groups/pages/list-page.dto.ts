import { TextParam } from '../../../core/params/params.decorator.js';

export const LIST_ORDERS = ['newest', 'name', 'oldest'] as const;
export type ListOrder = (typeof LIST_ORDERS)[number];

/** Query parameters of pages that list groups or projects. */
export class ListPageDto {
  /** Part of name or path. */
  @TextParam()
  search?: string | null;

  /** The order of the list. */
  @TextParam({ values: LIST_ORDERS })
  sort?: ListOrder | null;
}

/** The orders as a list to choose from. */
export const ORDER_CHOICES = [
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
  { value: 'name', label: 'Name' },
];

/** The same in the parameters of the finders. */
export const ORDER_PARAMS = {
  newest: { order_by: 'id', sort: 'desc' },
  oldest: { order_by: 'id', sort: 'asc' },
  name: { order_by: 'name', sort: 'asc' },
} as const;
