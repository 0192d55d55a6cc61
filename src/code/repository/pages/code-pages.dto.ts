import { TextParam } from '../../../core/params/params.decorator.js';

/** GET /:project/-/blob/:ref/:path */
export class BlobPageDto {
  /** Anything but nothing shows Markdown as it was written. */
  @TextParam()
  plain?: string | null;
}

/** GET /:project/-/refs/switch */
export class SwitchRefDto {
  /** Branch, tag or commit to go to. */
  @TextParam()
  ref?: string | null;

  /** Kind of the page to go to: `tree`, `blob` or `commits`. */
  @TextParam()
  destination?: string | null;

  /** File or folder to be shown there. */
  @TextParam()
  path?: string | null;
}

const REF_ORDERS = ['updated_desc', 'updated_asc', 'name'] as const;

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

/** GET /:project/-/compare */
export class ComparePageDto {
  /** Branch, tag or commit to start at; the default branch unless given. */
  @TextParam()
  from?: string | null;

  /** Branch, tag or commit whose changes are shown. */
  @TextParam()
  to?: string | null;
}
