import { TextParam } from '../../core/params/params.decorator.js';

/** Filters of tags. */
export class ListTagsDto {
  /** Text in the name; `^text` for its beginning, `text$` for its end. */
  @TextParam()
  search?: string | null;

  /** `updated` by default: creation of the tag, or of its commit. */
  @TextParam({ values: ['name', 'updated', 'version'] })
  order_by?: 'name' | 'updated' | 'version' | null;

  /** `desc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
