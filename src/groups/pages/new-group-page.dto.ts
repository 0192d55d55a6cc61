import { IntegerParam } from '../../core/params/params.decorator.js';

/** GET /groups/new */
export class NewGroupPageDto {
  /** The group above the new one. */
  @IntegerParam()
  parent_id?: number | null;
}
