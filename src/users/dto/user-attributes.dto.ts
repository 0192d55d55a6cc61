import {
  BooleanParam,
  FileParam,
  IntegerParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import type { User } from '../user.entity.js';

/** Attributes of a user for create and update. */
export class UserAttributesDto {
  /** Makes the user an administrator. */
  @BooleanParam()
  admin?: boolean | null;

  /** Limits the user to public projects and groups and their memberships. */
  @BooleanParam()
  external?: boolean | null;

  /** Hides the profile's dates from other users. */
  @BooleanParam()
  private_profile?: boolean | null;

  /** Allows the user to create top-level groups. */
  @BooleanParam()
  can_create_group?: boolean | null;

  /** Maximum number of projects in the user's own namespace. */
  @IntegerParam({ min: 0 })
  projects_limit?: number | null;

  /** Biography of the user. */
  @TextParam({ maxLength: 255 })
  bio?: string | null;

  /** Location of the user. */
  @TextParam({ maxLength: 255 })
  location?: string | null;

  /** Website of the user. */
  @TextParam({ maxLength: 2048 })
  website_url?: string | null;

  /** Organization of the user. */
  @TextParam({ maxLength: 255 })
  organization?: string | null;

  /** The user's job title. */
  @TextParam({ maxLength: 255 })
  job_title?: string | null;

  /** The user's pronouns. */
  @TextParam({ maxLength: 50 })
  pronouns?: string | null;

  /** Public email in the profile. */
  @TextParam({ maxLength: 255 })
  public_email?: string | null;

  /** PNG, JPEG, GIF or WebP image of at most 200 KiB, as multipart/form-data; empty removes it. */
  @FileParam()
  avatar?: Buffer | null;

  /** Note visible to administrators only. */
  @TextParam({ maxLength: 10_000 })
  note?: string | null;
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
