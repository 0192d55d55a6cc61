import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';

/** PUT /groups/:id; absent keeps. */
export class UpdateGroupDto {
  @TextParam()
  name?: string | null;

  @TextParam()
  path?: string | null;

  @TextParam({ maxLength: 500 })
  description?: string | null;

  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  @BooleanParam()
  request_access_enabled?: boolean | null;
}
