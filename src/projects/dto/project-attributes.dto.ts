import {
  BooleanParam,
  FileParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';

const FEATURE_LEVELS = ['disabled', 'enabled'] as const;
type FeatureLevel = (typeof FEATURE_LEVELS)[number];

/** Attributes of a project for create and update. */
export class ProjectAttributesDto {
  /** Letters, digits, emoji, '_', '.', '(', ')', '+', dashes and spaces; derived from `path` when absent. */
  @TextParam()
  name?: string | null;

  /** Last part of the full path; derived from `name` when absent. */
  @TextParam()
  path?: string | null;

  /** Description of the project. */
  @TextParam({ maxLength: 2000 })
  description?: string | null;

  /** private: members; internal: all signed-in users; public: everyone. Not above the group's. */
  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  /** Branch that clones check out. */
  @TextParam()
  default_branch?: string | null;

  /** Topics, as a list or separated by commas. */
  @ListParam({ commaSeparated: true, maxItems: 50 })
  topics?: string[];

  /** Deprecated name of `topics`. */
  @ListParam({ commaSeparated: true, maxItems: 50 })
  tag_list?: string[];

  /** Enables issues. */
  @BooleanParam()
  issues_enabled?: boolean | null;

  /** Enables merge requests. */
  @BooleanParam()
  merge_requests_enabled?: boolean | null;

  /** Enables the wiki. */
  @BooleanParam()
  wiki_enabled?: boolean | null;

  /** Enables snippets. */
  @BooleanParam()
  snippets_enabled?: boolean | null;

  /** Allows users to request access. */
  @BooleanParam()
  request_access_enabled?: boolean | null;

  /** Enables notification emails for the project; for owners. */
  @BooleanParam()
  emails_enabled?: boolean | null;

  /** Former, opposite form of `emails_enabled`. */
  @BooleanParam()
  emails_disabled?: boolean | null;

  /** Alias of `issues_enabled`. */
  @TextParam({ values: FEATURE_LEVELS })
  issues_access_level?: FeatureLevel | null;

  /** Alias of `merge_requests_enabled`. */
  @TextParam({ values: FEATURE_LEVELS })
  merge_requests_access_level?: FeatureLevel | null;

  /** Alias of `wiki_enabled`. */
  @TextParam({ values: FEATURE_LEVELS })
  wiki_access_level?: FeatureLevel | null;

  /** Alias of `snippets_enabled`. */
  @TextParam({ values: FEATURE_LEVELS })
  snippets_access_level?: FeatureLevel | null;

  /** Enables reading and cloning the code. */
  @TextParam({ values: FEATURE_LEVELS })
  repository_access_level?: FeatureLevel | null;

  /** PNG, JPEG, GIF or WebP image of at most 200 KiB, as multipart/form-data; empty removes it. */
  @FileParam()
  avatar?: Buffer | null;

  /** Administrators only; ignored for everyone else. */
  @TextParam()
  repository_storage?: string | null;
}
