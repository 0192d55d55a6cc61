import { TextParam } from '../../../core/params/params.decorator.js';

export const REF_ORDERS = ['updated_desc', 'updated_asc', 'name'] as const;

/** Query parameters of branch and tag lists. */
export class RefListDto {
  /** Part of the name. */
  @TextParam()
  search?: string | null;

  /** The order of the list. */
  @TextParam({ values: REF_ORDERS })
  sort?: (typeof REF_ORDERS)[number] | null;
}

/** The orders as a list to choose from. */
export const REF_ORDER_CHOICES = [
  { value: 'updated_desc', label: 'Latest first' },
  { value: 'updated_asc', label: 'Oldest first' },
  { value: 'name', label: 'By name' },
];
