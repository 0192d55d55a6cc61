import type { UpdateGroupDto } from './dto/update-group.dto.js';
import { emailsEnabledOf } from './emails-enabled.js';
import type { GroupChange } from './group-update.service.js';

/** The change that the parameters describe; what is absent or null stays. */
export function changeOf(dto: UpdateGroupDto): GroupChange {
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
