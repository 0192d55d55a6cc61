import { avatarUrl } from '../../core/avatars/avatar.js';
import { type AccessLevel, ROLES } from '../../identity/members/roles.js';
import { type VisibilityName, visibilityName } from '../../identity/members/visibility.js';
import type { ItemFormat } from '../../core/sql/json-pages.service.js';
import type { NamespaceKind } from '../../identity/users/namespace.entity.js';
import type { FreshGroup } from './sql/group-list.js';
import type { ResponseContext } from '../../core/response-context.js';
import type { GroupRow } from './groups.repository.js';

export interface NamespaceRow {
  id: number;
  name: string;
  path: string;
  kind: NamespaceKind;
  fullPath: string;
  parentId: number | null;
  /** The user whose namespace it is; null for groups. */
  ownerId: number | null;
  /** Digest of the images of the group's or the user's avatar; null without one. */
  avatar: string | null;
}

/** Namespace of a project: a group or a user's namespace. */
export interface NamespaceResponse {
  id: number;
  /** @example "Builders" */
  name: string;
  /**
   * The last part of `full_path`.
   * @example "builders"
   */
  path: string;
  kind: NamespaceKind;
  /** @example "tools/builders" */
  full_path: string;
  /** Parent group; null for top-level groups and users. */
  parent_id: number | null;
  /** URL of the avatar; null without one. */
  avatar_url: string | null;
  /** @example "https://guildhall.example.com/groups/tools/builders" */
  web_url: string;
}

/** Returns the namespace of a project: a group or a user's namespace. */
export function presentNamespace(row: NamespaceRow, baseUrl: string): NamespaceResponse {
  const webPath = row.kind === 'group' ? `groups/${row.fullPath}` : row.fullPath;
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    kind: row.kind,
    full_path: row.fullPath,
    parent_id: row.parentId,
    avatar_url: avatarOf(row, baseUrl),
    web_url: `${baseUrl}/${webPath}`,
  };
}

/** A user's namespace shows the user's avatar. */
function avatarOf({ id, kind, ownerId, avatar }: NamespaceRow, baseUrl: string): string | null {
  return avatarUrl(kind, { id: ownerId ?? id, avatar }, baseUrl);
}

/** Group in other responses. */
export interface GroupBasicResponse {
  id: number;
  /** @example "https://guildhall.example.com/groups/tools/builders" */
  web_url: string;
  /** @example "Builders" */
  name: string;
}

/** Access level for a protected branch. */
interface AllowanceResponse {
  access_level: AccessLevel;
}

/** Protection of the default branches of new projects. */
interface BranchProtectionResponse {
  allowed_to_push: AllowanceResponse[];
  allow_force_push: boolean;
  allowed_to_merge: AllowanceResponse[];
}

/** Rules that hold in every group of the instance. */
interface GroupPoliciesResponse {
  share_with_group_lock: boolean;
  require_two_factor_authentication: boolean;
  /** Grace period for two-factor authentication in hours. */
  two_factor_grace_period: number;
  /** Role that can create projects: Developers and above. */
  project_creation_level: 'developer';
  /** Role that can create subgroups: Owners. */
  subgroup_creation_level: 'owner';
  auto_devops_enabled: boolean | null;
  /** Former, opposite form of `emails_enabled`. */
  emails_disabled: boolean;
  /** True if notification emails are enabled for the group and all of its ancestors. */
  emails_enabled: boolean;
  mentions_disabled: boolean | null;
  lfs_enabled: boolean;
  archived: boolean;
  /** Default branch name of new projects; null = the instance's. */
  default_branch: string | null;
  /** 2 = Maintainers push, history cannot be rewritten. */
  default_branch_protection: number;
  default_branch_protection_defaults: BranchProtectionResponse;
  request_access_enabled: boolean;
}

