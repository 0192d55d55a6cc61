import { BooleanParam, IntegerParam, TextParam } from '../../core/params/params.decorator.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';

/** POST /groups */
export class CreateGroupDto {
  @TextParam({ required: true })
  name: string;

  @TextParam({ required: true })
  path: string;

  @IntegerParam()
  parent_id?: number | null;

  @TextParam({ maxLength: 500 })
  description?: string | null;

  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  @BooleanParam()
  request_access_enabled?: boolean | null;
}
