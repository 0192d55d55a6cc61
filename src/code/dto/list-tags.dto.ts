import { TextParam } from '../../core/params/params.decorator.js';

/** Filters of tags. */
export class ListTagsDto {
  /** Text in the name; `^text` at its beginning, `text$` at its end. */
  @TextParam()
  search?: string | null;

  /** `updated` unless given: when the tag, or its commit, was made. */
  @TextParam({ values: ['name', 'updated', 'version'] })
  order_by?: 'name' | 'updated' | 'version' | null;

  /** `desc` unless given. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}
