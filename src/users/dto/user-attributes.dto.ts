import { BooleanParam, IntegerParam, TextParam } from '../../core/params/params.decorator.js';
import type { User } from '../user.entity.js';

/** What may be given when a user is created and when one is changed. */
export class UserAttributesDto {
  @BooleanParam() admin?: boolean | null;
  @BooleanParam() external?: boolean | null;
  @BooleanParam() private_profile?: boolean | null;
  @BooleanParam() can_create_group?: boolean | null;
  @IntegerParam({ min: 0 }) projects_limit?: number | null;
  @TextParam({ maxLength: 255 }) bio?: string | null;
  @TextParam({ maxLength: 255 }) location?: string | null;
  @TextParam({ maxLength: 2048 }) website_url?: string | null;
  @TextParam({ maxLength: 255 }) organization?: string | null;
  @TextParam({ maxLength: 255 }) job_title?: string | null;
  @TextParam({ maxLength: 50 }) pronouns?: string | null;
  @TextParam({ maxLength: 255 }) public_email?: string | null;
  @TextParam({ maxLength: 10_000 }) note?: string | null;
}

/** The columns that the given attributes set; null empties a text and leaves the rest alone. */
export function userColumns(dto: UserAttributesDto): Partial<User> {
  return withoutUndefined({
    admin: dto.admin ?? undefined,
    external: dto.external ?? undefined,
    privateProfile: dto.private_profile ?? undefined,
    canCreateGroup: dto.can_create_group ?? undefined,
    projectsLimit: dto.projects_limit ?? undefined,
    bio: emptied(dto.bio),
    location: emptied(dto.location),
    websiteUrl: emptied(dto.website_url),
    organization: emptied(dto.organization),
    jobTitle: emptied(dto.job_title),
    pronouns: emptied(dto.pronouns),
    publicEmail: emptied(dto.public_email),
    note: dto.note,
  });
}

function emptied(text: string | null | undefined): string | undefined {
  return text === null ? '' : text;
}

function withoutUndefined(columns: Partial<User>): Partial<User> {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}
