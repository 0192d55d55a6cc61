import {
  BooleanParam,
  DateTimeParam,
  IntegerParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { ASSIGNABLE_LEVELS } from '../../members/roles.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';

export const PROJECT_ORDERS = [
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
  @TextParam({ values: PROJECT_ORDERS })
  order_by?: (typeof PROJECT_ORDERS)[number] | null;

  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;

  @BooleanParam()
  archived?: boolean | null;

  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  @TextParam()
  search?: string | null;

  @BooleanParam()
  search_namespaces?: boolean | null;

  @BooleanParam()
  owned?: boolean | null;

  /** Nobody can star projects yet, so true finds none. */
  @BooleanParam()
  starred?: boolean | null;

  /** Nothing is imported, so true finds none. */
  @BooleanParam()
  imported?: boolean | null;

  @BooleanParam()
  membership?: boolean | null;

  @BooleanParam()
  with_issues_enabled?: boolean | null;

  @BooleanParam()
  with_merge_requests_enabled?: boolean | null;

  /** Languages are not detected, so any value finds none. */
  @TextParam()
  with_programming_language?: string | null;

  @IntegerParam({ values: ASSIGNABLE_LEVELS })
  min_access_level?: number | null;

  @IntegerParam()
  id_after?: number | null;

  @IntegerParam()
  id_before?: number | null;

  @DateTimeParam()
  last_activity_after?: Date | null;

  @DateTimeParam()
  last_activity_before?: Date | null;

  @DateTimeParam()
  updated_after?: Date | null;

  @DateTimeParam()
  updated_before?: Date | null;

  /** Administrators only; dropped for everybody else. */
  @TextParam()
  repository_storage?: string | null;

  /** Topics separated by commas; a project must have them all. */
  @TextParam()
  topic?: string | null;

  /** Topics have no ids, so any value finds none. */
  @IntegerParam()
  topic_id?: number | null;

  @BooleanParam()
  simple?: boolean | null;

  @BooleanParam()
  statistics?: boolean | null;

  @BooleanParam()
  license?: boolean | null;

  @BooleanParam()
  with_custom_attributes?: boolean | null;

  /** Administrators only; dropped for everybody else. */
  @BooleanParam()
  include_pending_delete?: boolean | null;

  @BooleanParam()
  include_subgroups?: boolean | null;

  @TextParam({ values: ['keyset', 'legacy', 'offset'] })
  pagination?: string | null;
}
