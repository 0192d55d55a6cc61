import { InvalidParamsError } from '../../core/errors.js';
import {
  BooleanParam,
  FileParam,
  IntegerParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import type { User } from './user.entity.js';

/** Attributes of a user for create and update. */
class UserAttributesDto {
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

/** Input of `POST /users`. */
export class CreateUserDto extends UserAttributesDto {
  /** Email of the user; unique, case-insensitive. */
  @TextParam({ required: true })
  email: string;

  /** Full name, at most 255 characters. */
  @TextParam({ required: true })
  name: string;

  /** Name in paths and mentions; unique among users and groups, case-insensitive. */
  @TextParam({ required: true })
  username: string;

  /** 8 to 128 characters. */
  @TextParam()
  password?: string | null;

  /** Creates the user without a password, until they reset it. */
  @BooleanParam()
  reset_password?: boolean | null;

  /**
   * Skips email confirmation; false sends a confirmation link. The default depends on the setting
   * `email_confirmation_setting`.
   */
  @BooleanParam()
  skip_confirmation?: boolean | null;

  /** Sets a random password. */
  @BooleanParam()
  force_random_password?: boolean | null;
}

const PASSWORD_WAYS = ['password', 'reset_password', 'force_random_password'] as const;

/** Throws 400 unless one of the ways to a password is named. */
export function assertPasswordWay(dto: CreateUserDto): void {
  if (PASSWORD_WAYS.some((way) => dto[way] !== undefined && dto[way] !== null)) return;
  throw new InvalidParamsError([
    `${PASSWORD_WAYS.join(', ')} are missing, at least one parameter must be provided`,
  ]);
}

/** Returns the password to set, or null if the user sets one by a reset link. */
export function chosenPassword(dto: CreateUserDto): string | null {
  if (dto.reset_password === true || dto.force_random_password === true) return null;
  return dto.password ?? '';
}

/** Input of `PUT /users/:id`: only what is given changes. */
export class UpdateUserDto extends UserAttributesDto {
  /** Email of the user; unique, case-insensitive. */
  @TextParam()
  email?: string | null;

  /** Accepted without effect: an email set by an administrator needs no confirmation. */
  @BooleanParam()
  skip_reconfirmation?: boolean | null;

  /** Full name, at most 255 characters. */
  @TextParam()
  name?: string | null;

  /** Name in paths and mentions; Git URLs with the former name keep working. */
  @TextParam()
  username?: string | null;

  /** 8 to 128 characters. */
  @TextParam()
  password?: string | null;
}

/** Input of `DELETE /users/:id`. */
export class DeleteUserDto {
  /** Also deletes the user's contributions and the groups without another owner. */
  @BooleanParam()
  hard_delete?: boolean | null;
}

/** GET /avatar */
export class FindAvatarDto {
  /** Public email address of the user. */
  @TextParam({ required: true })
  email: string;

  /** Requested width in pixels. */
  @IntegerParam({ min: 1 })
  size?: number | null;
}
