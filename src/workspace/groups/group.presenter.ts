import { avatarUrl } from '../../core/avatars/avatar-address.js';
import type { ResponseContext } from '../../core/response-context.js';
import { ROLES } from '../../identity/members/roles.js';
import { visibilityName } from '../../identity/members/visibility.js';
import type { GroupRow } from './groups.repository.js';
import type {
  BranchProtectionResponse,
  GroupResponse,
  GroupBasicResponse,
  GroupDetailResponse,
  GroupPoliciesResponse,
} from './group.response.js';

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
