import { avatarUrl } from '../../core/avatars/avatar-address.js';
import type {
  ProfileResponse,
  SelfResponse,
  UserResponse,
  UserBasicResponse,
  UserForAdminResponse,
  UserStateResponse,
} from './user.response.js';
import type { User } from './user.entity.js';

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
