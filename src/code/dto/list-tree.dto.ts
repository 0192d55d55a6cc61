import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** Which folder is listed. */
export class ListTreeDto {
  /** Folder; the root unless given. */
  @TextParam({ maxLength: 4096 })
  path?: string | null;

  /** Branch, tag or commit; the default branch unless given. */
  @TextParam()
  ref?: string | null;

  /** Everything below the folder, too. */
  @BooleanParam()
  recursive?: boolean | null;

  /**
   * `keyset` paginates by `page_token` until a page is empty; other values paginate by page number.
   */
  @TextParam({ values: ['keyset', 'legacy'] })
  pagination?: 'keyset' | 'legacy' | null;

  /** Where a page of `pagination=keyset` begins, as the link to it says. */
  @TextParam({ maxLength: 8192 })
  page_token?: string | null;
}
