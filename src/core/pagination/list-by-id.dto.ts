import { TextParam } from '../params/params.decorator.js';

/** Parameters of lists that go by id and have keyset pagination by cursor. */
export class ListByIdDto {
  /** The only supported order. */
  @TextParam({ values: ['id'] })
  order_by?: 'id' | null;

  /** Newest first by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;

  /**
   * `keyset` paginates by `cursor` until a page is empty; other values paginate by page number.
   * Keyset pagination requires `order_by` and sorts newest first by default.
   */
  @TextParam({ values: ['keyset', 'legacy', 'offset'] })
  pagination?: 'keyset' | 'legacy' | 'offset' | null;

  /** Cursor of a page with `pagination=keyset`, from the link to it. */
  @TextParam()
  cursor?: string | null;
}
