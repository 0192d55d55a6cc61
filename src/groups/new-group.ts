import type { CreateGroupDto } from './dto/create-group.dto.js';
import { emailsEnabledOf } from './emails-enabled.js';
import type { NewGroup } from './group-creation.service.js';

/** The group that the parameters describe; private unless they say otherwise. */
export function newGroup(dto: CreateGroupDto): NewGroup {
  return {
    name: dto.name,
    path: dto.path,
    parentId: dto.parent_id ?? null,
    description: dto.description ?? '',
    visibility: dto.visibility ?? 'private',
    requestAccessEnabled: dto.request_access_enabled ?? true,
    avatar: dto.avatar,
    emailsEnabled: emailsEnabledOf(dto) ?? true,
  };
}
