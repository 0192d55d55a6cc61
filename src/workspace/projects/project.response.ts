import type { UserBasicResponse } from '../../identity/users/user.presenter.js';
import type { AccessLevel } from '../../identity/members/roles.js';
import type { VisibilityName } from '../../identity/members/visibility.js';
import type { NamespaceResponse, ShareResponse } from '../groups/group.response.js';

/** Project in other responses. */
export interface ProjectIdentityResponse {
  id: number;
  description: string | null;
  /** @example "Lathe" */
  name: string;
  /** @example "Tools / Builders / Lathe" */
  name_with_namespace: string;
  /**
   * The last part of `path_with_namespace`.
   * @example "lathe"
   */
  path: string;
  /** @example "tools/builders/lathe" */
  path_with_namespace: string;
  /** @format date-time */
  created_at: string;
}

/** Short form of a project: for anonymous requests and `simple=true`. */
export interface ProjectBasicResponse extends ProjectIdentityResponse {
  /**
   * Absent for users who cannot read the code; null in an empty repository without one.
   * @example "main"
   */
  default_branch?: string | null;
  /** Deprecated name of `topics`. */
  tag_list: string[];
  /** @example ["woodwork", "cnc"] */
  topics: string[];
  /** Always null: Git over SSH is not supported. */
  ssh_url_to_repo: null;
  /** @example "https://guildhall.example.com/tools/builders/lathe.git" */
  http_url_to_repo: string;
  /** @example "https://guildhall.example.com/tools/builders/lathe" */
  web_url: string;
  /** Absent for users who cannot read the code. */
  readme_url?: string | null;
  /** Absent for users who cannot read the code. */
  forks_count?: number;
  /** URL of the avatar; null without one. */
  avatar_url: string | null;
  star_count: number;
  /** @format date-time */
  last_activity_at: string;
  namespace: NamespaceResponse;
}

/** API URLs of a project's parts. */
export interface ProjectLinksResponse {
  /** @example "https://guildhall.example.com/api/v4/projects/17" */
  self: string;
  /** @example "https://guildhall.example.com/api/v4/projects/17/issues" */
  issues: string;
  /** @example "https://guildhall.example.com/api/v4/projects/17/merge_requests" */
  merge_requests: string;
  /** @example "https://guildhall.example.com/api/v4/projects/17/repository/branches" */
  repo_branches: string;
  /** @example "https://guildhall.example.com/api/v4/projects/17/labels" */
  labels: string;
  /** @example "https://guildhall.example.com/api/v4/projects/17/events" */
  events: string;
  /** @example "https://guildhall.example.com/api/v4/projects/17/members" */
  members: string;
  /** @example "https://guildhall.example.com/api/v4/projects/17/cluster_agents" */
  cluster_agents: string;
}

/** State of a project's feature. */
export type FeatureLevelResponse = 'disabled' | 'enabled';

/** Features of a project; what the product does not have is off. */
export interface FeaturesResponse {
  issues_enabled: boolean;
  merge_requests_enabled: boolean;
  wiki_enabled: boolean;
  jobs_enabled: boolean;
  snippets_enabled: boolean;
  container_registry_enabled: boolean;
  packages_enabled: boolean;
  lfs_enabled: boolean;
  /** True if users can request access. */
  request_access_enabled: boolean;
  /** Former, opposite form of `emails_enabled`. */
  emails_disabled: boolean;
  /** True if notification emails are enabled for the project and all of its groups. */
  emails_enabled: boolean;
  issues_access_level: FeatureLevelResponse;
  repository_access_level: FeatureLevelResponse;
  merge_requests_access_level: FeatureLevelResponse;
  wiki_access_level: FeatureLevelResponse;
  snippets_access_level: FeatureLevelResponse;
  builds_access_level: FeatureLevelResponse;
  forking_access_level: FeatureLevelResponse;
  merge_method: 'merge';
}

/** Access level and notification level of the viewer. */
export interface AccessResponse {
  /** 10 Guest, 15 Planner, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner. */
  access_level: AccessLevel;
  /** 3 = the user's global setting. */
  notification_level: number;
}

/** Permissions of the viewer. */
interface PermissionsResponse {
  /** Direct membership of the project; null without one. */
  project_access: AccessResponse | null;
  /** Highest membership of its groups; null without one. */
  group_access: AccessResponse | null;
}

/** Full form of a project, for signed-in users. */
export interface ProjectResponse extends ProjectBasicResponse, FeaturesResponse {
  _links: ProjectLinksResponse;
  /** true until the first push. */
  empty_repo: boolean;
  /** Archived projects are read-only for everyone. */
  archived: boolean;
  visibility: VisibilityName;
  /** Owner of the namespace; absent for projects of groups. */
  owner?: UserBasicResponse;
  /** User who created the project; null after their deletion. */
  creator_id: number | null;
  import_status: 'none';
  open_issues_count: number;
  /** Always empty: projects cannot be shared with groups. */
  shared_with_groups: ShareResponse[];
  /**
   * Storage of the repositories; for administrators only.
   * @example "default"
   */
  repository_storage?: string;
  permissions: PermissionsResponse;
}
