import type { User } from './user.entity.js';

/** What identifies a user wherever one is mentioned: authors, members, creators. */
export type UserBasics = Pick<User, 'id' | 'username' | 'name' | 'state'>;

/** A user's row with the id of the namespace that bears the user's name. */
export type UserDetails = Omit<User, 'passwordDigest'> & { namespaceId: number };

export interface UserBasicJson {
  id: number;
  username: string;
  name: string;
  state: string;
  locked: boolean;
  avatar_url: string | null;
  web_url: string;
}

/** The short form of a user; `baseUrl` is the configured address of this installation. */
export function presentUserBasic(user: UserBasics, baseUrl: string): UserBasicJson {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: stateName(user.state),
    locked: false,
    avatar_url: null,
    web_url: `${baseUrl}/${user.username}`,
  };
}

/** v4 clients know the wait for approval by this longer name. */
function stateName(state: User['state']): string {
  return state === 'pending' ? 'blocked_pending_approval' : state;
}

/** What any signed-in user sees of another; private profiles keep their dates to themselves. */
export function presentUser(user: UserDetails, baseUrl: string): object {
  return { ...presentUserBasic(user, baseUrl), ...profile(user), ...publicDates(user) };
}

function profile(user: UserDetails): object {
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

function publicDates(user: UserDetails): object {
  if (user.privateProfile) return {};
  return { created_at: user.createdAt, followers: 0, following: 0 };
}

/** What users see of themselves. */
export function presentSelf(user: UserDetails, baseUrl: string): object {
  return {
    ...presentUserBasic(user, baseUrl),
    ...profile(user),
    created_at: user.createdAt,
    followers: 0,
    following: 0,
    ...account(user),
  };
}

function account(user: UserDetails): object {
  return {
    last_sign_in_at: user.lastSignInAt,
    confirmed_at: user.confirmedAt,
    last_activity_on: user.lastActivityOn,
    email: user.email,
    theme_id: 1,
    color_scheme_id: 1,
    projects_limit: user.projectsLimit,
    current_sign_in_at: user.currentSignInAt,
    identities: [],
    can_create_group: user.canCreateGroup,
    can_create_project: user.projectsLimit > 0,
    two_factor_enabled: false,
    external: user.external,
    private_profile: user.privateProfile,
    commit_email: user.email,
  };
}

/** What administrators see of anybody, themselves included. */
export function presentUserForAdmin(user: UserDetails, baseUrl: string): object {
  return {
    ...presentSelf(user, baseUrl),
    is_admin: user.admin,
    note: user.note,
    namespace_id: user.namespaceId,
  };
}
