import {
  BooleanParam,
  DateTimeParam,
  IntegerParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { ASSIGNABLE_LEVELS, type AssignableLevel } from '../../identity/members/roles.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../identity/members/visibility.js';

const PROJECT_ORDERS = [
  'id',
  'name',
  'path',
  'created_at',
  'updated_at',
  'last_activity_at',
  'similarity',
  'star_count',
  'storage_size',
  'repository_size',
  'wiki_size',
  'packages_size',
] as const;

/** GET /projects and GET /groups/:id/projects */
export class ListProjectsDto {
  /** Sort column, `created_at` by default; `similarity` needs `search`. */
  @TextParam({ values: PROJECT_ORDERS })
  order_by?: (typeof PROJECT_ORDERS)[number] | null;

  /** Direction of the order, `desc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;

  /** Only archived projects, or only others. */
  @BooleanParam()
  archived?: boolean | null;

  /** Only projects of this visibility. */
  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  /** Part of name, path or description. */
  @TextParam()
  search?: string | null;

  /** true lets `search` also find full paths and names of groups. */
  @BooleanParam()
  search_namespaces?: boolean | null;

  /** true: only projects that the viewer owns. */
  @BooleanParam()
  owned?: boolean | null;

  /** Stars do not exist yet, so true finds no projects. */
  @BooleanParam()
  starred?: boolean | null;

  /** Imports do not exist, so true finds none. */
  @BooleanParam()
  imported?: boolean | null;

  /** true: only projects that the viewer is a member of. */
  @BooleanParam()
  membership?: boolean | null;

  /** true: only projects with issues enabled. */
  @BooleanParam()
  with_issues_enabled?: boolean | null;

  /** true: only projects with merge requests enabled. */
  @BooleanParam()
  with_merge_requests_enabled?: boolean | null;

  /** Languages are not detected, so any value finds none. */
  @TextParam()
  with_programming_language?: string | null;

  /** Only projects in which the viewer has at least this level. */
  @IntegerParam({ values: ASSIGNABLE_LEVELS })
  min_access_level?: AssignableLevel | null;

  /** Only projects with a greater ID. */
  @IntegerParam()
  id_after?: number | null;

  /** Only projects with a smaller ID. */
  @IntegerParam()
  id_before?: number | null;

  /** Only projects with activity at or after this time. */
  @DateTimeParam()
  last_activity_after?: Date | null;

  /** Only projects whose last activity was at or before this time. */
  @DateTimeParam()
  last_activity_before?: Date | null;

  /** Only projects updated at or after this time; requires `order_by=updated_at`. */
  @DateTimeParam()
  updated_after?: Date | null;

  /** Only projects last updated at or before this time; requires `order_by=updated_at`. */
  @DateTimeParam()
  updated_before?: Date | null;

  /** Administrators only; ignored for everyone else. */
  @TextParam()
  repository_storage?: string | null;

  /** Topics separated by commas; projects must have all of them. */
  @TextParam()
  topic?: string | null;

  /** Topics have no IDs, so any value finds none. */
  @IntegerParam()
  topic_id?: number | null;

  /** true returns the short form. */
  @BooleanParam()
  simple?: boolean | null;

  /** Accepted for compatibility; no statistics are kept. */
  @BooleanParam()
  statistics?: boolean | null;

  /** Accepted for compatibility; licenses are not detected. */
  @BooleanParam()
  license?: boolean | null;

  /** Accepted for compatibility; there are no custom attributes. */
  @BooleanParam()
  with_custom_attributes?: boolean | null;

  /** Administrators only; ignored for everyone else. */
  @BooleanParam()
  include_pending_delete?: boolean | null;

  /** true includes projects of subgroups. */
  @BooleanParam()
  include_subgroups?: boolean | null;

  /**
   * Pagination method; values other than `keyset` paginate by `page`. `keyset` requires
   * `order_by=id` and sorts newest first by default.
   */
  @TextParam({ values: ['keyset', 'legacy', 'offset'] })
  pagination?: 'keyset' | 'legacy' | 'offset' | null;
}
