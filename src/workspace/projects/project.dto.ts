import {
  BooleanParam,
  FileParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../identity/members/visibility.js';

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

/** POST /projects and POST /projects/user/:user_id */
export class CreateProjectDto extends ProjectAttributesDto {
  /** Namespace of the project; absent = the viewer's own. */
  @IntegerParam()
  namespace_id?: number | null;

  /** true creates an initial commit with a README. */
  @BooleanParam()
  initialize_with_readme?: boolean | null;
}

/** PUT /projects/:id; absent keeps, at least one must be given. */
export class UpdateProjectDto extends ProjectAttributesDto {}

/** In the order in which a refusal names them. */
export const UPDATABLE_ATTRIBUTES: readonly (keyof ProjectAttributesDto)[] = [
  'name',
  'path',
  'description',
  'visibility',
  'default_branch',
  'topics',
  'tag_list',
  'issues_enabled',
  'merge_requests_enabled',
  'wiki_enabled',
  'snippets_enabled',
  'request_access_enabled',
  'emails_enabled',
  'emails_disabled',
  'issues_access_level',
  'merge_requests_access_level',
  'wiki_access_level',
  'snippets_access_level',
  'repository_access_level',
  'avatar',
  'repository_storage',
];

/** PUT /projects/:id/transfer; `namespace` is an id or a full path. */
export class TransferProjectDto {
  /** ID or full path of the new namespace. */
  @TextParam({ required: true })
  namespace: string;
}

/** GET /projects/new */
export class NewProjectPageDto {
  /** The namespace that is chosen at first. */
  @IntegerParam()
  namespace_id?: number | null;
}