/** A group in lists. */
export interface GroupResponse extends GroupBasicResponse, GroupPoliciesResponse {
  /**
   * The last part of `full_path`.
   * @example "builders"
   */
  path: string;
  description: string;
  visibility: VisibilityName;
  /** URL of the avatar; null without one. */
  avatar_url: string | null;
  /** @example "Tools / Builders" */
  full_name: string;
  /** @example "tools/builders" */
  full_path: string;
  /** @format date-time */
  created_at: string;
  /** Parent group; null for a top-level group. */
  parent_id: number | null;
  organization_id: number;
  shared_runners_setting: 'enabled';
  /**
   * Always null: deletion is immediate.
   * @format date
   */
  marked_for_deletion_on: string | null;
  /**
   * Storage of the group's wiki; for administrators only.
   * @example "default"
   */
  repository_storage?: string;
}

/** Group that a group or project is shared with. */
export interface ShareResponse {
  group_id: number;
  group_name: string;
  /** @example "tools/builders" */
  group_full_path: string;
  group_access_level: AccessLevel;
  /** @format date */
  expires_at: string | null;
}

/** Group with its details. */
export interface GroupDetailResponse extends GroupResponse {
  /** Always empty: groups cannot be shared. */
  shared_with_groups: ShareResponse[];
}

/** Group in other responses. */
export function presentGroupBasic(
  group: Pick<GroupRow, 'id' | 'name' | 'fullPath'>,
  baseUrl: string,
): GroupBasicResponse {
  return { id: group.id, web_url: `${baseUrl}/groups/${group.fullPath}`, name: group.name };
}

/** Protection of every default branch: Maintainers push, history cannot be rewritten. */
const BRANCH_PROTECTION: BranchProtectionResponse = {
  allowed_to_push: [{ access_level: ROLES.maintainer }],
  allow_force_push: false,
  allowed_to_merge: [{ access_level: ROLES.maintainer }],
};

/** A group in lists and after changes; `repository_storage` is for administrators only. */
export function presentGroup(group: GroupRow, { baseUrl, viewer }: ResponseContext): GroupResponse {
  const details = {
    path: group.path,
    description: group.description,
    visibility: visibilityName(group.visibility),
    avatar_url: avatarUrl('group', group, baseUrl),
    full_name: group.fullName,
    full_path: group.fullPath,
    created_at: group.createdAt.toISOString(),
    parent_id: group.parentId,
    organization_id: 1,
    shared_runners_setting: 'enabled' as const,
    marked_for_deletion_on: null,
    repository_storage: viewer?.admin === true ? group.repositoryStorage : undefined,
  };
  return Object.assign(presentGroupBasic(group, baseUrl), details, policies(group));
}

/** The form of groups in a list. */
export function groupFormat(
  context: ResponseContext,
): ItemFormat<GroupResponse, GroupRow, FreshGroup> {
  return {
    name: 'group',
    form: () => String(context.viewer?.admin),
    present: (group) =>
      Object.assign(presentGroup(group, context), {
        emails_disabled: undefined,
        emails_enabled: undefined,
      }),
    presentFresh: ({ sendsMails }) => ({
      emails_disabled: !sendsMails,
      emails_enabled: sendsMails,
    }),
  };
}

function policies(group: GroupRow): GroupPoliciesResponse {
  return {
    share_with_group_lock: false,
    require_two_factor_authentication: false,
    two_factor_grace_period: 48,
    project_creation_level: 'developer',
    subgroup_creation_level: 'owner',
    auto_devops_enabled: null,
    emails_disabled: !group.sendsMails,
    emails_enabled: group.sendsMails,
    mentions_disabled: null,
    lfs_enabled: false,
    archived: false,
    default_branch: null,
    default_branch_protection: 2,
    default_branch_protection_defaults: BRANCH_PROTECTION,
    request_access_enabled: group.requestAccessEnabled,
  };
}

/** Group with its details. */
export function presentGroupDetail(
  group: GroupRow,
  presentation: ResponseContext,
): GroupDetailResponse {
  return Object.assign(presentGroup(group, presentation), { shared_with_groups: [] });
}
