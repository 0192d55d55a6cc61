import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** Which folder is listed. */
export class ListTreeDto {
  /** Folder; the root by default. */
  @TextParam({ maxLength: 4096 })
  path?: string | null;

  /** Branch, tag or commit; the default branch by default. */
  @TextParam()
  ref?: string | null;

  /** Includes everything below the folder. */
  @BooleanParam()
  recursive?: boolean | null;

  /**
   * `keyset` paginates by `page_token` until a page is empty; other values paginate by page number.
   */
  @TextParam({ values: ['keyset', 'legacy'] })
  pagination?: 'keyset' | 'legacy' | null;

  /** Cursor of a page with `pagination=keyset`, from the link to it. */
  @TextParam({ maxLength: 8192 })
  page_token?: string | null;
}
