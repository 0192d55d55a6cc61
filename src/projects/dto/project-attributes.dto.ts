import { BooleanParam, ListParam, TextParam } from '../../core/params/params.decorator.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';

const FEATURE_LEVELS = ['disabled', 'enabled'] as const;

/** What can be given both at creation and later. */
export class ProjectAttributesDto {
  @TextParam()
  name?: string | null;

  @TextParam()
  path?: string | null;

  @TextParam({ maxLength: 2000 })
  description?: string | null;

  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  @TextParam()
  default_branch?: string | null;

  @ListParam({ commaSeparated: true, maxItems: 50 })
  topics?: string[];

  /** Former name of `topics`. */
  @ListParam({ commaSeparated: true, maxItems: 50 })
  tag_list?: string[];

  @BooleanParam()
  issues_enabled?: boolean | null;

  @BooleanParam()
  merge_requests_enabled?: boolean | null;

  @BooleanParam()
  wiki_enabled?: boolean | null;

  @BooleanParam()
  snippets_enabled?: boolean | null;

  @BooleanParam()
  request_access_enabled?: boolean | null;

  @TextParam({ values: FEATURE_LEVELS })
  issues_access_level?: string | null;

  @TextParam({ values: FEATURE_LEVELS })
  merge_requests_access_level?: string | null;

  @TextParam({ values: FEATURE_LEVELS })
  wiki_access_level?: string | null;

  @TextParam({ values: FEATURE_LEVELS })
  snippets_access_level?: string | null;

  @TextParam({ values: FEATURE_LEVELS })
  repository_access_level?: string | null;

  /** Administrators only; ignored from everybody else. */
  @TextParam()
  repository_storage?: string | null;
}
