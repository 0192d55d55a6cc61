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
export type UserStateResponse =
  'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval';

/** Profile attributes of a user. */
export interface ProfileResponse {
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
