import type { GroupChange } from './group-update.service.js';
import type { NewGroup } from './group-creation.service.js';
import type { CreateGroupDto, UpdateGroupDto } from './group.dto.js';

/** Both forms of the parameter that turns emails about a project or group on or off. */
interface EmailParameters {
  emails_enabled?: boolean | null;
  emails_disabled?: boolean | null;
}

/** Returns the wanted setting; the newer form wins, undefined when neither is given. */
export function emailsEnabledOf(dto: EmailParameters): boolean | undefined {
  const former = dto.emails_disabled == null ? undefined : !dto.emails_disabled;
  return dto.emails_enabled ?? former;
}

/** Returns the group that the parameters describe; private by default. */
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

/** Returns the change that the parameters describe; what is absent or null stays. */
export function groupChange(dto: UpdateGroupDto): GroupChange {
  return {
    name: dto.name ?? undefined,
    path: dto.path ?? undefined,
    description: dto.description ?? undefined,
    visibility: dto.visibility ?? undefined,
    requestAccessEnabled: dto.request_access_enabled ?? undefined,
    avatar: dto.avatar,
    emailsEnabled: emailsEnabledOf(dto),
  };
}
