import type { Viewer } from '../../core/access/viewer.js';
import { avatarUrl } from '../../core/avatars/avatar-address.js';
import { TextParam } from '../../core/params/params.decorator.js';
import { ROLES } from '../../identity/members/roles.js';
import type { GroupRow } from './groups.repository.js';
import type { GroupsQuery } from './sql/group-list.js';

/** GET …/transfer_locations */
export class ListTransferLocationsDto {
  /** Part of name or path. */
  @TextParam()
  search?: string | null;
}

/** Group to which a project or group can be transferred. */
export interface TransferLocationResponse {
  id: number;
  /** @example "https://guildhall.example.com/groups/tools/builders" */
  web_url: string;
  name: string;
  avatar_url: string | null;
  /** @example "Tools / Builders" */
  full_name: string;
  /** @example "tools/builders" */
  full_path: string;
}

interface Transferred {
  kind: 'project' | 'group';
  /** ID of the group; of a project that of its namespace. */
  groupId: number;
  /** ID of the group above a group. */
  parentId?: number | null;
}

/**
 * Returns the query of the groups to which the viewer can transfer a project (Developer) or a group
 * (Owner); any for administrators. The current location and the group's own subgroups are left out.
 */
export function transferLocations(
  { kind, groupId, parentId }: Transferred,
  viewer: Viewer | null,
  search?: string | null,
): GroupsQuery {
  const level = kind === 'project' ? ROLES.developer : ROLES.owner;
  const current = kind === 'project' ? groupId : parentId;
  const filters = {
    search: search ?? null,
    min_access_level: viewer?.admin === true ? null : level,
    skip_groups: current == null ? [] : [current],
  };
  return { filters, viewer, ...(kind === 'group' && { outsideId: groupId }) };
}

/** A group as v4 shows it where something can be transferred to. */
export function presentTransferLocation(
  group: GroupRow,
  baseUrl: string,
): TransferLocationResponse {
  return {
    id: group.id,
    web_url: `${baseUrl}/groups/${group.fullPath}`,
    name: group.name,
    avatar_url: avatarUrl('group', group, baseUrl),
    full_name: group.fullName,
    full_path: group.fullPath,
  };
}
