import { avatarUrl } from '../../core/avatars/avatar.js';
import type { User } from './user.entity.js';

/** Attributes that identify a user in other responses. */
export interface UserBasicResponse {
  id: number;
  /** @example "mallory" */
  username: string;
  /** @example "Mallory Weaver" */
  name: string;
  /** Only `active` users can act; `blocked_pending_approval` waits for an administrator. */
  state: UserStateResponse;
  /** true after too many failed sign-ins. */
  locked: boolean;
  /** URL of the avatar; null without one. */
  avatar_url: string | null;
  /** @example "https://guildhall.example.com/mallory" */
  web_url: string;
}

/** User states by the names that v4 clients know. */
type UserStateResponse =
  'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval';

/** Profile attributes of a user. */
interface ProfileResponse {
  bio: string;
  location: string;
  /** Public email of the user; empty without one. */
  public_email: string;
  linkedin: string;
  twitter: string;
  /** @example "https://mallory.example.com" */
  website_url: string;
  organization: string;
  job_title: string;
  /** @example "she/her" */
  pronouns: string;
  /** true for the bot users of project and group access tokens. */
  bot: boolean;
  /**
   * Job title and organization as one text; null when both are empty.
   * @example "Engineer at Weaver Ltd"
   */
  work_information: string | null;
}

/** User as seen by any signed-in user; private profiles hide their dates. */
export interface UserResponse extends UserBasicResponse, ProfileResponse {
  /**
   * Absent for a private profile.
   * @format date-time
   */
  created_at?: string;
  /** Absent for a private profile. */
  followers?: number;
  /** Absent for a private profile. */
  following?: number;
}

/** An account of another provider. */
interface IdentityResponse {
  /** @example "saml" */
  provider: string;
  /** ID of the user at the provider. */
  extern_uid: string;
}

/** A user as returned to the user. */
export interface SelfResponse extends UserBasicResponse, ProfileResponse {
  /** @format date-time */
  created_at: string;
  followers: number;
  following: number;
  /**
   * Sign-in before the current one.
   * @format date-time
   */
  last_sign_in_at: string | null;
  /**
   * Confirmation time of the email.
   * @format date-time
   */
  confirmed_at: string | null;
  /**
   * Day of the last request or push.
   * @format date
   * @example "2026-03-14"
   */
  last_activity_on: string | null;
  /** @example "mallory@example.com" */
  email: string;
  theme_id: number;
  color_scheme_id: number;
  /** Maximum number of projects in the user's own namespace. */
  projects_limit: number;
  /** @format date-time */
  current_sign_in_at: string | null;
  /** Accounts of other providers that the user signs in with; none can be linked yet. */
  identities: IdentityResponse[];
  can_create_group: boolean;
  can_create_project: boolean;
  two_factor_enabled: boolean;
  /** External users see only public projects and groups and their memberships. */
  external: boolean;
  private_profile: boolean;
  /**
   * Email in commits that the server creates.
   * @example "mallory@example.com"
   */
  commit_email: string;
}

/** User as seen by administrators. */
export interface UserForAdminResponse extends SelfResponse {
  is_admin: boolean;
  /** Note of the administrators about the user; null if there is none. */
  note: string | null;
  /** Namespace of the user; null for bots, which have none. */
  namespace_id: number | null;
}

/** URL of an avatar. */
export interface AvatarResponse {
  /** null without one. */
  avatar_url: string | null;
}

/** Attributes that identify a user in other responses: authors, members, creators. */
export type UserBasics = Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'> & {
  /** True if failed sign-ins lock the account; set only where users are listed. */
  locked?: boolean;
};

/** A user's row with the id of the namespace that bears the user's name; bots have none. */
export type UserDetails = Omit<User, 'passwordDigest'> & {
  namespaceId: number | null;
  locked: boolean;
};

/** The short form of a user; `baseUrl` is the configured address of this instance. */
export function presentUserBasic(user: UserBasics, baseUrl: string): UserBasicResponse {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: stateName(user.state),
    locked: user.locked ?? false,
    avatar_url: avatarUrl('user', user, baseUrl),
    web_url: `${baseUrl}/${user.username}`,
  };
}

/** v4 clients know the pending approval by this longer name. */
function stateName(state: User['state']): UserStateResponse {
  return state === 'pending' ? 'blocked_pending_approval' : state;
}

/** Returns a user as seen by any signed-in user; private profiles hide their dates. */
export function presentUser(user: UserDetails, baseUrl: string): UserResponse {
  const dates = user.privateProfile ? {} : publicDates(user);
  return Object.assign(presentUserBasic(user, baseUrl), profile(user), dates);
}

function profile(user: UserDetails): ProfileResponse {
  return {
    bio: user.bio,
    location: user.location,
    public_email: user.publicEmail,
    linkedin: '',
    twitter: '',
    website_url: user.websiteUrl,
    organization: user.organization,
    job_title: user.jobTitle,
    pronouns: user.pronouns,
    bot: user.userType === 'project_bot',
    work_information: workInformation(user),
  };
}

function workInformation({ jobTitle, organization }: UserDetails): string | null {
  if (jobTitle !== '' && organization !== '') return `${jobTitle} at ${organization}`;
  return jobTitle || organization || null;
}

type PublicDates = Required<Pick<UserResponse, 'created_at' | 'followers' | 'following'>>;

function publicDates(user: UserDetails): PublicDates {
  return { created_at: user.createdAt.toISOString(), followers: 0, following: 0 };
}

/** Returns a user as shown to the user. */
export function presentSelf(user: UserDetails, baseUrl: string): SelfResponse {
  const basic = presentUserBasic(user, baseUrl);
  return Object.assign(basic, profile(user), publicDates(user), account(user));
}

type Account = Omit<SelfResponse, keyof UserResponse>;

function account(user: UserDetails): Account {
  return {
    last_sign_in_at: isoTime(user.lastSignInAt),
    confirmed_at: isoTime(user.confirmedAt),
    last_activity_on: user.lastActivityOn,
    email: user.email,
    theme_id: 1,
    color_scheme_id: 1,
    projects_limit: user.projectsLimit,
    current_sign_in_at: isoTime(user.currentSignInAt),
    identities: [],
    can_create_group: user.canCreateGroup,
    can_create_project: user.projectsLimit > 0,
    two_factor_enabled: false,
    external: user.external,
    private_profile: user.privateProfile,
    commit_email: user.email,
  };
}

function isoTime(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

/** Returns a user as seen by administrators. */
export function presentUserForAdmin(user: UserDetails, baseUrl: string): UserForAdminResponse {
  return Object.assign(presentSelf(user, baseUrl), {
    is_admin: user.admin,
    note: user.note,
    namespace_id: user.namespaceId,
  });
}
