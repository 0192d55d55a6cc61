import {
  BooleanParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { ASSIGNABLE_LEVELS } from '../../members/roles.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';

export const GROUP_ORDERS = ['name', 'path', 'id', 'similarity'] as const;

/** GET /groups and GET /groups/:id/subgroups */
export class ListGroupsDto {
  @BooleanParam()
  statistics?: boolean | null;

  @ListParam({ of: 'integer', commaSeparated: true })
  skip_groups?: number[];

  /** false leaves only groups that the asker is a member of. */
  @BooleanParam()
  all_available?: boolean | null;

  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  @TextParam()
  search?: string | null;

  @BooleanParam()
  owned?: boolean | null;

  @TextParam({ values: GROUP_ORDERS })
  order_by?: (typeof GROUP_ORDERS)[number] | null;

  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;

  @IntegerParam({ values: ASSIGNABLE_LEVELS })
  min_access_level?: number | null;

  @BooleanParam()
  top_level_only?: boolean | null;

  /** Administrators only; dropped for everybody else. */
  @TextParam()
  repository_storage?: string | null;

  @TextParam({ values: ['keyset', 'legacy', 'offset'] })
  pagination?: string | null;

  /** Where a page of `pagination=keyset` begins. */
  @TextParam()
  cursor?: string | null;
}
