import {
  BooleanParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { ASSIGNABLE_LEVELS, type AssignableLevel } from '../../members/roles.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';

export const GROUP_ORDERS = ['name', 'path', 'id', 'similarity'] as const;

/** GET /groups and GET /groups/:id/subgroups */
export class ListGroupsDto {
  /** Accepted for compatibility; no statistics are kept. */
  @BooleanParam()
  statistics?: boolean | null;

  /** All but these groups, as a list or separated by commas. */
  @ListParam({ of: 'integer', commaSeparated: true })
  skip_groups?: number[];

  /** false leaves only groups that the asker is a member of. */
  @BooleanParam()
  all_available?: boolean | null;

  /** Only groups of this visibility. */
  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  /** Part of name or path. */
  @TextParam()
  search?: string | null;

  /** true leaves only groups that the asker owns. */
  @BooleanParam()
  owned?: boolean | null;

  /** What to order by, `name` by default; `similarity` needs `search`. */
  @TextParam({ values: GROUP_ORDERS })
  order_by?: (typeof GROUP_ORDERS)[number] | null;

  /** Direction of the order, `asc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;

  /** Only groups in which the asker has at least this level. */
  @IntegerParam({ values: ASSIGNABLE_LEVELS })
  min_access_level?: AssignableLevel | null;

  /** true leaves out subgroups. */
  @BooleanParam()
  top_level_only?: boolean | null;

  /** Administrators only; dropped for everybody else. */
  @TextParam()
  repository_storage?: string | null;

  /**
   * Pagination method; values other than `keyset` paginate by `page`. `keyset` requires
   * `order_by=name` and sorts in ascending order by default.
   */
  @TextParam({ values: ['keyset', 'legacy', 'offset'] })
  pagination?: 'keyset' | 'legacy' | 'offset' | null;

  /** Where a page of `pagination=keyset` begins. */
  @TextParam()
  cursor?: string | null;
}
